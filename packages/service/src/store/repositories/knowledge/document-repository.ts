import type { Kysely, Selectable } from "kysely";
import type {
	DocumentRepository,
	DocumentText,
	StoredDocument,
} from "../../../knowledge/repositories/document-repository";
import type { Database } from "../../database";
import { parseColumn } from "../../json-column";
import type { DocumentTable } from "../../sqlite/knowledge/knowledge-tables";
import type { WorkspaceTables } from "../../workspace-tables";
import { parsePlace } from "./passage-place";

/** Documents of a workspace, in its tables. */
export const createDocumentRepository = ({
	read,
	writeJob,
}: Database<WorkspaceTables>): DocumentRepository => ({
	async add(input) {
		const added = await writeJob("addDocuments", input);
		if (typeof added === "string" || "pinned" in added) return added;
		const rows = await selectDocuments(read).where("id", "in", added.ids).execute();
		const byId = new Map(rows.map((row) => [row.id, toStoredDocument(row)]));
		return { documents: added.ids.flatMap((id) => byId.get(id) ?? []) };
	},
	async list(knowledgeBase, { limit, after = "", status, source, parent_id }) {
		const number = await findKnowledgeBaseNumber(read, knowledgeBase);
		if (number === undefined) return "no_knowledge_base";
		let query = selectDocuments(read).where("knowledge_base", "=", number).where("id", ">", after);
		if (status !== undefined) query = query.where("status", "=", status);
		if (source !== undefined) query = query.where("source", "=", source);
		if (parent_id !== undefined)
			query = query.where("parent", "=", ({ selectFrom }) =>
				selectFrom("documents as parents").select("parents.number").where("parents.id", "=", parent_id),
			);
		return (await query.orderBy("id").limit(limit).execute()).map(toStoredDocument);
	},
	async find(knowledgeBase, id) {
		const number = await findKnowledgeBaseNumber(read, knowledgeBase);
		if (number === undefined) return "no_knowledge_base";
		const row = await selectDocuments(read)
			.where("id", "=", id)
			.where("knowledge_base", "=", number)
			.executeTakeFirst();
		return row === undefined ? "no_document" : toStoredDocument(row);
	},
	async findText(id, limit, ordinal) {
		const rows = await readText(read, id, limit, ordinal);
		const [first] = rows;
		if (first === undefined) return undefined;
		const { knowledge_base_id, title, source, metadata, status, passage_count } = first;
		const document = { knowledge_base_id, title, source, status, passage_count };
		return { ...document, metadata: parseColumn(metadata), passages: rows.flatMap(toStoredPassage) };
	},
	retry: (input) => writeJob("retryDocument", input),
	delete: (knowledgeBase, id) => writeJob("deleteDocument", { knowledgeBase, id }),
});

const COLUMNS = [
	...(["id", "title", "source", "format", "status", "error", "size_bytes"] as const),
	...(["content_sha256", "passage_count", "metadata", "created_at", "updated_at"] as const),
	...(["unread_pages"] as const),
] as const;

const selectDocuments = (read: Kysely<WorkspaceTables>) =>
	read
		.selectFrom("documents")
		.select(COLUMNS)
		.select("source_key")
		.select(({ selectFrom }) =>
			selectFrom("sources")
				.select("sources.id")
				.whereRef("sources.number", "=", "documents.source_number")
				.as("source_id"),
		)
		.select(({ selectFrom }) =>
			selectFrom("documents as parents")
				.select("parents.id")
				.whereRef("parents.number", "=", "documents.parent")
				.as("parent_id"),
		);

type DocumentRow = Pick<Selectable<DocumentTable>, (typeof COLUMNS)[number] | "source_key"> & {
	readonly source_id: string | null;
	readonly parent_id: string | null;
};

const toStoredDocument = ({
	error,
	metadata,
	source_id,
	source_key,
	parent_id,
	unread_pages,
	...row
}: DocumentRow): StoredDocument => ({
	...row,
	error: error === null ? null : parseColumn(error),
	metadata: parseColumn(metadata),
	...(source_id !== null && source_key !== null && { source_id, source_key }),
	...(parent_id !== null && { parent_id }),
	...(unread_pages !== null && { unread_pages: parseColumn(unread_pages) }),
});

/** Finds the number of a knowledge base by its id. */
export async function findKnowledgeBaseNumber(
	read: Kysely<WorkspaceTables>,
	id: string,
): Promise<number | undefined> {
	const row = await read
		.selectFrom("knowledge_bases")
		.select("number")
		.where("id", "=", id)
		.where("deleted_at", "is", null)
		.executeTakeFirst();
	return row?.number;
}

type TextRow = Awaited<ReturnType<typeof readText>>[number];

/** The document with its passages, or with one of them: in one query, so that they belong together. */
const readText = (read: Kysely<WorkspaceTables>, id: string, limit: number, ordinal: number | undefined) =>
	read
		.selectFrom("documents")
		.innerJoin("knowledge_bases", "knowledge_bases.number", "documents.knowledge_base")
		.leftJoin("passages", (join) => {
			const shown = join
				.onRef("passages.number", ">=", "documents.first_passage")
				.on(({ eb, ref }) =>
					eb("passages.number", "<", eb(ref("documents.first_passage"), "+", ref("documents.passage_count"))),
				);
			if (ordinal === undefined) return shown;
			return shown.on(({ eb, ref }) =>
				eb("passages.number", "=", eb(ref("documents.first_passage"), "+", eb.val(ordinal))),
			);
		})
		.select([
			"knowledge_bases.id as knowledge_base_id",
			"documents.title",
			"documents.source",
			"documents.metadata",
			"documents.status",
			"documents.passage_count",
			"passages.page",
			"passages.heading",
			"passages.start_offset",
			"passages.end_offset",
			"passages.file_place",
			"passages.text",
		])
		.where("documents.id", "=", id)
		.where("knowledge_bases.deleted_at", "is", null)
		.orderBy("passages.number")
		.limit(limit)
		.execute();

function toStoredPassage(row: TextRow): DocumentText["passages"] {
	const { page, heading, start_offset, end_offset, file_place, text } = row;
	if (text === null || start_offset === null || end_offset === null) return [];
	return [{ text, place: parsePlace({ page, heading, start_offset, end_offset, file_place }) }];
}
