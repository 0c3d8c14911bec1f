import type { CallOptions, WithRequestId } from "../options/call-options";
import type { A2aPushConfig, A2aPushConfigInput } from "./wire";

/** Webhooks that are notified about a task. Not every agent returns their secrets. */
export interface A2aPushConfigs {
	/** @throws A2aError `push_notification_not_supported` */
	set(
		taskId: string,
		config: Omit<A2aPushConfigInput, "taskId">,
		options?: CallOptions,
	): Promise<WithRequestId<A2aPushConfig>>;
	get(taskId: string, id: string, options?: CallOptions): Promise<WithRequestId<A2aPushConfig>>;
	/** All of them. */
	list(taskId: string, options?: CallOptions): Promise<readonly A2aPushConfig[]>;
	delete(taskId: string, id: string, options?: CallOptions): Promise<void>;
}
