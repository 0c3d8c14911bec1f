import type { ChatModel } from "@stemma/core";
import { type CapabilityCache, createCapabilityCache } from "@stemma/routing/openai-compatible";

/**
 * Models by what they were made of, for one tenant: what a model has learnt of its endpoint (fields it refuses, its clock)
 * is there for the next call.
 */
export interface ModelCache {
	readonly capabilityCache: CapabilityCache;
	/** @param version - with another version, all models are made again. */
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

export interface TenantCaches {
	get(workspaceId: string): ModelCache;
	evict(workspaceId: string): void;
}

/** Tenants whose models are kept; those that were unused for longest are dropped. */
const MAX_TENANTS = 1000;

export function createTenantCaches(): TenantCaches {
	const tenants = new Map<string, ModelCache>();
	return {
		get(workspaceId) {
			const cache = tenants.get(workspaceId) ?? createModelCache();
			tenants.delete(workspaceId);
			tenants.set(workspaceId, cache);
			const [oldest] = tenants.keys();
			if (tenants.size > MAX_TENANTS && oldest !== undefined) tenants.delete(oldest);
			return cache;
		},
		evict: (workspaceId) => void tenants.delete(workspaceId),
	};
}
