import { isJsonObject } from "@stemma/core/internal";
import { asList, type Fields } from "../http/fields";

/** More errors lie in each other only where something went wrong with that, too. */
const LONGEST_CHAIN = 20;

/**
 * An error and what lies in it: the tries of a `RetryError`, the last one first, and causes. Middleware wraps errors, and
 * so does the AI SDK. Each is followed by what lies in it itself.
 */
export function toErrorChain(error: unknown): readonly Fields[] {
	const chain: Fields[] = [];
	const rest: unknown[] = [error];
	while (rest.length > 0 && chain.length < LONGEST_CHAIN) {
		const next = rest.shift();
		if (!isJsonObject(next) || chain.includes(next)) continue;
		chain.push(next);
		const tries = asList(next.errors).slice(-LONGEST_CHAIN).reverse();
		rest.unshift(next.lastError, next.cause, ...tries);
	}
	return chain;
}
