import { readSendRequest } from "../requests/read-send-request";
import { tailorResponse, tailorStream } from "../tasks/tailor-output";
import { createTaskProgress } from "../tasks/task-progress";
import { readProgress, toTask } from "../tasks/to-task";
import { assertStreaming } from "./assert-streaming";
import type { Call, MethodAnswer } from "./call";
import { startTask } from "./start-task";
import { settleTask, streamTask } from "./watch-task";

/** Answers with the task once it has settled, or at once where that is asked. */
export async function sendMessage(call: Call): Promise<MethodAnswer> {
	const request = readSendRequest(call.params);
	const { record, progress = await readProgress(record) } = await startTask(call, request);
	const { signal, agent } = call;
	const settled = request.returnImmediately
		? progress
		: await settleTask({ store: agent.store, record, progress, signal });
	const { historyLength, outputForm } = request;
	return { value: tailorResponse({ task: toTask(record, settled, { historyLength }) }, outputForm) };
}

export async function sendStreamingMessage(call: Call): Promise<MethodAnswer> {
	const request = readSendRequest(call.params);
	assertStreaming(call.agent.card);
	const started = await startTask(call, request);
	const { signal, agent } = call;
	const { record } = started;
	const { historyLength, outputForm } = request;
	// All that a new task does is an update of its stream, however much of it is done by now.
	const progress = started.progress ?? createTaskProgress(record, record.createdAt);
	const stream = streamTask({ store: agent.store, record, progress, signal }, { historyLength });
	return { stream: tailorStream(stream, outputForm) };
}
