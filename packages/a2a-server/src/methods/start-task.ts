import type { A2aMessage } from "@stemma/client/a2a";
import { A2aServerError, invalidParam } from "../a2a-server-error";
import { resolveRunInput } from "../conversation/resolve-run-input";
import { createRandomId } from "../create-random-id";
import type { SendRequest } from "../requests/read-send-request";
import type { TaskRecord, TaskStore } from "../task-store";
import { isTerminal } from "../tasks/task-states";
import { readProgress } from "../tasks/to-task";
import type { Call } from "./call";
import { findTask, quoteId } from "./find-task";
import { demandPushConfigs } from "./push-configs";

/** The task of a message: a new one, or the one that the same message has started before. */
export async function startTask(
	{ agent: { store, card }, extensions }: Call,
	{ message, pushConfig }: SendRequest,
): Promise<TaskRecord> {
	demandExtensions(card.capabilities.extensions ?? [], extensions);
	if (pushConfig !== undefined) demandPushConfigs(store);
	const { taskId } = message;
	const known = await store.findByMessage(message.messageId);
	if (known !== undefined && (taskId === undefined || taskId === known.taskId)) return known;
	if (taskId !== undefined) throw await explainContinuation(store, taskId, message);
	return store.start({
		message,
		contextId: message.contextId ?? store.createContextId?.() ?? createRandomId("ctx"),
		input: await resolveRunInput(store, message),
		pushConfig: pushConfig && { ...pushConfig, id: pushConfig.id ?? createRandomId("push") },
	});
}

function demandExtensions(
	offered: readonly { readonly uri: string; readonly required?: boolean }[],
	declared: readonly string[],
): void {
	const missing = offered.filter(({ uri, required }) => required === true && !declared.includes(uri));
	if (missing.length === 0) return;
	const uris = missing.map(({ uri }) => uri).join(", ");
	throw new A2aServerError("EXTENSION_SUPPORT_REQUIRED", `The agent requires the extensions ${uris}.`, {
		hint: "Name those that you support in the header A2A-Extensions.",
	});
}

/** A task is one run, and takes one message; why this one cannot go on. */
async function explainContinuation(
	store: TaskStore,
	taskId: string,
	{ contextId }: A2aMessage,
): Promise<A2aServerError> {
	const record = await findTask(store, taskId);
	if (contextId !== undefined && contextId !== record.contextId)
		return invalidParam("message.contextId", `The task ${quoteId(taskId)} is of another context.`);
	const { state } = (await readProgress(record)).status;
	if (isTerminal(state))
		return new A2aServerError("UNSUPPORTED_OPERATION", `The task ${quoteId(taskId)} has ended (${state}).`, {
			hint: "Send the message without a taskId, and with the contextId, for a new task in the same context.",
		});
	if (state === "TASK_STATE_INPUT_REQUIRED")
		return new A2aServerError(
			"UNSUPPORTED_OPERATION",
			`The task ${quoteId(taskId)} waits for an approval, which no message can give.`,
			{ hint: "Decide with POST …/runs/<run id>/approvals/<approval id>, and subscribe to the task." },
		);
	return new A2aServerError(
		"UNSUPPORTED_OPERATION",
		`The task ${quoteId(taskId)} is under way (${state}), and takes no further messages.`,
		{ hint: "Wait for it with SubscribeToTask, or send the message without a taskId for a task of its own." },
	);
}
