import { sql } from "kysely";
import { ITEMS_PER_STEP, type MarkUnchangedInput } from "../../sqlite/sources/mark-unchanged-job";
import { startTally } from "../../sqlite/sources/running-sync";
import { ownRows } from "../own-rows-plugin";
import type { PostgresJob } from "../postgres-job";
import { findRunningSync, storeTally } from "./running-sync";

/** Marks some items of a source as found by its running sync, and counts them as unchanged. */
export const markUnchangedItems: PostgresJob<MarkUnchangedInput, "more" | "done" | "ended"> = async (
	transaction,
	{ sync: id },
) => {
	const sync = await findRunningSync(transaction, id);
	if (sync === undefined) return "ended";
	const tally = startTally(sync);
	const { numAffectedRows = 0n } = await sql`
		update source_items items set seen_sync = ${sync.number}, counted_sync = ${sync.number}
		where ${ownRows("items")} and items.source = ${sync.source} and items.key in (
			select others.key from source_items others
			where ${ownRows("others")} and others.source = ${sync.source} and others.counted_sync < ${sync.number}
			limit ${ITEMS_PER_STEP})`.execute(transaction);
	const marked = Number(numAffectedRows);
	tally.counts.unchanged += marked;
	await storeTally(transaction, sync, tally);
	return marked < ITEMS_PER_STEP ? "done" : "more";
};
