import type { PushConfigStore } from "@stemma/a2a-server";
import type { A2aPushConfig } from "@stemma/client/a2a";
import type { Caller } from "../auth/caller";
import { deletePushConfig, findPushConfig, listPushConfigs, type PushConfigRow } from "./push-config-rows";
import type { PushNotifications } from "./push-notifications";
import type { TaskRow } from "./task-rows";

/**
 * The push configurations of the tasks that a caller sees.
 *
 * @param getRow - @throws A2aServerError for a task that is not there for the caller.
 */
export const createPushConfigStore = (
	{ database, configs, deliveries }: PushNotifications,
	caller: Caller,
	getRow: (taskId: string) => Promise<TaskRow>,
): PushConfigStore => ({
	async set(config) {
		const { run_id } = await getRow(config.taskId);
		await configs.check(caller, config.url);
		await database.write
			.transaction()
			.execute((transaction) => configs.put(transaction, caller, { ...config, taskId: run_id }));
		deliveries.deliver({ run_id, id: config.id });
	},
	async get(taskId, id) {
		const { run_id } = await getRow(taskId);
		const row = await findPushConfig(database.read, { run_id, id });
		return row && toPushConfig(row, taskId);
	},
	async list(taskId) {
		const { run_id } = await getRow(taskId);
		const rows = await listPushConfigs(database.read, run_id);
		return rows.map((row) => toPushConfig(row, taskId));
	},
	async delete(taskId, id) {
		const { run_id } = await getRow(taskId);
		deliveries.cancel({ run_id, id });
		await deletePushConfig(database.write, { run_id, id });
	},
});

/** Converts a row to a push configuration without its secrets. */
const toPushConfig = ({ id, url, scheme }: PushConfigRow, taskId: string): A2aPushConfig => ({
	id,
	taskId,
	url,
	...(scheme !== null && { authentication: { scheme } }),
});
