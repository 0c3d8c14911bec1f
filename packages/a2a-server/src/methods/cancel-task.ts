import { A2aServerError } from "../a2a-server-error";
import { getId } from "../requests/params";
import { isTerminal } from "../tasks/task-states";
import { readProgress, toTask } from "../tasks/to-task";
import type { Call, MethodResult } from "./call";
import { findTask, quoteId } from "./find-task";

/** Stops the run. A task that is cancelled already is answered as it is, so that the call may be tried again. */
export async function cancelTask({ agent: { store }, params }: Call): Promise<MethodResult> {
	const record = await findTask(store, getId(params, "id"));
	const before = await readProgress(record);
	if (!isTerminal(before.status.state)) await store.cancel(record.taskId);
	const progress = isTerminal(before.status.state)
		? before
		: await readProgress(await findTask(store, record.taskId));
	const { state } = progress.status;
	if (isTerminal(state) && state !== "TASK_STATE_CANCELED")
		throw new A2aServerError(
			"TASK_NOT_CANCELABLE",
			`The task ${quoteId(record.taskId)} has ended (${state}), and cannot be cancelled.`,
		);
	return { value: toTask(record, progress) };
}
