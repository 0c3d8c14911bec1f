/** Topic of workspaces that were created or deleted; its messages are {@link WorkspaceMessage}s. */
export const WORKSPACES_TOPIC = "workspaces";

/** Message of a workspace that was created or deleted. */
export interface WorkspaceMessage {
	readonly id: string;
}

/** Topic of sessions and authorizations of people that may have ended; its messages say no more. */
export const SESSIONS_TOPIC = "sessions";

/** Messages between the instances that share a store. */
export interface InstanceBus {
	/** Calls a function with each message of a topic, those of this instance too, until the returned function is called. */
	subscribe(topic: string, listener: (payload: unknown) => void): () => void;
	/** Calls a function where messages may have been missed, until the returned function is called. */
	onMissed(listener: () => void): () => void;
	/**
	 * Sends messages to all instances, this one too, in their order.
	 *
	 * @param payloads - JSON of less than 7,000 bytes each.
	 * @throws StorageError where the database cannot be reached: then they are lost.
	 */
	publish(topic: string, ...payloads: readonly unknown[]): Promise<void>;
}

const noop = (): void => undefined;

/** Bus of a store of one process: there is nobody else to hear of anything. */
export const ownBus: InstanceBus = {
	subscribe: () => noop,
	onMissed: () => noop,
	publish: async () => undefined,
};
