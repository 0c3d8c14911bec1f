import type { Kysely } from "kysely";
import type { NewRun } from "../../../runs/repositories/run-repository";
import type { WorkspaceTables } from "../../workspace-tables";
import { findRunLimits } from "../access/run-limits";
import { appendTurn } from "../threads/append-turn";

/** Writes a run with its inputs, and the message that it answers, in the transaction that stores what it is started for. */
export async function insertRun(
	transaction: Kysely<WorkspaceTables>,
	{ input, context, background, turn, ...run }: NewRun,
): Promise<void> {
	await transaction
		.insertInto("runs")
		.values({
			...run,
			background: background ? 1 : 0,
			limits: await findRunLimits(transaction, run.agent_id),
		})
		.execute();
	await transaction
		.insertInto("run_inputs")
		.values({ run_id: run.id, input: JSON.stringify(input), context: JSON.stringify(context) })
		.execute();
	if (turn !== undefined) await appendTurn(transaction, turn);
}
