import { readCount } from "../http/call-options";

/** What was learnt of one model at one endpoint. */
export interface EndpointTraits {
	/** What it refuses to be asked with. */
	readonly refused: readonly string[];
	/** How many texts it takes at once, where it refused more. */
	readonly batchSize?: number;
}

/**
 * What endpoints turned out not to take, so that later calls need not find out again. Keys are made of base URL and
 * model; no credential is in them, and nothing that was said. So tenants who share an endpoint want one memory each.
 */
export interface EndpointMemory {
	recall(key: string): EndpointTraits | undefined;
	learn(key: string, traits: EndpointTraits): void;
}

export interface EndpointMemoryOptions {
	/** How many models are remembered; those that were not asked for the longest are forgotten. Default 500. */
	readonly maxEntries?: number;
}

/**
 * A memory to share between models. Without one, all of a process share one.
 *
 * @throws ConfigurationError that names the option.
 */
export function createEndpointMemory({ maxEntries = 500 }: EndpointMemoryOptions = {}): EndpointMemory {
	const most = readCount(maxEntries, "maxEntries", 1);
	const entries = new Map<string, EndpointTraits>();

	function put(key: string, traits: EndpointTraits): void {
		entries.delete(key);
		entries.set(key, traits);
		if (entries.size <= most) return;
		const [oldest = key] = entries.keys();
		entries.delete(oldest);
	}

	return {
		recall(key) {
			const traits = entries.get(key);
			if (traits !== undefined) put(key, traits);
			return traits;
		},
		learn: put,
	};
}

/** The memory of models that were given none. */
export const sharedMemory: EndpointMemory = createEndpointMemory();
