import type { EventRecord, RunStore } from "@stemma/runs";
import type { Database } from "../../store/database";
import type { WorkspaceTables } from "../../store/workspace-tables";

/** Store of the runs of one workspace, in its SQLite file. */
export const createSqliteRunStore = (database: Database<WorkspaceTables>): RunStore => ({
	append: (batch) => database.writeJob("appendEvents", batch),
	readEvents: (runId, after, limit) => readEvents(database, runId, after, limit),
	async findHead(runId) {
		const row = await database.read
			.selectFrom("runs")
			.select(["status", "last_seq"])
			.where("id", "=", runId)
			.executeTakeFirst();
		return row && { status: row.status, lastSeq: row.last_seq };
	},
	async claimPaused(runId) {
		const { numUpdatedRows } = await database.write
			.updateTable("runs")
			.set({ status: "running" })
			.where("id", "=", runId)
			.where("status", "=", "paused")
			.executeTakeFirst();
		return numUpdatedRows > 0n;
	},
	async loadState(runId) {
		const row = await database.read
			.selectFrom("run_states")
			.select(["state", "setting"])
			.where("run_id", "=", runId)
			.executeTakeFirst();
		return row && { state: row.state, resumeContext: row.setting };
	},
});

/** The events after a seq, in order, at most so many. */
export async function readEvents(
	{ read }: Pick<Database<WorkspaceTables>, "read">,
	runId: string,
	after: number,
	limit: number,
): Promise<EventRecord[]> {
	const rows = await read
		.selectFrom("run_events")
		.select(["seq", "event"])
		.where("run_id", "=", runId)
		.where("seq", ">", after)
		.orderBy("seq")
		.limit(limit)
		.execute();
	return rows.map(({ seq, event }) => ({ seq, type: readType(event), json: event }));
}

/** Reads the type of an event out of its text, where it is nearly always the first field. */
const readType = (json: string): EventRecord["type"] =>
	(/^\{"type":"([\w.]+)"/.exec(json)?.[1] ?? JSON.parse(json).type) as EventRecord["type"];
