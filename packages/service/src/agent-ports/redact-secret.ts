import type { Json } from "@stemma/core";
import { isStemmaError, StemmaError } from "@stemma/core/errors";
import { createRedactor, MASK } from "../redaction/redactor";
import { readReceipt } from "./remote-error";

/** Takes a secret out of what its server says: it may repeat what it was sent. */
export interface SecretRedactor {
	/** Every text in a value, names of fields too. */
	value<Value>(value: Value): Value;
	error(error: unknown): unknown;
	/** Text that comes in pieces. The end of one that may be the beginning of the secret waits for the next. */
	createTextRedactor(): (chunk: string) => string;
}

export const NO_REDACTION: SecretRedactor = {
	value: (value) => value,
	error: (error) => error,
	createTextRedactor: () => (chunk) => chunk,
};

export function createSecretRedactor(secret: string): SecretRedactor {
	const { redact } = createRedactor([secret]);

	function redactJson(value: Json): Json {
		if (typeof value === "string") return redact(value);
		if (typeof value !== "object" || value === null) return value;
		if (Array.isArray(value)) return value.map((element: Json) => redactJson(element));
		return Object.fromEntries(Object.entries(value).map(([name, part]) => [redact(name), redactJson(part)]));
	}

	return {
		// What ports give is JSON, and stays of the same form.
		value: <Value>(value: Value) => redactJson(value as Json) as Value,
		error(error) {
			if (!isStemmaError(error)) return redact(String(error)) === String(error) ? error : REDACTED_ERROR;
			const { message, hint, code } = error;
			const redacted = { message: redact(message), hint: hint && redact(hint) };
			if (redacted.message === message && redacted.hint === hint) return error;
			return new StemmaError(redacted.message, { code, hint: redacted.hint }, readReceipt(error));
		},
		createTextRedactor() {
			let pending = "";
			return (chunk) => {
				const text = (pending + chunk).replaceAll(secret, MASK);
				const length = findPrefixLength(text, secret);
				pending = text.slice(text.length - length);
				return text.slice(0, text.length - length);
			};
		},
	};
}

const REDACTED_ERROR = new Error("An error contained the secret that was sent.");

/** Counts the characters at the end of a text that are the beginning of a secret. */
function findPrefixLength(text: string, secret: string): number {
	for (let length = Math.min(text.length, secret.length - 1); length > 0; length--)
		if (text.endsWith(secret.slice(0, length))) return length;
	return 0;
}
