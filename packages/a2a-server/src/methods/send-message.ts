import { readSendRequest } from "../requests/read-send-request";
import { formatResponse, formatStream } from "../tasks/format-output";
import { createTaskProgress } from "../tasks/task-progress";
import { readProgress, toTask } from "../tasks/to-task";
import { assertStreaming } from "./assert-streaming";
import type { Call, MethodResult } from "./call";
import { startTask } from "./start-task";
import { streamTask, waitUntilSettled } from "./watch-task";

/** Answers with the task once it has settled, or at once where that is asked. */
export async function sendMessage(call: Call): Promise<MethodResult> {
	const request = readSendRequest(call.params);
	const { record, progress = await readProgress(record) } = await startTask(call, request);
	const { signal, agent } = call;
	const settled = request.returnImmediately
		? progress
		: await waitUntilSettled({ store: agent.store, record, progress, signal });
	const { historyLength, outputFormat } = request;
	return { value: formatResponse({ task: toTask(record, settled, { historyLength }) }, outputFormat) };
}

export async function sendStreamingMessage(call: Call): Promise<MethodResult> {
	const request = readSendRequest(call.params);
	assertStreaming(call.agent.card);
	const started = await startTask(call, request);
	const { signal, agent } = call;
	const { record } = started;
	const { historyLength, outputFormat } = request;
	// All that a new task does is an update of its stream, however much of it is done by now.
	const progress = started.progress ?? createTaskProgress(record, record.createdAt);
	const stream = streamTask({ store: agent.store, record, progress, signal }, { historyLength });
	return { stream: formatStream(stream, outputFormat) };
}
