import type { PostgresJobs } from "./jobs";

/** Jobs of knowledge bases, documents, sources, word search and vectors. */
export const knowledgeJobs = {} satisfies Partial<PostgresJobs>;
