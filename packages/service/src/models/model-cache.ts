import type { ChatModel } from "@stemma/core";
import { createEndpointMemory, type EndpointMemory } from "@stemma/routing/openai-compatible";

/**
 * Models by what they were made of, for one tenant: what a model has learnt of its endpoint (fields it refuses, its clock)
 * is there for the next call.
 */
export interface ModelCache {
	readonly memory: EndpointMemory;
	/** @param version - whoever comes with another one makes all anew. */
	get(version: string, key: string, make: () => ChatModel): ChatModel;
}

const MOST_MODELS = 100;

export function createModelCache(): ModelCache {
	const made = new Map<string, ChatModel>();
	let current = "";
	return {
		memory: createEndpointMemory(),
		get(version, key, make) {
			if (version !== current || made.size >= MOST_MODELS) made.clear();
			current = version;
			const model = made.get(key) ?? make();
			made.set(key, model);
			return model;
		},
	};
}
