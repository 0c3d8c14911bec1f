import { type ParseError, parse as parseJsonc, printParseErrorCode } from "jsonc-parser";
import type { ParsedDocument } from "../document-part";
import { nestingError, UnreadableError } from "../unreadable-error";
import { toDataNode } from "./to-data-node";
import { writeData } from "./write-data";

/** Reads JSON, also with comments and trailing commas, and JSON Lines that are named as JSON. */
export function readJson(text: string): ParsedDocument {
	if (text.trim() === "") return writeData(undefined);
	return writeData(toDataNode(tryJson(text) ?? tryJsonLines(text) ?? parseLenientJson(text)));
}

/** Reads JSON Lines: one value in each line. */
export function readJsonLines(text: string): ParsedDocument {
	const values: unknown[] = [];
	for (const [index, line] of text.split("\n").entries()) {
		if (line.trim() === "") continue;
		const value = tryJson(line);
		if (value === undefined) throw new UnreadableError(`its line ${index + 1} is not JSON`);
		values.push(value);
	}
	return writeData(toDataNode(values));
}

function tryJson(text: string): unknown {
	try {
		return withinDepth(() => JSON.parse(text, keepNumberAsWritten));
	} catch (error) {
		if (error instanceof UnreadableError) throw error;
		return undefined;
	}
}

/** @throws UnreadableError where values are nested so deeply that the stack ends. */
function withinDepth(parse: () => unknown): unknown {
	try {
		return parse();
	} catch (error) {
		if (error instanceof RangeError) throw nestingError("values");
		throw error;
	}
}

/** Keeps the digits of a number: `1.10` is a version, and no double has those of a long id. */
function keepNumberAsWritten(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
	return typeof value === "number" ? (context?.source ?? value) : value;
}

/** The values of lines that are JSON each; none where the first one is not. */
function tryJsonLines(text: string): unknown[] | undefined {
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	if (lines.length < 2 || tryJson(lines[0] ?? "") === undefined) return undefined;
	const values = lines.map(tryJson);
	return values.includes(undefined) ? undefined : values;
}

function parseLenientJson(text: string): unknown {
	const errors: ParseError[] = [];
	const value = withinDepth(() => parseJsonc(text, errors, { allowTrailingComma: true }));
	const [first] = errors;
	if (first === undefined) return value;
	const lines = text.slice(0, first.offset).split("\n");
	const place = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
	throw new UnreadableError(`it is not valid JSON (${printParseErrorCode(first.error)} in ${place})`);
}
