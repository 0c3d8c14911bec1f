import type { TokenUsage } from "@stemma/core";
import { ProviderError } from "../provider-error";
import { type CallTimeout, createCallTimeout } from "./call-timeout";

/** Attempts and usage of a call so far. */
export interface Attempts {
	/** Number of attempts. */
	count: number;
	/** Number of failed attempts that were worth a retry, since the last answer. */
	failures: number;
	/** Token usage, as far as it was reported. */
	usage?: TokenUsage | undefined;
	/** True where part of the call was answered, or may have been worked on. */
	mayBeBilled?: boolean;
}

/** A call that has failed tells what it took, as one that was answered does. */
export function countAttempts(error: unknown, { count, usage }: Pick<Attempts, "count" | "usage">): unknown {
	if (ProviderError.is(error)) {
		error.attempts ??= Math.max(1, count);
		error.usage ??= usage;
	}
	return error;
}

/** Makes a call whose answer is read whole, and stops it when it has failed or the caller aborts. */
export async function makeCall<T>(
	signal: AbortSignal | undefined,
	call: (callTimeout: CallTimeout, attempts: Attempts) => Promise<T>,
): Promise<T> {
	const callTimeout = createCallTimeout(signal);
	const attempts: Attempts = { count: 0, failures: 0 };
	try {
		return await call(callTimeout, attempts);
	} catch (error) {
		throw countAttempts(error, attempts);
	} finally {
		callTimeout.stop();
	}
}
