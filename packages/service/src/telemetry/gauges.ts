import { writeGauge } from "@stemma/telemetry";

/** Values that are measured and not counted. */
export interface GaugeValues {
	readonly workspaces: number;
	/** Workspaces that cannot be used, such as after damage to their file. */
	readonly workspacesUnavailable: number;
	readonly runsRunning: number;
	/** Runs that wait for an approval. */
	readonly runsPaused: number;
	/** Documents that were uploaded and not yet read. */
	readonly ingestQueued: number;
	/** Calls of models that wait for their turn. */
	readonly modelCallsQueued: number;
	/** Requests and streams. */
	readonly requestsInFlight: number;
	readonly diskFreeBytes: number;
	/** Bytes of the disk below which nothing is stored that takes space. */
	readonly diskReserveBytes: number;
}

const GAUGES: { readonly [Key in keyof GaugeValues]: readonly [name: string, help: string] } = {
	workspaces: ["stemma_workspaces", "Workspaces that are open."],
	workspacesUnavailable: ["stemma_workspaces_unavailable", "Workspaces that cannot be used."],
	runsRunning: ["stemma_runs_running", "Active runs."],
	runsPaused: ["stemma_runs_paused", "Runs that wait for approvals."],
	ingestQueued: ["stemma_ingest_queue_documents", "Documents that were uploaded and not yet read."],
	modelCallsQueued: ["stemma_model_calls_waiting", "Calls of models that wait for their turn."],
	requestsInFlight: ["stemma_requests_in_flight", "Requests in flight, streams until their end."],
	diskFreeBytes: ["stemma_disk_free_bytes", "Free space of the disk of the data folder, in bytes."],
	diskReserveBytes: [
		"stemma_disk_reserve_bytes",
		"Free space below which uploads, agents and runs are refused, in bytes.",
	],
};

/** Writes measured values in the text format of Prometheus. */
export const writeGauges = (values: GaugeValues): string =>
	(Object.keys(GAUGES) as (keyof GaugeValues)[])
		.map((key) => writeGauge(...GAUGES[key], [[{}, values[key]]]))
		.join("");
