import type { A2aMessage } from "@stemma/client/a2a";
import { A2aServerError } from "../a2a-server-error";
import { resolveRunInput } from "../conversation/resolve-run-input";
import { createRandomId } from "../create-random-id";
import type { SendRequest } from "../requests/read-send-request";
import type { TaskRecord } from "../task-store";
import type { TaskProgress } from "../tasks/task-progress";
import { readProgress } from "../tasks/to-task";
import type { Call } from "./call";
import { continueTask } from "./continue-task";
import { quoteId } from "./find-task";
import { getPushConfigStore } from "./push-configs";

/** The task of a message. */
export interface StartedTask {
	readonly record: TaskRecord;
	/** State of a task that existed before; undefined for a new one. */
	readonly progress?: TaskProgress;
}

/** Starts a task for a message, or finds the one that it started before or is sent to. */
export async function startTask(call: Call, { message, pushConfig }: SendRequest): Promise<StartedTask> {
	const {
		agent: { store, card },
		extensions,
	} = call;
	assertExtensions(card.capabilities.extensions ?? [], extensions);
	if (pushConfig !== undefined) getPushConfigStore(call.agent);
	const { taskId } = message;
	const existing = await store.findByMessage(message.messageId);
	if (existing !== undefined && (taskId === undefined || taskId === existing.taskId)) {
		const task = assertSameMessage(existing, message);
		await setPushConfig(call, task, pushConfig);
		return { record: task, progress: await readProgress(task) };
	}
	if (taskId !== undefined) {
		const continued = await continueTask(call, taskId, message);
		await setPushConfig(call, continued.record, pushConfig);
		return continued;
	}
	const config = pushConfig && { ...pushConfig, id: pushConfig.id ?? createRandomId("push") };
	const task = await store.start({
		message,
		contextId: message.contextId ?? store.createContextId?.() ?? createRandomId("ctx"),
		input: await resolveRunInput(store, message),
		pushConfig: config,
	});
	// Another with the same id may have come at the same moment.
	assertSameMessage(task, message);
	if (config !== undefined && (await store.pushConfigs?.get(task.taskId, config.id)) === undefined)
		await setPushConfig(call, task, pushConfig);
	return { record: task };
}

/** Stores the push configuration of a repeated message. Without an id it replaces the one with the same address. */
async function setPushConfig(
	{ agent }: Call,
	{ taskId }: TaskRecord,
	config: SendRequest["pushConfig"],
): Promise<void> {
	if (config === undefined) return;
	const configs = getPushConfigStore(agent);
	const existing = config.id === undefined ? await configs.list(taskId) : [];
	const id = config.id ?? existing.find(({ url }) => url === config.url)?.id ?? createRandomId("push");
	await configs.set({ ...config, id, taskId });
}

/** The answer to one question must not be given for another. */
function assertSameMessage(
	task: TaskRecord,
	{ messageId, parts, contextId = task.contextId }: A2aMessage,
): TaskRecord {
	if (contextId === task.contextId && isSame(parts, task.message.parts)) return task;
	throw new A2aServerError(
		"INVALID_PARAMS",
		`Another message was already sent with the id ${quoteId(messageId)}.`,
		{
			code: "message_id_reused",
			param: "message.messageId",
			hint: "Give each message a unique id, such as a UUID, and repeat a message only unchanged.",
		},
	);
}

/** Checks whether two values are the same JSON, in any order of fields. */
function isSame(one: unknown, other: unknown): boolean {
	if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
		return one === other;
	const others = new Map(Object.entries(other));
	const fields = Object.entries(one);
	return (
		Array.isArray(one) === Array.isArray(other) &&
		fields.length === others.size &&
		fields.every(([name, value]) => others.has(name) && isSame(value, others.get(name)))
	);
}

function assertExtensions(
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
