import type { JobName } from "../jobs";
import { knowledgeJobs } from "./knowledge-jobs";
import type { PostgresJobs } from "./postgres-job";
import { runJobs } from "./run-jobs";

const postgresJobs: Partial<PostgresJobs> = { ...knowledgeJobs, ...runJobs };

/** Finds the job of a name. @throws Error where Postgres does not have it yet. */
export function getPostgresJob<Name extends JobName>(name: Name): PostgresJobs[Name] {
	const job = postgresJobs[name];
	if (job === undefined) throw new Error(`The job "${name}" does not run on Postgres yet.`);
	return job;
}
