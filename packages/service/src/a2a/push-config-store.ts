import type { PushConfigStore } from "@stemma/a2a-server";
import type { A2aPushConfig } from "@stemma/client/a2a";
import type { Caller } from "../auth/caller";
import type { PushNotifications } from "./push-notifications";
import type { StoredPushConfig } from "./repositories/push-config-repository";
import type { WorkspaceTask } from "./repositories/task-repository";

/**
 * The push configurations of the tasks that a caller sees.
 *
 * @param getTask - @throws A2aServerError for a task that is not there for the caller.
 */
export const createPushConfigStore = (
	{ repository, configs, deliveries }: PushNotifications,
	caller: Caller,
	getTask: (taskId: string) => Promise<WorkspaceTask>,
): PushConfigStore => ({
	async set(config) {
		const { run_id } = await getTask(config.taskId);
		await configs.check(caller, config.url);
		const key = { run_id, id: config.id };
		await repository.replace(key, (context) =>
			configs.create(caller, { ...config, taskId: run_id }, context),
		);
		deliveries.deliver(key);
	},
	async get(taskId, id) {
		const { run_id } = await getTask(taskId);
		const config = await repository.find({ run_id, id });
		return config && toPushConfig(config, taskId);
	},
	async list(taskId) {
		const { run_id } = await getTask(taskId);
		const configs = await repository.list(run_id);
		return configs.map((config) => toPushConfig(config, taskId));
	},
	async delete(taskId, id) {
		const { run_id } = await getTask(taskId);
		deliveries.cancel({ run_id, id });
		await repository.delete({ run_id, id });
	},
});

/** Converts what is stored to a push configuration without its secrets. */
const toPushConfig = ({ id, url, scheme }: StoredPushConfig, taskId: string): A2aPushConfig => ({
	id,
	taskId,
	url,
	...(scheme !== null && { authentication: { scheme } }),
});
