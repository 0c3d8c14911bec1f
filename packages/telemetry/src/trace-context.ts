import type { Context, Span, SpanContext, TraceState } from "@opentelemetry/api";
import type { TraceContext } from "@stemma/core";

/** Version ff is none, and version 00 has nothing behind its flags (W3C Trace Context, section 2.2). */
const TRACEPARENT = /^(?!ff|00.{54})[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const SAMPLED = 1;

const MAX_TRACESTATE_CHARACTERS = 512;
const MAX_TRACESTATE_MEMBERS = 32;
/** A member of `tracestate`, in printable ASCII, with the spaces around it; section 3.3.1. */
const TRACESTATE_MEMBER = /^[ \t]*[a-z0-9][a-z0-9_*/@-]*=[\x20-\x2b\x2d-\x3c\x3e-\x7e]*$/;

/** Reads a header of a request. */
export type ReadHeader = (name: string) => string | undefined;

/**
 * The headers of a request as its place in a trace; none where `traceparent` is missing or malformed. A `tracestate` that is
 * malformed or longer than 512 characters is left out, and so is a claim of usage ({@link readUsageClaim}).
 */
export function readTraceHeaders(header: ReadHeader): TraceContext | undefined {
	const [, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(header("traceparent") ?? "") ?? [];
	if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
	const members = readMembers(header).filter((member) => member.trim() !== USAGE_FIELD);
	const traceparent = `00-${traceId}-${spanId}-${flags}`;
	return members.length === 0 ? { traceparent } : { traceparent, tracestate: members.join(",") };
}

/** True where a request says that its caller records the usage. Any caller can say so: only those who pay are believed. */
export const readUsageClaim = (header: ReadHeader): boolean =>
	readMembers(header).some((member) => member.trim() === USAGE_FIELD);

function readMembers(header: ReadHeader): readonly string[] {
	const text = header("tracestate") ?? "";
	const members = text.length > MAX_TRACESTATE_CHARACTERS ? [] : text.split(",");
	const isValid =
		members.length <= MAX_TRACESTATE_MEMBERS && members.every((one) => TRACESTATE_MEMBER.test(one));
	return isValid ? members : [];
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

/** Key of the span in a context, in all versions 1 of OpenTelemetry's API. */
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

/** Creates a trace state that is passed on unchanged. */
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

/** Says that the caller records the usage of what it calls. Where there is no room left, the last members go. */
export function claimUsage(context: TraceContext): TraceContext {
	const { traceparent, tracestate } = context;
	if (isUsageClaimed(context)) return context;
	const members = [USAGE_FIELD, ...(tracestate?.split(",") ?? [])].slice(0, MAX_TRACESTATE_MEMBERS);
	while (members.join(",").length > MAX_TRACESTATE_CHARACTERS) members.pop();
	return { traceparent, tracestate: members.join(",") };
}

/** True where the caller records the usage. */
export const isUsageClaimed = ({ tracestate }: Pick<TraceContext, "tracestate">): boolean =>
	tracestate?.split(",").some((field) => field.trim() === USAGE_FIELD) ?? false;
