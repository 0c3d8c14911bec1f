import type { Json, JsonObject } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";

/** Instructions cut into text and the context paths between: text, path, text, path, …, text. */
export interface InstructionTemplate {
	readonly texts: readonly string[];
	readonly paths: readonly ContextPath[];
	/** The paths, each once. */
	readonly distinctPaths: readonly ContextPath[];
}

/** Place of a value in the context. */
export interface ContextPath {
	/** Keys and array indexes with dots between them: `customer.orders.0.id`. */
	readonly path: string;
	readonly keys: readonly string[];
}

const MAX_VALUE_CHARACTERS = 500;
const PLACEHOLDER = /\{\{\s*context\.([^{}\s]+)\s*\}\}/g;

/** Parses instructions into a template. Only `{{context.path}}` is special; anything else is text. */
export function parseInstructions(instructions: string): InstructionTemplate {
	const texts: string[] = [];
	const paths: string[] = [];
	let from = 0;
	for (const match of instructions.matchAll(PLACEHOLDER)) {
		texts.push(instructions.slice(from, match.index));
		paths.push(match[1] ?? "");
		from = match.index + match[0].length;
	}
	const distinct = new Map(paths.map((path) => [path, { path, keys: path.split(".") }]));
	return {
		texts: [...texts, instructions.slice(from)],
		paths: paths.flatMap((path) => distinct.get(path) ?? []),
		distinctPaths: [...distinct.values()],
	};
}

/** Returns why a placeholder cannot be filled, as a sentence; `undefined` if it can be. */
export function findTemplateProblem({ path, keys }: ContextPath, context: JsonObject): string | undefined {
	const value = readPath(context, keys);
	if (value === undefined) return `context.${path} is missing`;
	if (typeof value === "object" && value !== null)
		return `context.${path} is ${Array.isArray(value) ? "an array" : "an object"}, and only text, numbers, booleans and null can be filled in`;
	if (typeof value === "string" && value.length > MAX_VALUE_CHARACTERS)
		return `context.${path} is longer than ${MAX_VALUE_CHARACTERS} characters`;
	return undefined;
}

/** Fills in the placeholders with scalars written as JSON, so that a value cannot pass for the text around it. */
export function fillInstructions({ texts, paths }: InstructionTemplate, context: JsonObject): string {
	return texts.reduce((filled, text, index) => {
		const path = paths[index - 1];
		return filled + (path === undefined ? "" : JSON.stringify(readPath(context, path.keys))) + text;
	}, "");
}

/** Leaves the names of the values where they would stand. */
export function fillInstructionsWithNames({ texts, paths }: InstructionTemplate): string {
	return texts.reduce((named, text, index) => {
		const path = paths[index - 1];
		return named + (path === undefined ? "" : `(context.${path.path})`) + text;
	}, "");
}

function readPath(context: JsonObject, keys: ContextPath["keys"]): Json | undefined {
	let value: Json | undefined = context;
	for (const key of keys) {
		if (Array.isArray(value) && /^\d+$/.test(key)) value = value[Number(key)];
		else if (isJsonObject(value) && Object.hasOwn(value, key)) value = value[key];
		else return undefined;
	}
	return value;
}
