import type { GaugeValues } from "../telemetry/gauges";

/** Measured values of a service on Postgres with one workspace and nothing to do. */
export const NO_GAUGES: GaugeValues = {
	workspaces: 1,
	workspacesUnavailable: 0,
	runsRunning: 0,
	runsPaused: 0,
	ingestQueued: 0,
	modelCallsQueued: 0,
	requestsInFlight: 0,
	diskFreeBytes: 0,
	diskReserveBytes: 0,
	database: { connectionsInUse: 0, connectionsIdle: 1, connectionsAwaited: 0, leaseAgeMs: 0, reconnects: 0 },
};
