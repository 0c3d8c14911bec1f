import type { ReceiptRow, RunResult } from "@stemma/core";
import {
	Counter,
	Histogram,
	RunMeter,
	type RunMetrics,
	writeGauge,
	writeProcessMetrics,
} from "@stemma/telemetry";
import { STEMMA_VERSION } from "../stemma-version";
import { createEventLoopDelay } from "./event-loop-delay";

/** Figures of a deployment, for `GET /metrics`. No label names a workspace, a caller, an agent or a model. */
export interface ServiceMetrics {
	/** @param route - its pattern, never a path. */
	countRequest(
		request: { readonly method: string; readonly route: string },
		status: number,
		ms: number,
	): void;
	countCall(row: ReceiptRow, isFailed: boolean): void;
	createRunMeter(): RunMeter;
	/** Counts the end of a run that no event tells its meter of, such as one that waited for a person. Its time is not measured. */
	countRunEnd(status: RunResult["status"]): void;
	write(now: GaugeValues): string;
	stop(): void;
}

/** Values that are measured and not counted. */
export interface GaugeValues {
	readonly workspaces: number;
	readonly runsRunning: number;
	/** Documents that were uploaded and not yet read. */
	readonly ingestQueued: number;
}

/** Requests take from a moment to minutes. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const RUN_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const CALL_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80];

export function createServiceMetrics(): ServiceMetrics {
	const { requests, requestDuration, runs, calls, tokens, callDuration } = createInstruments();
	const metrics = [requests, requestDuration, ...Object.values(runs), calls, tokens, callDuration];
	const delay = createEventLoopDelay();
	return {
		countRequest({ method, route }, status, ms) {
			requests.add({ method, route, status: String(status) });
			requestDuration.observe({ method, route }, ms / 1000);
		},
		countCall({ provider, stage, payer, input_tokens, output_tokens, ms }, isFailed) {
			calls.add({ provider, stage, payer, outcome: isFailed ? "failed" : "completed" });
			tokens.add({ provider, payer, direction: "input" }, input_tokens);
			tokens.add({ provider, payer, direction: "output" }, output_tokens);
			callDuration.observe({ provider, stage }, ms / 1000);
		},
		createRunMeter: () => new RunMeter(runs, {}),
		countRunEnd: (status) => runs.ended.add({ status }),
		write: ({ workspaces, runsRunning, ingestQueued }) =>
			[
				writeGauge("stemma_service_info", "The version of the service.", [[{ version: STEMMA_VERSION }, 1]]),
				...metrics.map((metric) => metric.write()),
				writeGauge("stemma_runs_running", "Active runs.", [[{}, runsRunning]]),
				writeGauge("stemma_workspaces", "Workspaces.", [[{}, workspaces]]),
				writeGauge("stemma_ingest_queue_documents", "Documents that were uploaded and not yet read.", [
					[{}, ingestQueued],
				]),
				delay.write(),
				writeProcessMetrics(),
			].join(""),
		stop: delay.stop,
	};
}

function createInstruments() {
	const requests = new Counter("stemma_http_requests_total", "HTTP requests, by method, route and status.");
	const requestDuration = new Histogram(
		"stemma_http_request_duration_seconds",
		"Time until a response begins, by method and route, in seconds.",
		REQUEST_BUCKETS,
	);
	const runs: RunMetrics = {
		started: new Counter("stemma_runs_started_total", "Runs that were started."),
		ended: new Counter("stemma_runs_ended_total", "Runs that have ended, by status."),
		duration: new Histogram(
			"stemma_run_duration_seconds",
			"Running time of runs that have ended, in seconds, since their start or their last approval.",
			RUN_BUCKETS,
		),
		toolCalls: new Counter("stemma_tool_calls_total", "Tool calls in runs, by outcome."),
	};
	const calls = new Counter(
		"stemma_model_calls_total",
		"Calls to models, by API format, stage, payer and outcome.",
	);
	const tokens = new Counter(
		"stemma_model_tokens_total",
		"Tokens of calls to models, by API format, payer and direction.",
	);
	const callDuration = new Histogram(
		"stemma_model_call_duration_seconds",
		"Duration of calls to models with all their attempts, by API format and stage, in seconds.",
		CALL_BUCKETS,
	);
	return { requests, requestDuration, runs, calls, tokens, callDuration };
}
