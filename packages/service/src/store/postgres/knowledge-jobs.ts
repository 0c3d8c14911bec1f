import type { PostgresJobs } from "./postgres-job";

/** Jobs of knowledge bases, documents, sources, word search and vectors. */
export const knowledgeJobs = {} satisfies Partial<PostgresJobs>;
