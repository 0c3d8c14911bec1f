import { ProviderError } from "../provider-error";
import { type CallWatch, createCallWatch } from "./call-watch";

/** How often a call was tried so far. */
export interface Attempts {
	count: number;
}

/** A call that has failed tells how often it was tried, as one that was answered does. */
export function countAttempts(error: unknown, { count }: Attempts): unknown {
	if (ProviderError.is(error)) error.attempts ??= Math.max(1, count);
	return error;
}

/** Makes a call whose answer is read whole, and stops it when it has failed or the caller aborts. */
export async function makeCall<T>(
	signal: AbortSignal | undefined,
	call: (watch: CallWatch, attempts: Attempts) => Promise<T>,
): Promise<T> {
	const watch = createCallWatch(signal);
	const attempts: Attempts = { count: 0 };
	try {
		return await call(watch, attempts);
	} catch (error) {
		throw countAttempts(error, attempts);
	} finally {
		watch.stop();
	}
}
