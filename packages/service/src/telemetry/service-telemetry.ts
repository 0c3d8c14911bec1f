import type { RunEvent, TraceContext } from "@stemma/core";
import { createRunTraces, type RunTraces, type StartSpan } from "@stemma/telemetry";
import type { Redactor } from "../redaction/redactor";
import { createServiceMetrics, type ServiceMetrics } from "./service-metrics";

/** Traces and metrics of a deployment. */
export interface ServiceTelemetry {
	readonly startSpan: StartSpan;
	/** Takes secrets out of what a span would hold. */
	readonly redact: Redactor["redact"];
	readonly instrument: RunTraces["instrument"];
	readonly metrics: ServiceMetrics;
	/** Follows a run that begins or goes on: its spans and its figures. */
	observeRun(run: ObservedRun): RunObserver;
}

/** Gets what becomes of a run, from the call that begins it or goes on with it. */
export interface RunObserver {
	onEvent(event: RunEvent): void;
	/**
	 * Reports that the run could not start or resume, so that no event follows.
	 *
	 * @param code - of the error.
	 */
	reject(code: string): void;
}

export interface ObservedRun {
	readonly agent: string;
	/** The request, or the call of another run, that starts it or goes on with it. */
	readonly traceContext: TraceContext | undefined;
}

export function createServiceTelemetry(startSpan: StartSpan, redact: Redactor["redact"]): ServiceTelemetry {
	const traces = createRunTraces({ start: startSpan, content: false, tracesRetrievals: true });
	const metrics = createServiceMetrics();
	return {
		startSpan,
		redact,
		instrument: traces.instrument,
		metrics,
		observeRun({ agent, traceContext }) {
			const trace = traces.start({ agentId: agent, parent: traceContext });
			const meter = metrics.createRunMeter();
			return {
				onEvent(event) {
					meter.onEvent(event);
					trace?.onEvent(event);
				},
				reject: (code) => trace?.reject(code),
			};
		},
	};
}
