import { backoffDelayMs, sleep } from "@stemma/core/internal";
import { isRetryable } from "./postgres-error";

const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 500;

/** Runs a transaction again that failed for the sake of another one (SQLSTATE 40001 and 40P01), up to 5 times in all. */
export async function retryTransaction<Result>(run: () => Promise<Result>): Promise<Result> {
	for (let failures = 1; ; failures++)
		try {
			return await run();
		} catch (error) {
			if (failures === MAX_ATTEMPTS || !isRetryable(error)) throw error;
			await sleep(backoffDelayMs(failures, FIRST_PAUSE_MS, MAX_PAUSE_MS) * (0.5 + Math.random()));
		}
}
