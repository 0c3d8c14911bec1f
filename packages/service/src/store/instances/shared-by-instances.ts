import type { DatabaseConnections } from "../../telemetry/database-connections";
import type { PeriodicJobs } from "./periodic-jobs";
import type { SharedCounts } from "./shared-counts";

/** Parts that the instances of a deployment share beside their stores. */
export interface SharedByInstances {
	readonly periodicJobs: PeriodicJobs;
	readonly counts: SharedCounts;
	readDatabaseConnections(): DatabaseConnections;
}
