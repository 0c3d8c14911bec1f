import { isJsonObject } from "@stemma/core/internal";
import { asList, type Fields } from "../http/lenient-json";

/** More errors lie in each other only where something went wrong with that, too. */
const MAX_CHAIN_LENGTH = 20;

/**
 * An error and what lies in it: the tries of a `RetryError`, the last one first, and causes. Middleware wraps errors, and
 * so does the AI SDK. Each is followed by what lies in it itself.
 */
export function toErrorChain(error: unknown): readonly Fields[] {
	const chain: Fields[] = [];
	const pending: unknown[] = [error];
	while (pending.length > 0 && chain.length < MAX_CHAIN_LENGTH) {
		const next = pending.shift();
		if (!isJsonObject(next) || chain.includes(next)) continue;
		chain.push(next);
		const retryErrors = asList(next.errors).slice(-MAX_CHAIN_LENGTH).reverse();
		pending.unshift(next.lastError, next.cause, ...retryErrors);
	}
	return chain;
}
