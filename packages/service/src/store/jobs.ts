import { COVERAGE, type CoverageInput, computeCoverage } from "../answering/coverage-job";
import { knowledgeJobs } from "../knowledge/jobs/knowledge-jobs";
import { appendEvents } from "../runs/events/append-events-job";
import { SWEEP_RETENTION, type SweepRetentionInput, sweepRetention } from "../storage/retention-job";
import { READ_STORED_COUNTS, readStoredCounts } from "../storage/stored-counts-job";
import { READ_USAGE, type ReadUsageInput, selectUsage } from "../usage/usage-job";
import type { Job } from "./job-file";

/** Jobs of the database threads, by name. */
export const jobs: { readonly [name: string]: Job } = {
	...knowledgeJobs,
	[COVERAGE]: (file, input) => computeCoverage(file, input as CoverageInput),
	appendEvents,
	[READ_STORED_COUNTS]: readStoredCounts,
	[SWEEP_RETENTION]: (file, input) => sweepRetention(file, input as SweepRetentionInput),
	[READ_USAGE]: (file, input) => selectUsage(file, input as ReadUsageInput),
};
