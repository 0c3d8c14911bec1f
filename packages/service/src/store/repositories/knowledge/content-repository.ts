import type {
	ContentRepository,
	DocumentContents,
	StoredContent,
} from "../../../knowledge/repositories/content-repository";
import type { Database } from "../../database";
import type { WorkspaceTables } from "../../workspace-tables";
import { findKnowledgeBaseNumber } from "./document-repository";

/** Files and texts of a workspace, in its tables. */
export const createContentRepository = ({
	read,
	readJob,
}: Pick<Database<WorkspaceTables>, "read" | "readJob">): ContentRepository => ({
	async find(knowledgeBase, document) {
		const number = await findKnowledgeBaseNumber(read, knowledgeBase);
		if (number === undefined) return "no_knowledge_base";
		const row = await read
			.selectFrom("documents")
			.leftJoin("contents as originals", "originals.number", "documents.original_content")
			.leftJoin("contents as texts", "texts.number", "documents.text_content")
			.select(["title", "file_name", "format", "status", "original_content", "text_content"])
			.select(["originals.size as original_size", "originals.sha256 as original_sha256"])
			.select(["texts.size as text_size", "texts.sha256 as text_sha256"])
			.where("id", "=", document)
			.where("knowledge_base", "=", number)
			.executeTakeFirst();
		if (row === undefined) return "no_document";
		const { title, file_name, format, status } = row;
		return {
			...{ title, file_name, format, status },
			original: toStoredContent(row.original_content, row.original_size, row.original_sha256),
			text: toStoredContent(row.text_content, row.text_size, row.text_sha256),
		} satisfies DocumentContents;
	},
	read: (content, position) => readJob("readContentChunk", { content, position }),
	findTextRange: (range) => readJob("findTextRange", range),
});

const toStoredContent = (
	number: number | null,
	size: number | null,
	sha256: string | null,
): StoredContent | null =>
	number === null || size === null || sha256 === null ? null : { number, size, sha256 };
