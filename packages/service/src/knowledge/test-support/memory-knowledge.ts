import { openMemoryDatabase } from "../../http/test-support/memory-database";
import type { Database } from "../../store/database";
import type { JobFile } from "../../store/jobs";
import type { DocumentReader } from "../document-reader";
import { createKnowledge, type Knowledge } from "../knowledge";
import { knowledgeJobs } from "../knowledge-jobs";
import { type KnowledgeTables, knowledgeTablesSql } from "../knowledge-tables";
import { readDocument } from "../read-document";

/** The tables of a workspace's knowledge in memory. */
export const openKnowledgeDatabase = (): Database<KnowledgeTables> & { readonly file: JobFile } =>
	openMemoryDatabase([knowledgeTablesSql], knowledgeJobs);

/** Reads in this thread. */
export const readerHere: DocumentReader = {
	read: async (upload) => readDocument(upload),
	stop: async () => undefined,
};

/** Knowledge over a database, with its queue at work. */
export async function startKnowledge(
	database: Database<KnowledgeTables>,
	reader: DocumentReader = readerHere,
): Promise<Knowledge> {
	const knowledge = createKnowledge({ database, reader });
	await knowledge.start();
	return knowledge;
}
