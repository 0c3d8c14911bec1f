import type { A2aPushConfig } from "@stemma/client/a2a";
import { A2aServerError } from "../a2a-server-error";
import { createRandomId } from "../create-random-id";
import { getId } from "../requests/params";
import { readPushConfig } from "../requests/read-push-config";
import type { ServedAgent } from "../served-agent";
import type { PushConfigStore } from "../task-store";
import type { Call, MethodResult } from "./call";
import { findTask, quoteId } from "./find-task";

/** @throws A2aServerError `PUSH_NOTIFICATION_NOT_SUPPORTED` where nothing is pushed. */
export function getPushConfigStore({ card, store: { pushConfigs } }: ServedAgent): PushConfigStore {
	if (pushConfigs !== undefined && card.capabilities.pushNotifications === true) return pushConfigs;
	throw new A2aServerError("PUSH_NOTIFICATION_NOT_SUPPORTED", "This agent sends no push notifications.", {
		hint: "Follow the task with SubscribeToTask, or ask for it with GetTask.",
	});
}

/** Sets one, or changes the one with the same id. */
export async function createPushConfig(call: Call): Promise<MethodResult> {
	const { configs, taskId } = await findConfigs(call);
	const input = readPushConfig(call.params, "");
	const config: A2aPushConfig = { ...input, id: input.id ?? createRandomId("push"), taskId };
	await configs.set(config);
	return { value: withoutSecrets(config) };
}

export async function getPushConfig(call: Call): Promise<MethodResult> {
	const { configs, taskId } = await findConfigs(call);
	const id = getId(call.params, "id");
	const config = await configs.get(taskId, id);
	if (config === undefined)
		throw new A2aServerError(
			"TASK_NOT_FOUND",
			`The task ${quoteId(taskId)} has no push configuration ${quoteId(id)}.`,
		);
	return { value: withoutSecrets(config) };
}

export async function listPushConfigs(call: Call): Promise<MethodResult> {
	const { configs, taskId } = await findConfigs(call);
	return { value: { configs: (await configs.list(taskId)).map(withoutSecrets), nextPageToken: "" } };
}

/** Deleting what is not there is no error, so that the call may be tried again. */
export async function deletePushConfig(call: Call): Promise<MethodResult> {
	const { configs, taskId } = await findConfigs(call);
	await configs.delete(taskId, getId(call.params, "id"));
	return { value: {} };
}

async function findConfigs({ agent, params }: Call): Promise<{
	readonly configs: PushConfigStore;
	readonly taskId: string;
}> {
	const configs = getPushConfigStore(agent);
	const { taskId } = await findTask(agent.store, getId(params, "taskId"));
	return { configs, taskId };
}

/**
 * Removes the receiver's credentials from a push configuration: a caller who may read the task is not always the one
 * who set them.
 */
function withoutSecrets({ token: _, authentication, ...config }: A2aPushConfig): A2aPushConfig {
	return {
		...config,
		...(authentication === undefined ? {} : { authentication: { scheme: authentication.scheme } }),
	};
}
