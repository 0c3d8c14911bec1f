import { quote } from "@stemma/core/internal";

/** Reason why a request of a front end cannot be used. */
export interface RequestIssue {
	readonly type: "invalid";
	/** Path of the field: `messages[0].role`. */
	readonly param: string;
	readonly message: string;
}

/** JSON object whose fields are not checked yet. */
export type Fields = { readonly [name: string]: unknown };

class Issue extends Error {
	constructor(
		readonly param: string,
		message: string,
	) {
		super(message);
	}
}

/** Error that {@link readRequest} turns into the issue of a request. */
export const toIssue = (param: string, message: string): Error => new Issue(param, message);

/** Reads a request: what `parse` returns, or the first issue that it throws. */
export function readRequest<Request>(parse: () => Request): Request | RequestIssue {
	try {
		return parse();
	} catch (error) {
		if (error instanceof Issue) return { type: "invalid", param: error.param, message: error.message };
		throw error;
	}
}

export function toFields(value: unknown, path: string, message = "Expected an object."): Fields {
	if (typeof value !== "object" || value === null || Array.isArray(value)) throw toIssue(path, message);
	return value as Fields;
}

export function toList(value: unknown, path: string): readonly Fields[] {
	if (!Array.isArray(value)) throw toIssue(path, "Expected a list.");
	return value.map((item, index) => toFields(item, `${path}[${index}]`));
}

/** Quotes a value of any type for a message. */
export const quoteValue = (value: unknown): string =>
	quote(typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined"));

const MAX_ID_CHARACTERS = 256;

export function toId(value: unknown, path: string): string {
	if (typeof value === "string" && value !== "" && value.length <= MAX_ID_CHARACTERS) return value;
	throw toIssue(path, `Expected text of 1 to ${MAX_ID_CHARACTERS} characters.`);
}
