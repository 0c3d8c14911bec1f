import type { ChatModel } from "@stemma/core";
import { type CapabilityCache, createCapabilityCache } from "@stemma/routing/openai-compatible";

/**
 * Models by what they were made of, for one tenant: what a model has learnt of its endpoint (fields it refuses, its clock)
 * is there for the next call.
 */
export interface ModelCache {
	readonly capabilityCache: CapabilityCache;
	/** @param version - whoever comes with another one makes all anew. */
	get(version: string, key: string, create: () => ChatModel): ChatModel;
}

const MAX_MODELS = 100;

export function createModelCache(): ModelCache {
	const models = new Map<string, ChatModel>();
	let currentVersion = "";
	return {
		capabilityCache: createCapabilityCache(),
		get(version, key, create) {
			if (version !== currentVersion || models.size >= MAX_MODELS) models.clear();
			currentVersion = version;
			const model = models.get(key) ?? create();
			models.set(key, model);
			return model;
		},
	};
}
