import type { Kysely, Selectable } from "kysely";
import type {
	ChangeRecords,
	KnowledgeBaseRepository,
	KnowledgeBaseSelection,
	StoredKnowledgeBase,
} from "../../../knowledge/repositories/knowledge-base-repository";
import type { Queries } from "../../database";
import { parsePin } from "../../sqlite/knowledge/jobs/embedding-pins";
import type { KnowledgeBaseTable } from "../../sqlite/knowledge/knowledge-tables";
import type { WorkspaceTables } from "../../workspace-tables";
import { readAccess } from "../access/access-repository";
import { recordAudit } from "../audit-repository";
import { replaceRecord } from "../idempotency-repository";
import { countDocuments, NO_DOCUMENTS } from "./count-documents";

type Connection = Kysely<WorkspaceTables>;
type Row = Selectable<KnowledgeBaseTable>;

/** Knowledge bases of a workspace, in its tables. */
export const createKnowledgeBaseRepository = ({
	read,
	write,
}: Queries<WorkspaceTables>): KnowledgeBaseRepository => ({
	insert: (base, records) =>
		write.transaction().execute(async (transaction) => {
			const { id, slug, name, description, llm_provider, llm_model, created_at, updated_at } = base;
			const row = { id, slug, name, description, llm_provider, llm_model, created_at, updated_at };
			await transaction
				.insertInto("knowledge_bases")
				.values({ ...row, deleted_at: null })
				.execute();
			await writeRecords(transaction, records);
		}),
	async find(id) {
		const [base] = await addCounts(read, await selectRows(read, { ids: [id] }));
		return base;
	},
	listIds: (slugs) =>
		read
			.selectFrom("knowledge_bases")
			.select(["id", "slug"])
			.where("slug", "in", slugs)
			.where("deleted_at", "is", null)
			.execute(),
	async listSlugs(prefix) {
		const rows = await read
			.selectFrom("knowledge_bases")
			.select("slug")
			.where("slug", "like", `${prefix}%`)
			.where("deleted_at", "is", null)
			.execute();
		return rows.map(({ slug }) => slug);
	},
	async listOpenSlugs() {
		const rows = await read
			.selectFrom("knowledge_bases")
			.select("slug")
			.where("access", "is", null)
			.where("deleted_at", "is", null)
			.execute();
		return rows.map(({ slug }) => slug);
	},
	list: async (page) => addCounts(read, await selectRows(read, page)),
	listSummaries: async (selection) => (await selectRows(read, selection)).map(toStored),
	update: (id, update, records) =>
		write.transaction().execute(async (transaction) => {
			const isUpdated = await updateRow(transaction, id, update);
			if (isUpdated) await writeRecords(transaction, records);
			return isUpdated;
		}),
	delete: (id, now) => updateRow(write, id, { deleted_at: now }),
});

async function writeRecords(transaction: Connection, { audit, request }: ChangeRecords): Promise<void> {
	if (audit !== undefined) await recordAudit(transaction, audit);
	await replaceRecord(transaction, request);
}

async function updateRow(write: Connection, id: string, update: Partial<Row>): Promise<boolean> {
	const { numUpdatedRows } = await write
		.updateTable("knowledge_bases")
		.set(update)
		.where("id", "=", id)
		.where("deleted_at", "is", null)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

function selectRows(
	read: Connection,
	{ ids, without = [], after, limit }: KnowledgeBaseSelection,
): Promise<Row[]> {
	let query = read.selectFrom("knowledge_bases").selectAll().where("deleted_at", "is", null);
	if (ids !== undefined) query = query.where("id", "in", ids);
	if (without.length > 0) query = query.where("id", "not in", without);
	if (after !== undefined) query = query.where("id", ">", after);
	if (limit !== undefined) query = query.limit(limit);
	return query.orderBy("id").execute();
}

async function addCounts(read: Connection, rows: readonly Row[]): Promise<StoredKnowledgeBase[]> {
	if (rows.length === 0) return [];
	const counts = await countDocuments(
		read,
		"knowledge_base",
		rows.map(({ number }) => number),
	);
	return rows.map((row) => ({ ...toStored(row), documents: counts.get(row.number) ?? NO_DOCUMENTS }));
}

const toStored = ({
	number: _,
	deleted_at: __,
	has_word_index: ___,
	vector_slot: ____,
	access,
	embedding,
	...row
}: Row) => ({
	...row,
	...readAccess(access),
	embedding: parsePin(embedding),
});
