import { readDocument } from "@stemma/documents/read-document";
import { openMemoryDatabase } from "../../http/test-support/memory-database";
import type { Database } from "../../store/database";
import type { JobFile } from "../../store/job-file";
import { type FileDatabase, openFileDatabase } from "../../store/test-support/file-database";
import type { DocumentReader } from "../ingest/document-reader";
import { createKnowledge, type Knowledge, type KnowledgeOptions } from "../knowledge";
import { type KnowledgeTables, knowledgeTablesSql } from "../knowledge-tables";

export type VectorDatabase = FileDatabase<KnowledgeTables>;

/** The tables of a workspace's knowledge in memory. */
export const openKnowledgeDatabase = (): Database<KnowledgeTables> & { readonly file: JobFile } =>
	openMemoryDatabase([knowledgeTablesSql]);

/** The same in a file that can be searched by vectors; it is to be closed. */
export const openVectorDatabase = (): VectorDatabase => openFileDatabase([knowledgeTablesSql]);

/** Reads in this thread. */
export const inProcessReader: DocumentReader = {
	async read(upload, { onStart } = {}) {
		await onStart?.();
		return readDocument(upload);
	},
	stop: async () => undefined,
};

/** Knowledge over a database, with its queue at work. */
export async function startKnowledge(
	database: Database<KnowledgeTables>,
	reader: DocumentReader = inProcessReader,
	options: Partial<KnowledgeOptions> = {},
): Promise<Knowledge> {
	const knowledge = createKnowledge({ database, reader, ...options });
	await knowledge.start();
	return knowledge;
}
