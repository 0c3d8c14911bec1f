import type { RunError } from "@stemma/core";

/**
 * Longest message or hint of a tool's or remote agent's error, in characters. A model is sent the error and needs no
 * more.
 */
const MAX_ERROR_CHARACTERS = 1000;

/** An error of others, with a message and a hint of a length that a model can be sent. */
export function shortenError({ hint, ...error }: RunError): RunError {
	return {
		...error,
		message: shorten(error.message),
		...(hint === undefined ? {} : { hint: shorten(hint) }),
	};
}

/** Shortens a text, but not in the middle of a character, which vendors refuse. */
function shorten(text: string): string {
	if (text.length <= MAX_ERROR_CHARACTERS) return text;
	return `${text.slice(0, MAX_ERROR_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
