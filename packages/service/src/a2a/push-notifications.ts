import type { OutboundGate } from "../outbound/outbound-gate";
import type { NotificationSources } from "./deliver-notifications";
import { createPushConfigs, type PushConfigs, type PushConfigsOptions } from "./push-configs";
import { PushDeliveries, type PushDeliveriesOptions } from "./push-deliveries";
import type { PushConfigRepository } from "./repositories/push-config-repository";

/** The news of the tasks of one workspace that are pushed: where to, and how far each receiver is. */
export interface PushNotifications {
	readonly repository: PushConfigRepository;
	readonly configs: PushConfigs;
	readonly deliveries: PushDeliveries;
}

export interface PushNotificationsOptions extends PushConfigsOptions, NotificationSources {
	/** The way out; see `OutboundGate`. */
	readonly outbound: OutboundGate["fetch"];
	/** See {@link PushDeliveriesOptions.claims}. */
	readonly claims: PushDeliveriesOptions["claims"];
	readonly onError: (error: unknown) => void;
}

export const createPushNotifications = (options: PushNotificationsOptions): PushNotifications => ({
	repository: options.pushConfigs,
	configs: createPushConfigs(options),
	deliveries: new PushDeliveries(options),
});
