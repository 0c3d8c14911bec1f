import type { ClientScenarioOptions } from "./client-scenario.mjs";

/** What {@link serverScenario} must give without files. */
export const expectedOfServer: Readonly<Record<string, unknown>>;

/** … and with them. */
export const expectedWithFiles: Readonly<Record<string, unknown>>;

/**
 * Does with a service what a client can that has a secret, and gives back what a test can compare.
 *
 * @param packages - `client` and `testing`.
 * @param fileFromPath - of `@stemma/client/node`, where there are files: one of them is `page.md`.
 */
export function serverScenario(
	packages: Readonly<Record<string, unknown>>,
	options: ClientScenarioOptions,
	fileFromPath?: unknown,
): Promise<Record<string, unknown>>;
