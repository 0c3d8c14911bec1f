import type { JobName } from "../jobs";
import { knowledgeJobs } from "./knowledge-jobs";
import type { PostgresJobs } from "./postgres-job";
import { runJobs } from "./run-jobs";

const postgresJobs: PostgresJobs = { ...knowledgeJobs, ...runJobs };

/** Returns the job of a name. */
export const getPostgresJob = <Name extends JobName>(name: Name): PostgresJobs[Name] => postgresJobs[name];
