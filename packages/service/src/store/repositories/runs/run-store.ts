import type { EventRecord, RunHead, RunStore } from "@stemma/runs";
import type { Kysely } from "kysely";
import type { Database } from "../../database";
import type { WorkspaceTables } from "../../workspace-tables";

/** Events and states of runs of a workspace. */
export const createRunStore = ({ read, write, writeJob }: Database<WorkspaceTables>): RunStore => ({
	append: (batch) => writeJob("appendEvents", batch),
	async readEvents(runId, after, limit) {
		const rows = await read
			.selectFrom("run_events")
			.select(["seq", "event"])
			.where("run_id", "=", runId)
			.where("seq", ">", after)
			.orderBy("seq")
			.limit(limit)
			.execute();
		return rows.map(({ seq, event }) => ({ seq, type: readType(event), json: event }));
	},
	findHead: (runId) => findHead(read, runId),
	async claimPaused(runId) {
		const { numUpdatedRows } = await write
			.updateTable("runs")
			.set({ status: "running" })
			.where("id", "=", runId)
			.where("status", "=", "paused")
			.executeTakeFirst();
		return numUpdatedRows > 0n;
	},
	async loadState(runId) {
		const row = await read
			.selectFrom("run_states")
			.select(["state", "setting"])
			.where("run_id", "=", runId)
			.executeTakeFirst();
		return row && { state: row.state, resumeContext: row.setting };
	},
});

/** Finds the head of a run, also in the transaction that depends on it. */
export async function findHead(
	queries: Kysely<WorkspaceTables>,
	runId: string,
): Promise<RunHead | undefined> {
	const row = await queries
		.selectFrom("runs")
		.select(["status", "last_seq"])
		.where("id", "=", runId)
		.executeTakeFirst();
	return row && { status: row.status, lastSeq: row.last_seq };
}

/** Reads the type of an event out of its text, where it is nearly always the first field. */
const readType = (json: string): EventRecord["type"] =>
	(/^\{"type":"([\w.]+)"/.exec(json)?.[1] ?? JSON.parse(json).type) as EventRecord["type"];
