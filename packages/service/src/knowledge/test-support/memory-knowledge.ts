import { createHash } from "node:crypto";
import { readDocument } from "@stemma/documents/read-document";
import { openMemoryDatabase } from "../../http/test-support/memory-database";
import type { Database } from "../../store/database";
import type { JobFile } from "../../store/job-file";
import { createKnowledgeRepositories } from "../../store/repositories/knowledge/knowledge-repositories";
import { type FileDatabase, openFileDatabase } from "../../store/test-support/file-database";
import { type WorkspaceTables, workspaceMigrations } from "../../store/workspace-tables";
import { encodeText } from "../ingest/encode-text";
import { encodePassages } from "../ingest/encoded-passages";
import { type DocumentReader, isExternalFormat } from "../ingest/reading/document-reader";
import { createKnowledge, type Knowledge, type KnowledgeOptions } from "../knowledge";
import type { KnowledgeRepositories } from "../repositories/knowledge-repositories";
import type { PassageRepository } from "../repositories/passage-repository";

export type VectorDatabase = FileDatabase<WorkspaceTables>;

/** The tables of a workspace in memory. */
export const openKnowledgeDatabase = (): Database<WorkspaceTables> & { readonly file: JobFile } =>
	openMemoryDatabase(workspaceMigrations);

/** The same in a file that can be searched by vectors; it is to be closed. */
export const openVectorDatabase = (): VectorDatabase => openFileDatabase(workspaceMigrations);

/** Reads in this thread. */
export const inProcessReader: DocumentReader = {
	async read({ format, ...file }, { onStart } = {}) {
		await onStart?.();
		const content = await readDocument({ ...file, format: isExternalFormat(format) ? "text" : format });
		const text = content.text === null ? null : await encodeText(content.text);
		const attachments = content.attachments.map((attachment) => ({
			...attachment,
			sha256: createHash("sha256").update(attachment.bytes).digest("hex"),
		}));
		return { ...content, passages: [...encodePassages(content.passages)], text, attachments };
	},
	stop: async () => undefined,
};

/** Repositories over a database, in which some operations on passages are replaced. */
export function withPassages(
	database: Database<WorkspaceTables>,
	replace: (passages: PassageRepository) => Partial<PassageRepository>,
): KnowledgeRepositories {
	const repositories = createKnowledgeRepositories(database);
	return { ...repositories, passages: { ...repositories.passages, ...replace(repositories.passages) } };
}

/** Knowledge over a database, with its queue at work. */
export async function startKnowledge(
	database: Database<WorkspaceTables>,
	reader: DocumentReader = inProcessReader,
	options: Partial<KnowledgeOptions> = {},
): Promise<Knowledge> {
	const repositories = createKnowledgeRepositories(database);
	const knowledge = createKnowledge({ repositories, reader, ...options });
	await knowledge.start();
	return knowledge;
}
