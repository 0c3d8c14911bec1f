import type { CallOptions, WithRequestId } from "../options/call-options";
import type { A2aPushConfig, A2aPushConfigInput } from "./wire";

/** Where the news of a task are posted. Not every agent gives back the secrets in them. */
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
