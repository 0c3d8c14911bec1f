import type { Kysely, Selectable } from "kysely";
import type { StoredSync } from "../../../sources/repositories/sync-repository";
import { parseColumn } from "../../json-column";
import type { SourceSyncTable } from "../../sqlite/sources/source-tables";
import type { WorkspaceTables } from "../../workspace-tables";

/** Rows of syncs, as they are read. */
export type SyncRow = Selectable<SourceSyncTable>;

export const toStoredSync = (row: SyncRow, source_id: string): StoredSync => ({
	id: row.id,
	source_id,
	status: row.status,
	error: row.error === null ? null : parseColumn(row.error),
	counts: parseColumn(row.counts),
	bytes: row.bytes_read,
	issues: parseColumn(row.issues),
	created_at: row.created_at,
	started_at: row.started_at,
	ended_at: row.ended_at,
});

/** Finds the newest sync of each of some sources, by the source's number. */
export async function findLastSyncs(
	read: Kysely<WorkspaceTables>,
	sources: readonly { readonly number: number; readonly id: string }[],
): Promise<ReadonlyMap<number, StoredSync>> {
	const ids = new Map(sources.map(({ number, id }) => [number, id]));
	const rows = await read
		.selectFrom("source_syncs")
		.selectAll()
		.where("source", "in", [...ids.keys()])
		.where("number", "=", (query) =>
			query
				.selectFrom("source_syncs as later")
				.select(({ fn }) => fn.max("later.number").as("last"))
				.whereRef("later.source", "=", "source_syncs.source"),
		)
		.execute();
	return new Map(rows.map((row) => [row.source, toStoredSync(row, ids.get(row.source) ?? "")]));
}
