/** Messages between the instances that share a store. */
export interface InstanceBus {
	/** Calls a function with each message of a topic, those of this instance too, until the returned function is called. */
	subscribe(topic: string, listener: (payload: unknown) => void): () => void;
	/** Calls a function where messages may have been missed, until the returned function is called. */
	onMissed(listener: () => void): () => void;
}
