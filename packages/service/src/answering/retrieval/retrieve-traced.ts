import type { TraceContext } from "@stemma/core";
import { describeRetrieval, withSpan } from "@stemma/telemetry";
import type { CallMeter } from "../../models/metering/call-meter";
import { type RetrievedPassages, type RetrieveOptions, type RetrieveRequest, retrieve } from "./retrieve";

/** Returns the meter with another parent in the trace for the spans of its calls. */
export const withMeterParent = (meter: CallMeter, parent: TraceContext | undefined): CallMeter =>
	meter.spans === undefined ? meter : { ...meter, spans: { ...meter.spans, parent } };

/** Finds passages as {@link retrieve} does, with a span around it where the request is traced. */
export async function retrieveTraced(
	request: RetrieveRequest,
	options: RetrieveOptions,
): Promise<RetrievedPassages> {
	const { meter, signal } = options;
	const { start, parent } = meter.spans ?? {};
	const spanOptions = describeRetrieval(request.knowledge_base_ids, request.top_k);
	const span = parent && start?.({ ...spanOptions, parent });
	if (span === undefined) return retrieve(request, options);
	const tracedOptions = { ...options, meter: withMeterParent(meter, span.traceContext) };
	return withSpan(span, { fallback: "retrieval_failed", signal }, () => retrieve(request, tracedOptions));
}
