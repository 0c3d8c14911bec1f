import type { Context, SpanContext } from "@opentelemetry/api";
import type { TraceContext } from "@stemma/core";

/** The parts of OpenTelemetry's API that are used here: it is loaded where something records spans. */
export type OpenTelemetry = Pick<
	typeof import("@opentelemetry/api"),
	"ROOT_CONTEXT" | "SpanKind" | "SpanStatusCode" | "createTraceState" | "isSpanContextValid" | "trace"
>;

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
export function toSpanContext(api: OpenTelemetry, { traceparent, tracestate }: TraceContext): SpanContext {
	const [, traceId = "", spanId = "", flags = "0"] = TRACEPARENT.exec(traceparent) ?? [];
	return {
		traceId,
		spanId,
		traceFlags: Number.parseInt(flags, 16) & SAMPLED,
		isRemote: true,
		...(tracestate === undefined ? {} : { traceState: api.createTraceState(tracestate) }),
	};
}

export const toContext = (api: OpenTelemetry, parent: TraceContext | undefined): Context =>
	parent === undefined
		? api.ROOT_CONTEXT
		: api.trace.setSpanContext(api.ROOT_CONTEXT, toSpanContext(api, parent));

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
