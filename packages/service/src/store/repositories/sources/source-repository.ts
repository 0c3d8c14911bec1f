import type { Kysely, Selectable } from "kysely";
import type {
	SourceRepository,
	SourceState,
	StoredSource,
} from "../../../sources/repositories/source-repository";
import type { Database } from "../../database";
import { parseColumn } from "../../json-column";
import type { SourceTable } from "../../sqlite/sources/source-tables";
import type { WorkspaceTables } from "../../workspace-tables";
import { recordAudit } from "../audit-repository";
import { replaceRecord } from "../idempotency-repository";
import { countDocuments, NO_DOCUMENTS } from "../knowledge/count-documents";
import { findKnowledgeBaseNumber } from "../knowledge/document-repository";
import { findPushSource } from "./push-source";
import { findLastSyncs } from "./sync-rows";

type Connection = Kysely<WorkspaceTables>;
type Row = Selectable<SourceTable>;

/** Maximum number of sources whose sync one look at the schedule starts. */
const MAX_DUE = 100;

/** Sources of a workspace, in its tables. */
export const createSourceRepository = ({
	read,
	write,
	writeJob,
}: Database<WorkspaceTables>): SourceRepository => ({
	insert: (source, maxSources, records) =>
		write.transaction().execute(async (transaction) => {
			const outcome = await insertSource(transaction, source, maxSources);
			if (outcome !== "added") return outcome;
			await recordAudit(transaction, records.audit);
			await replaceRecord(transaction, records.request);
			return outcome;
		}),
	async find(knowledgeBase, id) {
		const number = await findKnowledgeBaseNumber(read, knowledgeBase);
		if (number === undefined) return "no_knowledge_base";
		const row = await selectSources(read, number).where("id", "=", id).executeTakeFirst();
		return row && (await addStates(read, knowledgeBase, [row]))[0];
	},
	async list(knowledgeBase, { limit, after = "" }) {
		const number = await findKnowledgeBaseNumber(read, knowledgeBase);
		if (number === undefined) return "no_knowledge_base";
		const rows = await selectSources(read, number)
			.where("id", ">", after)
			.orderBy("id")
			.limit(limit)
			.execute();
		return addStates(read, knowledgeBase, rows);
	},
	update: (id, { settings, ...change }, { audit, request }) =>
		write.transaction().execute(async (transaction) => {
			const { numUpdatedRows } = await transaction
				.updateTable("sources")
				.set({ ...change, ...(settings !== undefined && { settings: JSON.stringify(settings) }) })
				.where("id", "=", id)
				.where("deleted_at", "is", null)
				.executeTakeFirst();
			if (numUpdatedRows === 0n) return false;
			await recordAudit(transaction, audit);
			await replaceRecord(transaction, request);
			return true;
		}),
	delete: (id, keepsDocuments, now, audit) =>
		write.transaction().execute(async (transaction) => {
			if (!(await deleteSource(transaction, id, { keepsDocuments, now }))) return false;
			await recordAudit(transaction, audit);
			return true;
		}),
	async listDue(now) {
		const rows = await selectDue(read, now).execute();
		return rows.map(({ id }) => id);
	},
	sweep: () => writeJob("sweepSources", {}),
});

/** Inserts a source, where its knowledge base is there and has room for one more, and for pushed files has no other. */
async function insertSource(
	transaction: Connection,
	source: StoredSource,
	maxSources: number,
): Promise<"added" | "has_pushes" | "no_knowledge_base" | "too_many"> {
	const { knowledge_base_id, settings, ...columns } = source;
	const knowledge_base = await findKnowledgeBaseNumber(transaction, knowledge_base_id);
	if (knowledge_base === undefined) return "no_knowledge_base";
	if (settings.kind === "push" && (await findPushSource(transaction, knowledge_base_id)) !== undefined)
		return "has_pushes";
	if ((await countSources(transaction, knowledge_base)) >= maxSources) return "too_many";
	await transaction
		.insertInto("sources")
		.values({ ...columns, knowledge_base, settings: JSON.stringify(settings), deleted_at: null })
		.execute();
	return "added";
}

/** Marks a source as deleted and cancels its syncs. Returns whether it was there. */
async function deleteSource(
	transaction: Connection,
	id: string,
	{ keepsDocuments, now }: { readonly keepsDocuments: boolean; readonly now: number },
): Promise<boolean> {
	const row = await transaction
		.updateTable("sources")
		.set({ deleted_at: now, next_sync_at: null, keeps_documents: keepsDocuments ? 1 : 0 })
		.where("id", "=", id)
		.where("deleted_at", "is", null)
		.returning("number")
		.executeTakeFirst();
	if (row === undefined) return false;
	await transaction
		.updateTable("source_syncs")
		.set({ status: "cancelled", ended_at: now })
		.where("source", "=", row.number)
		.where("status", "in", ["queued", "running"])
		.execute();
	return true;
}

const selectSources = (read: Connection, knowledgeBase: number) =>
	read
		.selectFrom("sources")
		.selectAll()
		.where("knowledge_base", "=", knowledgeBase)
		.where("deleted_at", "is", null);

const selectDue = (read: Connection, now: number) =>
	read
		.selectFrom("sources")
		.innerJoin("knowledge_bases", "knowledge_bases.number", "sources.knowledge_base")
		.select("sources.id")
		.where("next_sync_at", "<=", now)
		.where("sources.deleted_at", "is", null)
		.where("knowledge_bases.deleted_at", "is", null)
		.orderBy("next_sync_at")
		.limit(MAX_DUE);

async function countSources(connection: Connection, knowledgeBase: number): Promise<number> {
	const row = await connection
		.selectFrom("sources")
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.where("knowledge_base", "=", knowledgeBase)
		.where("deleted_at", "is", null)
		.executeTakeFirst();
	return row?.count ?? 0;
}

async function addStates(
	read: Connection,
	knowledgeBase: string,
	rows: readonly Row[],
): Promise<SourceState[]> {
	if (rows.length === 0) return [];
	const numbers = rows.map(({ number }) => number);
	const counts = await countDocuments(read, "source_number", numbers);
	const syncs = await findLastSyncs(read, rows);
	return rows.map((row) => ({
		...toStoredSource(row, knowledgeBase),
		documents: counts.get(row.number) ?? NO_DOCUMENTS,
		last_sync: syncs.get(row.number) ?? null,
	}));
}

const toStoredSource = (row: Row, knowledge_base_id: string): StoredSource => ({
	id: row.id,
	knowledge_base_id,
	name: row.name,
	settings: parseColumn(row.settings),
	credential: row.credential,
	every_minutes: row.every_minutes,
	next_sync_at: row.next_sync_at,
	created_at: row.created_at,
	updated_at: row.updated_at,
});
