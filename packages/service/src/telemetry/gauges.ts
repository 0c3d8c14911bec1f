import { Counter, writeGauge } from "@stemma/telemetry";
import type { DatabaseConnections } from "./database-connections";

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
	/** Undefined for a deployment on SQLite. */
	readonly database: DatabaseConnections | undefined;
}

const GAUGES: {
	readonly [Key in Exclude<keyof GaugeValues, "database">]: readonly [name: string, help: string];
} = {
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
	(Object.keys(GAUGES) as (keyof typeof GAUGES)[])
		.map((key) => writeGauge(...GAUGES[key], [[{}, values[key]]]))
		.join("") + (values.database === undefined ? "" : writeDatabaseState(values.database));

function writeDatabaseState(state: DatabaseConnections): string {
	const reconnects = new Counter(
		"stemma_instance_reconnects_total",
		"Times that the connection with the lease and the notifications of the instance was replaced.",
	);
	reconnects.add({}, state.reconnects);
	return [
		writeGauge(
			"stemma_database_connections",
			"Connections of the pool to Postgres, by state; waiting: asked for.",
			[
				[{ state: "in_use" }, state.connectionsInUse],
				[{ state: "idle" }, state.connectionsIdle],
				[{ state: "waiting" }, state.connectionsAwaited],
			],
		),
		writeGauge(
			"stemma_instance_lease_age_seconds",
			"Time since the instance has renewed its lease, in seconds.",
			[[{}, state.leaseAgeMs / 1000]],
		),
		reconnects.write(),
	].join("");
}
