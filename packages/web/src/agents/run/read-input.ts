import type { AgentGraph, Json, JsonObject } from "@stemma/core";
import { isJsonObject, parseJson } from "@stemma/core/internal";

/** Input as somebody typed it: an object or a list where it is one, else the text. */
export function readInput(text: string): Json {
	const json = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
	return json ?? text;
}

/** Reads a JSON object. `undefined` for anything else. */
export function readContext(text: string): JsonObject | undefined {
	const json = text.trim() === "" ? {} : parseJson(text);
	return isJsonObject(json) ? json : undefined;
}

const PLACEHOLDER = /\{\{\s*context\.([^{}\s]+)\s*\}\}/g;

/** Finds the paths in the context that instructions are filled from, each once. */
export function findContextPaths({ nodes }: AgentGraph): readonly string[] {
	const texts = nodes.map((node) => ("instructions" in node ? (node.instructions ?? "") : ""));
	return [...new Set(texts.flatMap((text) => [...text.matchAll(PLACEHOLDER)].map(([, path = ""]) => path)))];
}
