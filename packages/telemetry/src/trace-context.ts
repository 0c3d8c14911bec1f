import type { Context, Span, SpanContext, TraceState } from "@opentelemetry/api";
import type { TraceContext } from "@stemma/core";

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** The headers of a request as its place in a trace; none where `traceparent` is missing or malformed. */
export function readTraceHeaders(header: (name: string) => string | undefined): TraceContext | undefined {
	const traceparent = header("traceparent");
	const [, traceId = "", spanId = ""] = TRACEPARENT.exec(traceparent ?? "") ?? [];
	if (traceparent === undefined || /^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
	const tracestate = header("tracestate");
	return { traceparent, ...(tracestate === undefined || tracestate === "" ? {} : { tracestate }) };
}

/**
 * Reads a place in a trace (W3C Trace Context, section 3). Propagators are the platform's to register, and most platforms
 * never do.
 */
export function toSpanContext({ traceparent, tracestate }: TraceContext): SpanContext {
	const [, traceId = "", spanId = "", flags = "0"] = TRACEPARENT.exec(traceparent) ?? [];
	return {
		traceId,
		spanId,
		traceFlags: Number.parseInt(flags, 16) & SAMPLED,
		isRemote: true,
		...(tracestate === undefined ? {} : { traceState: toTraceState(tracestate) }),
	};
}

/** Under this key a context holds its span, in all versions 1 of OpenTelemetry's API. */
const SPAN_KEY = Symbol.for("OpenTelemetry Context Key SPAN");

/** A context whose span is elsewhere; an empty one without a parent. OpenTelemetry's API need not be loaded for it. */
export function toContext(parent: TraceContext | undefined): Context {
	if (parent === undefined) return createContext(new Map());
	const spanContext = toSpanContext(parent);
	const span: Pick<Span, "spanContext" | "isRecording"> = {
		spanContext: () => spanContext,
		isRecording: () => false,
	};
	return createContext(new Map([[SPAN_KEY, span]]));
}

const createContext = (values: ReadonlyMap<symbol, unknown>): Context => ({
	getValue: (key) => values.get(key),
	setValue: (key, value) => createContext(new Map(values).set(key, value)),
	deleteValue: (key) => createContext(new Map([...values].filter(([one]) => one !== key))),
});

/** Is passed on as it is. */
function toTraceState(text: string): TraceState {
	const state: TraceState = {
		set: () => state,
		unset: () => state,
		get: (key) =>
			text
				.split(",")
				.find((field) => field.trim().startsWith(`${key}=`))
				?.split("=")[1],
		serialize: () => text,
	};
	return state;
}

/** Writes the place of a span; section 3.2. */
export function fromSpanContext({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext {
	const flags = (traceFlags & SAMPLED).toString(16).padStart(2, "0");
	const tracestate = traceState?.serialize() ?? "";
	return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(tracestate === "" ? {} : { tracestate }) };
}

// A call to a service may be recorded on both sides. Whoever is billed for it by the receipt records its tokens, so that
// they are in a trace once: the caller says so in `tracestate`.
const USAGE_FIELD = "stemma=usage";

/** Says that the caller records the usage of what it calls. */
export function claimUsage(context: TraceContext): TraceContext {
	const { traceparent, tracestate } = context;
	if (isUsageClaimed(context)) return context;
	return { traceparent, tracestate: tracestate === undefined ? USAGE_FIELD : `${USAGE_FIELD},${tracestate}` };
}

/** True where the caller records the usage. */
export const isUsageClaimed = ({ tracestate }: Pick<TraceContext, "tracestate">): boolean =>
	tracestate?.split(",").some((field) => field.trim() === USAGE_FIELD) ?? false;
