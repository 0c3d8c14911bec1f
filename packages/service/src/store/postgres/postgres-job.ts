import type { Kysely, Transaction } from "kysely";
import type { JobInput, JobName, JobOutput } from "../jobs";
import type { WorkspaceTables } from "../workspace-tables";
import type { VocabularyCache } from "./knowledge/search/vocabulary-cache";
import type { CollectDocumentWords } from "./knowledge/word-index/word-collector";

/**
 * Work that runs whole in one transaction of a workspace: the counterpart of a job of `store/jobs.ts`, with the same
 * input, output and errors. Runs again from its start where the database asks for it, so it changes nothing elsewhere.
 */
export interface PostgresJob<Input, Output> {
	(
		transaction: Transaction<WorkspaceTables>,
		input: Input,
		/** Left out: what it reads is not remembered. */
		cache?: WorkspaceCache,
	): Promise<Output>;
	/**
	 * Computes ahead what needs no transaction and takes long: other writers need not wait for it.
	 *
	 * @returns the rest of the job.
	 */
	prepare?(
		read: Kysely<WorkspaceTables>,
		input: Input,
		collectWords: CollectDocumentWords,
	): Promise<(transaction: Transaction<WorkspaceTables>) => Promise<Output>>;
}

/** Memory of an instance, which its workspaces share. */
export interface WorkspaceCache {
	readonly workspaceId: string;
	readonly vocabularies: VocabularyCache;
}

/** Jobs of `store/jobs.ts` on Postgres, by name. */
export type PostgresJobs = {
	readonly [Name in JobName]: PostgresJob<JobInput<Name>, JobOutput<Name>>;
};
