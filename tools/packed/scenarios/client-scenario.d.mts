/** Where a service is, and what is in it: see `client-server.ts`. */
export interface ClientScenarioOptions {
	readonly baseUrl: string;
	readonly clientKey: string;
	/** Those of a server, which pages and apps must refuse. */
	readonly clientId: string;
	readonly clientSecret: string;
	/** It knows the knowledge base. */
	readonly agent: string;
	/** It only writes. */
	readonly heldAgent: string;
	readonly knowledgeBaseId: string;
	/** Lets text out that the vendor holds back; see `held-vendor.ts`. */
	readonly releaseUrl: string;
}

/** What {@link clientScenario} must give on servers. */
export const expectedOfClient: Readonly<Record<string, unknown>>;

/** … and of it, what is different where others can read what a program holds: pages, React Native. */
export const EXPOSED: Readonly<Record<string, unknown>>;

/**
 * Does with a service what a client can, over the packages that it is handed, and gives back what a test can compare.
 *
 * @param packages - `core`, `client`, `mcp`, `a2a` and `local`.
 * @param options - with `fetch`, instead of the platform's.
 */
export function clientScenario(
	packages: Readonly<Record<string, unknown>>,
	options: ClientScenarioOptions & { readonly fetch?: unknown },
): Promise<Record<string, unknown>>;
