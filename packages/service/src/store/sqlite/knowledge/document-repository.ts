import type { Kysely, Selectable } from "kysely";
import type {
	DocumentRepository,
	DocumentText,
	StoredDocument,
} from "../../../knowledge/repositories/document-repository";
import type { Database } from "../../database";
import { parseColumn } from "../../json-column";
import type { WorkspaceTables } from "../../workspace-tables";
import type { DocumentTable } from "./knowledge-tables";

/** Documents in the SQLite file of a workspace. */
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
	async list(knowledgeBase, { limit, after = "", status, source }) {
		const number = await findKnowledgeBaseNumber(read, knowledgeBase);
		if (number === undefined) return "no_knowledge_base";
		let query = selectDocuments(read).where("knowledge_base", "=", number).where("id", ">", after);
		if (status !== undefined) query = query.where("status", "=", status);
		if (source !== undefined) query = query.where("source", "=", source);
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
	delete: (knowledgeBase, id) => writeJob("deleteDocument", { knowledgeBase, id }),
});

const COLUMNS = [
	...(["id", "title", "source", "format", "status", "error", "size_bytes"] as const),
	...(["content_sha256", "passage_count", "metadata", "created_at", "updated_at"] as const),
] as const;

const selectDocuments = (read: Kysely<WorkspaceTables>) => read.selectFrom("documents").select(COLUMNS);

const toStoredDocument = ({
	error,
	metadata,
	...row
}: Pick<Selectable<DocumentTable>, (typeof COLUMNS)[number]>): StoredDocument => ({
	...row,
	error: error === null ? null : parseColumn(error),
	metadata: parseColumn(metadata),
});

async function findKnowledgeBaseNumber(
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
			"passages.text",
		])
		.where("documents.id", "=", id)
		.where("knowledge_bases.deleted_at", "is", null)
		.orderBy("passages.number")
		.limit(limit)
		.execute();

function toStoredPassage(row: TextRow): DocumentText["passages"] {
	const { page, heading, start_offset, end_offset, text } = row;
	if (text === null || start_offset === null || end_offset === null) return [];
	return [{ page, heading, start_offset, end_offset, text }];
}
