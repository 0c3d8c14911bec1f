import type { Vendors } from "../vendors";

/** Stand-ins for vendors answer this with a beginning and then nothing more. */
export const ENDLESS: string;

/** What {@link modelsScenario} must give everywhere; but see `signed` where there is no WebCrypto. */
export const expectedOfModels: Readonly<Record<string, unknown>>;

/** What `signed` is there. */
export const UNSIGNED: object;

/** Asks models and rerankers at `vendors`, each of them where it listens, and gives back what a test can compare. */
export function modelsScenario(
	packages: Readonly<Record<string, unknown>>,
	vendors: Vendors,
): Promise<Record<string, unknown>>;
