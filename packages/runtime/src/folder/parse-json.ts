import { findJsonError } from "./find-json-error";

/** Outcome of parsing JSON: the value, or the line and column of the error. */
export type ParsedJson =
	| { readonly success: true; readonly value: unknown }
	/** `message` names the line and the column. */
	| { readonly success: false; readonly message: string };

/** Parses the text of a file; a byte order mark is accepted. */
export function parseJson(text: string): ParsedJson {
	const json = text.startsWith("\uFEFF") ? text.slice(1) : text;
	try {
		return { success: true, value: JSON.parse(json) };
	} catch {
		return { success: false, message: explain(json) };
	}
}

function explain(json: string): string {
	if (json.trim() === "") return "The file is empty; an agent file holds one JSON object.";
	const error = findJsonError(json);
	if (error === undefined) return "Not JSON.";
	const lines = json.slice(0, error.offset).split(/\r\n|\n|\r/);
	const column = (lines.at(-1)?.length ?? 0) + 1;
	return `Not JSON at line ${lines.length}, column ${column}: ${error.expected}.`;
}
