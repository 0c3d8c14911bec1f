import { getId, readHistoryLength } from "../requests/params";
import { readProgress, toTask } from "../tasks/to-task";
import type { Call, MethodResult } from "./call";
import { findTask } from "./find-task";

/** Method `GetTask`: one task by its id. */
export async function getTask({ agent, params }: Call): Promise<MethodResult> {
	const historyLength = readHistoryLength(params);
	const record = await findTask(agent.store, getId(params, "id"));
	return { value: toTask(record, await readProgress(record), { historyLength }) };
}
