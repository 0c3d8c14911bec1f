import { formatPath } from "@stemma/core";

/** What is wrong with a JSON value that any schema would take. */
export interface JsonProblem {
	/** As in JavaScript: `input.messages[0]`; empty for the value itself. */
	readonly path: string;
	/** A sentence without its subject. */
	readonly message: string;
}

/** Nobody needs more, and it could exhaust the stack of whoever walks it. */
const MAX_NESTING = 200;
/** Of a list, and of the whole: a schema has something to say of each that is wrong, which takes time and memory. */
const MAX_ITEMS = 50_000;
export const MAX_VALUES = 200_000;

interface Place {
	readonly value: unknown;
	readonly path: readonly (string | number)[];
}

/** The first value that is nested too deep or too long, or text that is no Unicode and could not be kept as it is. */
export function findJsonProblem(json: unknown): JsonProblem | undefined {
	const places: Place[] = [{ value: json, path: [] }];
	let count = 0;
	for (let place = places.pop(); place !== undefined; place = places.pop()) {
		const { value, path } = place;
		if (typeof value === "string" && !value.isWellFormed()) return halfCharacter(path);
		if (typeof value !== "object" || value === null) continue;
		if (path.length === MAX_NESTING) return tooDeep(path);
		if (Array.isArray(value) && value.length > MAX_ITEMS) return tooMany(path, "items", MAX_ITEMS);
		const parts = Object.entries(value);
		count += parts.length;
		if (count > MAX_VALUES) return tooMany([], "values", MAX_VALUES);
		for (const [key, part] of parts) {
			if (!key.isWellFormed()) return halfCharacter(path);
			places.push({ value: part, path: [...path, Array.isArray(value) ? Number(key) : key] });
		}
	}
	return undefined;
}

const halfCharacter = (path: Place["path"]): JsonProblem => ({
	path: write(path),
	message: "holds half of a character (a lone surrogate), which is no text",
});

const tooMany = (path: Place["path"], what: string, most: number): JsonProblem => ({
	path: write(path),
	message: `holds more than ${most.toLocaleString("en")} ${what}`,
});

const tooDeep = (path: Place["path"]): JsonProblem => ({
	path: write(path.slice(0, 3)),
	message: `is nested more than ${MAX_NESTING} levels deep`,
});

const write = (path: Place["path"]): string => (path.length === 0 ? "" : formatPath(path));
