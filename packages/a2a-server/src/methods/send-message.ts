import { readSendRequest } from "../requests/read-send-request";
import { createTaskProgress } from "../tasks/task-progress";
import { readProgress, toTask } from "../tasks/to-task";
import type { Call, MethodAnswer } from "./call";
import { startTask } from "./start-task";
import { settleTask, streamTask } from "./watch-task";

/** Answers with the task once it has settled, or at once where that is asked. */
export async function sendMessage(call: Call): Promise<MethodAnswer> {
	const request = readSendRequest(call.params);
	const { record } = await startTask(call, request);
	const { signal, agent } = call;
	const progress = await readProgress(record);
	const settled = request.returnImmediately
		? progress
		: await settleTask({ store: agent.store, record, progress, signal });
	return { value: { task: toTask(record, settled, { historyLength: request.historyLength }) } };
}

export async function sendStreamingMessage(call: Call): Promise<MethodAnswer> {
	const request = readSendRequest(call.params);
	const { record, isNew } = await startTask(call, request);
	const { signal, agent } = call;
	const { historyLength } = request;
	// All that a new task does is an update of its stream, however much of it is done by now.
	const progress = isNew ? createTaskProgress(record, record.createdAt) : await readProgress(record);
	return { stream: streamTask({ store: agent.store, record, progress, signal }, { historyLength }) };
}
