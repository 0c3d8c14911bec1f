import { readCount } from "../http/call-options";

/** Capabilities of one model at one endpoint, as learned from its responses. */
export interface EndpointCapabilities {
	/** Features that the endpoint refuses. */
	readonly unsupported: readonly string[];
	/** Number of texts that the endpoint takes at once, where it refused more. */
	readonly batchSize?: number;
}

/**
 * Cache of what endpoints turned out not to support, so that later calls need not find out again. Keys are made of base
 * URL
 * and model; they hold no credential and no content. Tenants who share an endpoint need one cache each.
 */
export interface CapabilityCache {
	get(key: string): EndpointCapabilities | undefined;
	set(key: string, capabilities: EndpointCapabilities): void;
}

export interface CapabilityCacheOptions {
	/** Number of models that are kept; the least recently used ones are evicted. Default 500. */
	readonly maxEntries?: number;
}

/**
 * A cache to share between models. Without one, all of a process share one.
 *
 * @throws ConfigurationError that names the option.
 */
export function createCapabilityCache({ maxEntries = 500 }: CapabilityCacheOptions = {}): CapabilityCache {
	const max = readCount(maxEntries, "maxEntries", 1);
	const entries = new Map<string, EndpointCapabilities>();

	function put(key: string, capabilities: EndpointCapabilities): void {
		entries.delete(key);
		entries.set(key, capabilities);
		if (entries.size <= max) return;
		const [oldest = key] = entries.keys();
		entries.delete(oldest);
	}

	return {
		get(key) {
			const capabilities = entries.get(key);
			if (capabilities !== undefined) put(key, capabilities);
			return capabilities;
		},
		set: put,
	};
}

/** The cache of models that were given none. */
export const sharedCapabilityCache: CapabilityCache = createCapabilityCache();
