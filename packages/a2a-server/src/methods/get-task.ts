import { demandId, readHistoryLength } from "../requests/params";
import { readProgress, toTask } from "../tasks/to-task";
import type { Call, MethodAnswer } from "./call";
import { findTask } from "./find-task";

export async function getTask({ agent, params }: Call): Promise<MethodAnswer> {
	const historyLength = readHistoryLength(params);
	const record = await findTask(agent.store, demandId(params, "id"));
	return { value: toTask(record, await readProgress(record), { historyLength }) };
}
