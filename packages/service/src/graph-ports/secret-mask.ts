import type { Json } from "@stemma/core";
import { isStemmaError, StemmaError } from "@stemma/core/errors";
import { createRedactor, MASK } from "../sealing/redactor";
import { readReceipt } from "./outside-error";

/** Takes a secret out of what its server says: it may repeat what it was sent. */
export interface SecretMask {
	/** Every text in a value, names of fields too. */
	value<Value>(value: Value): Value;
	error(error: unknown): unknown;
	/** Text that comes in pieces. The end of one that may be the beginning of the secret waits for the next. */
	createTextMask(): (piece: string) => string;
}

export const NO_MASK: SecretMask = {
	value: (value) => value,
	error: (error) => error,
	createTextMask: () => (piece) => piece,
};

export function createSecretMask(secret: string): SecretMask {
	const { redact } = createRedactor([secret]);

	function maskJson(value: Json): Json {
		if (typeof value === "string") return redact(value);
		if (typeof value !== "object" || value === null) return value;
		if (Array.isArray(value)) return value.map((element: Json) => maskJson(element));
		return Object.fromEntries(Object.entries(value).map(([name, part]) => [redact(name), maskJson(part)]));
	}

	return {
		// What ports give is JSON, and stays of the same form.
		value: <Value>(value: Value) => maskJson(value as Json) as Value,
		error(error) {
			if (!isStemmaError(error)) return redact(String(error)) === String(error) ? error : REPEATED;
			const { message, hint, code } = error;
			const masked = { message: redact(message), hint: hint && redact(hint) };
			if (masked.message === message && masked.hint === hint) return error;
			return new StemmaError(masked.message, { code, hint: masked.hint }, readReceipt(error));
		},
		createTextMask() {
			let held = "";
			return (piece) => {
				const text = (held + piece).replaceAll(secret, MASK);
				const length = findBeginning(text, secret);
				held = text.slice(text.length - length);
				return text.slice(0, text.length - length);
			};
		},
	};
}

const REPEATED = new Error("An error repeated what it was sent.");

/** How many characters at the end of a text are the beginning of a secret. */
function findBeginning(text: string, secret: string): number {
	for (let length = Math.min(text.length, secret.length - 1); length > 0; length--)
		if (text.endsWith(secret.slice(0, length))) return length;
	return 0;
}
