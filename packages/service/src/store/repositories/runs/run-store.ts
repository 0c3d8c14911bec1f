import { type EventRecord, type RunBatch, type RunHead, type RunStore, RunsLostError } from "@stemma/runs";
import type { Kysely } from "kysely";
import type { RunRepository } from "../../../runs/repositories/run-repository";
import { ownClaims, type WorkClaims } from "../../claims/work-claims";
import type { Database } from "../../database";
import type { WorkspaceTables } from "../../workspace-tables";

/** Events and states of runs of a workspace. */
export const createRunStore = (
	{ read, write, writeJob }: Database<WorkspaceTables>,
	claims: WorkClaims = ownClaims,
): Omit<RunStore, "claimPaused"> & Pick<RunRepository, "claimPaused"> => ({
	append: claims.isShared
		? (batch) => appendFenced(batch, claims, (fenced) => writeJob("appendEvents", fenced))
		: (batch) => writeJob("appendEvents", batch),
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
	claimPaused: (runId, lastSeq, admit) =>
		claims.isShared
			? claims.taking({ kind: "run", id: runId }, (take) =>
					write.transaction().execute(async (transaction) => {
						if (!(await markRunning(transaction, runId, lastSeq))) return false;
						admit?.(await claims.countRunsElsewhere(transaction));
						return take(transaction);
					}),
				)
			: markRunning(write, runId, lastSeq),
	async loadState(runId) {
		const row = await read
			.selectFrom("run_states")
			.select(["state", "setting"])
			.where("run_id", "=", runId)
			.executeTakeFirst();
		return row && { state: row.state, resumeContext: row.setting };
	},
});

/** Marks a paused run as running. Returns false where it does not wait any more, or has paused again. */
async function markRunning(
	queries: Kysely<WorkspaceTables>,
	runId: string,
	lastSeq: number,
): Promise<boolean> {
	const { numUpdatedRows } = await queries
		.updateTable("runs")
		.set({ status: "running" })
		.where("id", "=", runId)
		.where("status", "=", "paused")
		.where("last_seq", "=", lastSeq)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

/** Appends a batch under the claims of this instance. @throws RunsLostError */
async function appendFenced(
	{ events, receipts, states = [] }: RunBatch,
	claims: WorkClaims,
	append: (batch: RunBatch) => Promise<void>,
): Promise<void> {
	try {
		const fenced = claims.toFenced(events);
		await append({ events: fenced, receipts, states: claims.toFenced(states), writer: claims.owner });
		claims.forgetEnded(fenced);
		claims.notifyAppended(fenced);
	} catch (error) {
		if (error instanceof RunsLostError) claims.forgetLost(error.runIds);
		throw error;
	}
}

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
