import type { RunInsertion, RunRepository } from "../../../runs/repositories/run-repository";
import type { StoredRun } from "../../../runs/stored-run";
import { ownClaims, type WorkClaims } from "../../claims/work-claims";
import type { Database } from "../../database";
import { parseColumn } from "../../json-column";
import type { RunRow } from "../../sqlite/runs/run-tables";
import type { WorkspaceTables } from "../../workspace-tables";
import { isVisibleTo } from "../access/visible-sql";
import { findRequest, replaceRecord } from "../idempotency-repository";
import { insertClaimed } from "./insert-run";
import { createRunStore } from "./run-store";

const LIMITED_ROWS = { table: "runs", owner: "started_by" } as const;

/** Runs of a workspace. */
export const createRunRepository = (
	database: Database<WorkspaceTables>,
	claims: WorkClaims = ownClaims,
): RunRepository => {
	const { read, write } = database;
	return {
		...createRunStore(database, claims),
		insert: (run, admit, request) =>
			insertClaimed({ write, claims }, run, admit, async (transaction, insert): Promise<RunInsertion> => {
				const stored = request && (await findRequest(transaction, request, run.created_at));
				if (stored?.reference != null) return { kind: "existing", runId: stored.reference, request: stored };
				await insert();
				await replaceRecord(transaction, request);
				return { kind: "new" };
			}),
		countElsewhere: async () => (claims.isShared ? claims.countRunsElsewhere(read) : undefined),
		async find(id) {
			const row = await read.selectFrom("runs").selectAll().where("id", "=", id).executeTakeFirst();
			return row && toStoredRun(row);
		},
		list: (filter) => listRuns(read, filter),
		async isVisible(id, userId) {
			const found = await read
				.selectFrom("runs")
				.select("id")
				.where("id", "=", id)
				.where(isVisibleTo(read, LIMITED_ROWS, userId))
				.executeTakeFirst();
			return found !== undefined;
		},
		listIds: (status) => listIds(read, status),
		claimInterrupted: async () =>
			claims.isShared ? claims.claimInterruptedRuns() : listIds(read, "running"),
		isOwn: (id) => claims.isOwn({ kind: "run", id }),
		requestCancel: (id) => claims.requestCancel({ kind: "run", id }),
		async findInputs(id) {
			const row = await read
				.selectFrom("run_inputs")
				.select(["input", "context"])
				.where("run_id", "=", id)
				.executeTakeFirst();
			return row && { input: parseColumn(row.input), context: parseColumn(row.context) };
		},
		async listReceipts(id) {
			const rows = await read
				.selectFrom("receipts")
				.select("receipt")
				.where("run_id", "=", id)
				.orderBy("number")
				.execute();
			return rows.map(({ receipt }) => parseColumn(receipt));
		},
	};
};

/** Lists runs, newest first. */
async function listRuns(
	read: Database<WorkspaceTables>["read"],
	{
		limit,
		after,
		agent,
		status,
		since,
		until,
		startedBy,
		withoutAgents = [],
		visibleTo,
	}: Parameters<RunRepository["list"]>[0],
): Promise<StoredRun[]> {
	const rows = await read
		.selectFrom("runs")
		.selectAll()
		.$if(after !== undefined, (query) => query.where("id", "<", after ?? ""))
		.$if(agent !== undefined, (query) =>
			query.where(agent?.startsWith("ag_") ? "agent_id" : "agent_slug", "=", agent ?? ""),
		)
		.$if(status !== undefined, (query) => query.where("status", "=", status ?? "running"))
		.$if(since !== undefined, (query) => query.where("created_at", ">=", since ?? 0))
		.$if(until !== undefined, (query) => query.where("created_at", "<", until ?? 0))
		.$if(startedBy !== undefined, (query) => query.where("started_by", "=", startedBy ?? ""))
		.$if(withoutAgents.length > 0, (query) => query.where("agent_id", "not in", withoutAgents))
		.$if(visibleTo !== undefined, (query) => query.where(isVisibleTo(read, LIMITED_ROWS, visibleTo ?? "")))
		.orderBy("id", "desc")
		.limit(limit + 1)
		.execute();
	return rows.map(toStoredRun);
}

async function listIds(
	read: Database<WorkspaceTables>["read"],
	status: StoredRun["status"],
): Promise<readonly string[]> {
	const rows = await read.selectFrom("runs").select("id").where("status", "=", status).execute();
	return rows.map(({ id }) => id);
}

const toStoredRun = ({ background, limits: _, ...run }: RunRow): StoredRun => ({
	...run,
	background: background === 1,
});
