import type { Kysely } from "kysely";
import type {
	ClaimedSync,
	NewSync,
	StoredSync,
	SyncEnd,
	SyncRepository,
} from "../../../sources/repositories/sync-repository";
import { ownClaims, type WorkClaims } from "../../claims/work-claims";
import type { Database } from "../../database";
import { parseColumn } from "../../json-column";
import type { WorkspaceTables } from "../../workspace-tables";
import { MAX_KEPT_SYNCS, NO_COUNTS } from "./sync-report";
import { type SyncRow, toStoredSync } from "./sync-rows";

/** Syncs of a workspace, in its tables. */
export const createSyncRepository = (
	{ read, write, writeJob }: Database<WorkspaceTables>,
	claims: Pick<WorkClaims, "isUnclaimed"> = ownClaims,
): SyncRepository => ({
	create: (sync) => write.transaction().execute((transaction) => createSync(transaction, sync)),
	async list(source, { limit, after }) {
		const rows = await read
			.selectFrom("source_syncs")
			.innerJoin("sources", "sources.number", "source_syncs.source")
			.selectAll("source_syncs")
			.where("sources.id", "=", source)
			.$if(after !== undefined, (query) => query.where("source_syncs.id", "<", after ?? ""))
			.orderBy("source_syncs.number", "desc")
			.limit(limit)
			.execute();
		return rows.map((row) => toStoredSync(row, source));
	},
	async listActive() {
		const rows = await read
			.selectFrom("source_syncs")
			.select("id")
			.where("status", "in", ["queued", "running"])
			.where(claims.isUnclaimed("sync", "source_syncs.id"))
			.orderBy("number")
			.execute();
		return rows.map(({ id }) => id);
	},
	claim: (sync, now) => write.transaction().execute((transaction) => claimSync(transaction, sync, now)),
	async findItem(source, key) {
		const row = await read
			.selectFrom("source_items")
			.innerJoin("sources", "sources.number", "source_items.source")
			.innerJoin("documents", "documents.number", "source_items.document")
			.select("version")
			.where("sources.id", "=", source)
			.where("key", "=", key)
			.executeTakeFirst();
		return row && { key, version: row.version };
	},
	storeItems: (input) => writeJob("storeSourceItems", input),
	markUnchanged: (sync) => writeJob("markUnchangedItems", { sync }),
	removeMissing: (sync, now) => writeJob("removeMissingItems", { sync, now }),
	end: (end) => write.transaction().execute((transaction) => endSync(transaction, end)),
});

/** Creates a sync of a source, or finds the one that is not over yet. Undefined for a source that is not there. */
async function createSync(
	transaction: Kysely<WorkspaceTables>,
	{ id, source, isForced, now }: NewSync,
): Promise<StoredSync | undefined> {
	const found = await transaction
		.updateTable("sources")
		.set({ next_sync_at: null })
		.where("id", "=", source)
		.where("deleted_at", "is", null)
		.returning("number")
		.executeTakeFirst();
	if (found === undefined) return undefined;
	const active = await transaction
		.selectFrom("source_syncs")
		.selectAll()
		.where("source", "=", found.number)
		.where("status", "in", ["queued", "running"])
		.executeTakeFirst();
	if (active === undefined) {
		const created = await transaction
			.insertInto("source_syncs")
			.values({ ...toNewRow(id, now), source: found.number, is_forced: isForced ? 1 : 0 })
			.returningAll()
			.executeTakeFirstOrThrow();
		return toStoredSync(created, source);
	}
	if (isForced)
		await transaction
			.updateTable("source_syncs")
			.set({ is_forced: 1 })
			.where("number", "=", active.number)
			.execute();
	return toStoredSync(active, source);
}

async function claimSync(
	transaction: Kysely<WorkspaceTables>,
	sync: string,
	now: number,
): Promise<ClaimedSync | undefined> {
	const row = await transaction
		.selectFrom("source_syncs")
		.innerJoin("sources", "sources.number", "source_syncs.source")
		.innerJoin("knowledge_bases", "knowledge_bases.number", "sources.knowledge_base")
		.select(["source_syncs.number", "source_syncs.counts", "source_syncs.started_at"])
		.select(["sources.id as source", "settings", "credential", "every_minutes", "failures"])
		.select(["scan_state", "sources.number as sourceNumber"])
		.where("source_syncs.id", "=", sync)
		.where("status", "in", ["queued", "running"])
		.where("sources.deleted_at", "is", null)
		.where("knowledge_bases.deleted_at", "is", null)
		.executeTakeFirst();
	if (row === undefined) return undefined;
	// What failed or was skipped before an interruption is found again.
	const counts = { ...parseColumn(row.counts), skipped: 0, failed: 0 };
	await transaction
		.updateTable("source_syncs")
		.set({ status: "running", started_at: row.started_at ?? now })
		.set({ counts: JSON.stringify(counts), issues: "[]" })
		.where("number", "=", row.number)
		.execute();
	const { source, sourceNumber, credential, every_minutes: everyMinutes, failures, scan_state } = row;
	const isWhole = scan_state !== null && !(await hasItemWithoutDocument(transaction, sourceNumber));
	return {
		...{ id: sync, source, settings: parseColumn(row.settings), credential, everyMinutes, failures },
		scanState: isWhole ? scan_state : null,
	};
}

async function endSync(
	transaction: Kysely<WorkspaceTables>,
	{ sync, status, error, scanState, nextSyncAt, now }: SyncEnd,
): Promise<boolean> {
	const row = await transaction
		.updateTable("source_syncs")
		.set({ status, error: error && JSON.stringify(error), ended_at: now })
		.where("id", "=", sync)
		.where("status", "in", ["queued", "running"])
		.returning(["source", "number"])
		.executeTakeFirst();
	if (row === undefined) return false;
	await transaction
		.updateTable("sources")
		.set(({ eb }) => ({
			next_sync_at: nextSyncAt,
			...(scanState !== undefined && { scan_state: scanState }),
			...(status !== "cancelled" && { failures: status === "failed" ? eb("failures", "+", 1) : 0 }),
		}))
		.where("number", "=", row.source)
		.where("deleted_at", "is", null)
		.execute();
	await transaction
		.deleteFrom("source_syncs")
		.where("source", "=", row.source)
		.where("number", "not in", (query) =>
			query
				.selectFrom("source_syncs")
				.select("number")
				.where("source", "=", row.source)
				.orderBy("number", "desc")
				.limit(MAX_KEPT_SYNCS),
		)
		.execute();
	return true;
}

const toNewRow = (id: string, now: number): Omit<SyncRow, "number" | "source" | "is_forced"> => ({
	...{ id, status: "queued", error: null, counts: JSON.stringify(NO_COUNTS), bytes_read: 0, issues: "[]" },
	...{ created_at: now, started_at: null, ended_at: null },
});

/** Checks whether a document of a source was deleted by hand. */
async function hasItemWithoutDocument(connection: Kysely<WorkspaceTables>, source: number): Promise<boolean> {
	const row = await connection
		.selectFrom("source_items")
		.leftJoin("documents", "documents.number", "source_items.document")
		.select("key")
		.where("source_items.source", "=", source)
		.where("documents.number", "is", null)
		.executeTakeFirst();
	return row !== undefined;
}
