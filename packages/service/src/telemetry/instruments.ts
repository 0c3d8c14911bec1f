import { Counter, Histogram, type RunMetrics } from "@stemma/telemetry";

/** Requests take from a moment to minutes. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const RUN_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const CALL_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80];
/** Searches and writes take milliseconds where all is well. */
const STORE_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counters and histograms of a service. No label names a workspace, a caller, an agent or a model. */
export const createInstruments = () => ({
	http: createHttpInstruments(),
	runs: createRunInstruments(),
	models: createModelInstruments(),
	store: createStoreInstruments(),
});

/** Instruments of one deployment. */
export type Instruments = ReturnType<typeof createInstruments>;

const createHttpInstruments = () => ({
	requests: new Counter("stemma_http_requests_total", "HTTP requests, by method, route and status."),
	duration: new Histogram(
		"stemma_http_request_duration_seconds",
		"Time until a response begins, by method and route, in seconds.",
		REQUEST_BUCKETS,
	),
	errors: new Counter("stemma_errors_total", "Errors in responses, by code."),
	refusedSignIns: new Counter(
		"stemma_sign_ins_refused_total",
		"Attempts to sign in, and credentials of requests, that were refused, by method and reason.",
	),
});

const createRunInstruments = (): RunMetrics & { readonly lost: Counter } => ({
	started: new Counter("stemma_runs_started_total", "Runs that were started."),
	ended: new Counter("stemma_runs_ended_total", "Runs that have ended, by status."),
	duration: new Histogram(
		"stemma_run_duration_seconds",
		"Running time of runs that have ended, in seconds, since their start or their last approval.",
		RUN_BUCKETS,
	),
	toolCalls: new Counter("stemma_tool_calls_total", "Tool calls in runs, by outcome."),
	lost: new Counter(
		"stemma_runs_lost_total",
		"Runs in progress here that another instance has taken over, so that nothing more of them was stored.",
	),
});

const createModelInstruments = () => ({
	calls: new Counter("stemma_model_calls_total", "Calls to models, by API format, stage, payer and outcome."),
	tokens: new Counter(
		"stemma_model_tokens_total",
		"Tokens of calls to models, by API format, payer and direction.",
	),
	duration: new Histogram(
		"stemma_model_call_duration_seconds",
		"Duration of calls to models with all their attempts, by API format and stage, in seconds.",
		CALL_BUCKETS,
	),
});

const createStoreInstruments = () => ({
	retrievals: new Histogram(
		"stemma_retrieval_duration_seconds",
		"Duration of searches for passages, with the wait for their turn and without calls to models, in seconds.",
		STORE_BUCKETS,
	),
	writes: new Histogram(
		"stemma_database_write_duration_seconds",
		"Duration of transactions that write, with the wait for their turn, in seconds.",
		STORE_BUCKETS,
	),
	documents: new Counter("stemma_documents_ingested_total", "Documents that were ingested, by outcome."),
	passages: new Counter("stemma_passages_stored_total", "Passages that were stored."),
	syncs: new Counter("stemma_source_syncs_total", "Syncs of sources that have ended, by outcome."),
});
