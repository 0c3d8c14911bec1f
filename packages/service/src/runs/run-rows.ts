import type { RunRecord } from "@stemma/client";
import type { Json, JsonObject, ReceiptRow, RunResult } from "@stemma/core";
import { parseEvent } from "@stemma/runs";
import type { Selectable } from "kysely";
import type { Database } from "../store/database";
import type { WorkspaceTables } from "../store/workspace-tables";
import { readEvents } from "./events/sqlite-run-store";
import type { RunTables } from "./run-tables";

/** Row of a run in the store. */
export type RunRow = Selectable<RunTables["runs"]>;

/** Filter and page for a list of runs. */
export interface RunListOptions {
	readonly limit: number;
	/** The id of the last run of the page before; lists begin with the newest. */
	readonly after?: string | undefined;
	readonly agentId?: string | undefined;
	readonly status?: RunRow["status"] | undefined;
	readonly startedBy?: string | undefined;
}

export function findRun({ read }: Database<WorkspaceTables>, id: string): Promise<RunRow | undefined> {
	return read.selectFrom("runs").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Lists runs, latest first: up to one more than `limit`, so that the caller knows whether there are more. */
export function listRuns(
	{ read }: Database<WorkspaceTables>,
	{ limit, after, agentId, status, startedBy }: RunListOptions,
): Promise<RunRow[]> {
	return read
		.selectFrom("runs")
		.selectAll()
		.$if(after !== undefined, (query) => query.where("id", "<", after ?? ""))
		.$if(agentId !== undefined, (query) =>
			query.where(agentId?.startsWith("ag_") ? "agent_id" : "agent_slug", "=", agentId ?? ""),
		)
		.$if(status !== undefined, (query) => query.where("status", "=", status ?? "running"))
		.$if(startedBy !== undefined, (query) => query.where("started_by", "=", startedBy ?? ""))
		.orderBy("id", "desc")
		.limit(limit + 1)
		.execute();
}

/** Converts the input and context of a run to a row of `run_inputs`. */
export const toInputRow = (runId: string, input: Json, context: JsonObject) => ({
	run_id: runId,
	input: JSON.stringify(input),
	context: JSON.stringify(context),
});

/** Reads the input and context of a run; `undefined` for runs of earlier versions, which did not store them. */
export async function readInput(
	{ read }: Database<WorkspaceTables>,
	runId: string,
): Promise<RunInputs | undefined> {
	const row = await read
		.selectFrom("run_inputs")
		.select(["input", "context"])
		.where("run_id", "=", runId)
		.executeTakeFirst();
	return row && { input: JSON.parse(row.input) as Json, context: JSON.parse(row.context) as JsonObject };
}

export type RunInputs = Pick<RunRecord, "input" | "context">;

/** The result in the last event of a run that has ended. */
export async function readResult(
	database: Database<WorkspaceTables>,
	row: RunRow,
): Promise<RunResult | undefined> {
	const [record] = await readEvents(database, row.id, row.last_seq - 1, 1);
	const last = record && parseEvent(record);
	return last !== undefined && "result" in last ? last.result : undefined;
}

export async function readReceipts(
	{ read }: Database<WorkspaceTables>,
	runId: string,
): Promise<ReceiptRow[]> {
	const rows = await read
		.selectFrom("receipts")
		.select("receipt")
		.where("run_id", "=", runId)
		.orderBy("number")
		.execute();
	return rows.map(({ receipt }) => JSON.parse(receipt) as ReceiptRow);
}

export function toRunRecord(row: RunRow, result?: RunResult, inputs?: RunInputs): RunRecord {
	return {
		id: row.id,
		run_id: row.id,
		agent_id: row.agent_id,
		agent_slug: row.agent_slug,
		agent_version: row.agent_version,
		status: row.status,
		background: row.background === 1,
		created_at: new Date(row.created_at).toISOString(),
		ended_at: row.ended_at === null ? null : new Date(row.ended_at).toISOString(),
		last_seq: row.last_seq,
		...inputs,
		...(result === undefined ? {} : { result }),
	};
}
