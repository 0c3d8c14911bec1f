import type { Kysely } from "kysely";
import type { AdmitRun, NewRun } from "../../../runs/repositories/run-repository";
import type { WorkClaims } from "../../claims/work-claims";
import type { Queries } from "../../database";
import type { WorkspaceTables } from "../../workspace-tables";
import { findRunLimits } from "../access/run-limits";
import { appendTurn } from "../threads/append-turn";

/** Options of inserting runs and claiming them. */
export interface RunInsertions extends Pick<Queries<WorkspaceTables>, "write"> {
	readonly claims: WorkClaims;
}

/**
 * Runs the transaction that stores a run for this instance with what it is started for.
 *
 * @param work - calls `insert` where there is no such run yet.
 */
export const insertClaimed = <Result>(
	{ write, claims }: RunInsertions,
	run: NewRun,
	admit: AdmitRun,
	work: (transaction: Kysely<WorkspaceTables>, insert: () => Promise<void>) => Promise<Result>,
): Promise<Result> =>
	claims.taking({ kind: "run", id: run.id }, (take) =>
		write.transaction().execute((transaction) =>
			work(transaction, async () => {
				admit(await claims.countRunsElsewhere(transaction));
				await insertRun(transaction, run);
				await take(transaction);
			}),
		),
	);

/** Writes a run with its inputs, and the message that it answers, in the transaction that stores what it is started for. */
async function insertRun(
	transaction: Kysely<WorkspaceTables>,
	{ input, context, background, turn, start, ...run }: NewRun,
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
	if (start !== undefined)
		await transaction
			.insertInto("run_states")
			.values({ run_id: run.id, state: start.state, setting: start.resumeContext })
			.execute();
	if (turn !== undefined) await appendTurn(transaction, turn);
}
