import type { PostgresJobs } from "./postgres-job";

/** Jobs of runs, threads, responses, access, feedback, storage and usage. */
export const runJobs = {} satisfies Partial<PostgresJobs>;
