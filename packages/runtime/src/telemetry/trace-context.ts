import { type Context, ROOT_CONTEXT, TraceFlags, trace } from "@opentelemetry/api";

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * The span that a request is part of (W3C Trace Context, section 3.2); the root without one. Propagators are the
 * platform's to register, and most never do.
 */
export function readTraceContext(traceparent: string | undefined): Context {
	const [, traceId = "", spanId = "", flags = "0"] = TRACEPARENT.exec(traceparent ?? "") ?? [];
	if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return ROOT_CONTEXT;
	const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
	return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
