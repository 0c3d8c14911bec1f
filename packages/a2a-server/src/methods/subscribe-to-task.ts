import { A2aServerError } from "../a2a-server-error";
import { getId } from "../requests/params";
import { isTerminal } from "../tasks/task-states";
import { readProgress } from "../tasks/to-task";
import { assertStreaming } from "./assert-streaming";
import type { Call, MethodResult } from "./call";
import { findTask, quoteId } from "./find-task";
import { streamTask } from "./watch-task";

/** Method `SubscribeToTask`: the updates of a task that has not ended, as a stream. */
export async function subscribeToTask({ agent, params, signal }: Call): Promise<MethodResult> {
	assertStreaming(agent.card);
	const { store } = agent;
	const record = await findTask(store, getId(params, "id"));
	const progress = await readProgress(record);
	const { state } = progress.status;
	if (isTerminal(state))
		throw new A2aServerError(
			"UNSUPPORTED_OPERATION",
			`The task ${quoteId(record.taskId)} has ended (${state}).`,
			{
				hint: "Read it with GetTask.",
			},
		);
	return { stream: streamTask({ store, record, progress, signal }) };
}
