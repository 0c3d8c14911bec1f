import { inspect } from "node:util";
import { CANARY } from "./credentials";

/** Where a secret stands in what is printed of a value, in any of the ways in which it can be: the words around it. */
export function findSecrets(value: unknown): readonly string[] {
	const texts = [inspect(value, { depth: null, maxStringLength: null }), toJson(value), ...listTexts(value)];
	return [...new Set(texts.flatMap(listSecrets))];
}

function listSecrets(text: string): readonly string[] {
	const found: string[] = [];
	for (let at = text.indexOf(CANARY); at !== -1; at = text.indexOf(CANARY, at + 1))
		found.push(text.slice(Math.max(0, at - 40), at + 40));
	return found;
}

const toJson = (value: unknown): string => JSON.stringify(value) ?? "";

/** Of an error and all its causes. */
function listTexts(value: unknown): readonly string[] {
	if (!(value instanceof Error)) return [];
	const { message, stack = "", cause } = value;
	return [message, stack, String(value), toJson(value), ...listTexts(cause)];
}
