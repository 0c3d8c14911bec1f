import type { OutboundGate } from "../outbound/outbound-gate";
import type { Runs } from "../runs/runs";
import type { Database } from "../store/database";
import type { WorkspaceTables } from "../store/workspace-tables";
import { createPushConfigs, type PushConfigs, type PushConfigsOptions } from "./push-configs";
import { PushDeliveries } from "./push-deliveries";

/** The news of the tasks of one workspace that are pushed: where to, and how far each receiver is. */
export interface PushNotifications {
	readonly database: Database<WorkspaceTables>;
	readonly configs: PushConfigs;
	readonly deliveries: PushDeliveries;
}

export interface PushNotificationsOptions extends PushConfigsOptions {
	readonly database: Database<WorkspaceTables>;
	readonly runs: Pick<Runs, "watch">;
	/** The way out; see `OutboundGate`. */
	readonly outbound: OutboundGate["fetch"];
	readonly onError: (error: unknown) => void;
}

export const createPushNotifications = (options: PushNotificationsOptions): PushNotifications => ({
	database: options.database,
	configs: createPushConfigs(options),
	deliveries: new PushDeliveries(options),
});
