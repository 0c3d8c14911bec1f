import { formatPath } from "@stemma/core";

/** Limit that a JSON value exceeds, whatever its schema. */
export interface JsonLimitIssue {
	/** Path as in JavaScript: `input.messages[0]`; empty for the value itself. */
	readonly path: string;
	/** A sentence without its subject. */
	readonly message: string;
}

/**
 * Maximum nesting of a JSON value. No request needs more, and deeper nesting could exhaust the stack of the code that
 * walks it.
 */
const MAX_NESTING = 200;
/**
 * Maximum items of a list, and maximum values of the whole: a schema reports each invalid one, which takes time and
 * memory.
 */
const MAX_ITEMS = 50_000;
export const MAX_VALUES = 200_000;

interface PathValue {
	readonly value: unknown;
	readonly path: readonly (string | number)[];
}

/** The first value that is nested too deep or too long, or text that is no Unicode and could not be kept as it is. */
export function findJsonLimitIssue(json: unknown): JsonLimitIssue | undefined {
	const pending: PathValue[] = [{ value: json, path: [] }];
	let count = 0;
	for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
		const { value, path } = current;
		if (typeof value === "string" && !value.isWellFormed()) return unpairedSurrogate(path);
		if (typeof value !== "object" || value === null) continue;
		if (path.length === MAX_NESTING) return tooDeep(path);
		if (Array.isArray(value) && value.length > MAX_ITEMS) return tooMany(path, "items", MAX_ITEMS);
		const parts = Object.entries(value);
		count += parts.length;
		if (count > MAX_VALUES) return tooMany([], "values", MAX_VALUES);
		for (const [key, part] of parts) {
			if (!key.isWellFormed()) return unpairedSurrogate(path);
			pending.push({ value: part, path: [...path, Array.isArray(value) ? Number(key) : key] });
		}
	}
	return undefined;
}

const unpairedSurrogate = (path: PathValue["path"]): JsonLimitIssue => ({
	path: formatPathOrRoot(path),
	message: "holds half of a character (a lone surrogate), which is no text",
});

const tooMany = (path: PathValue["path"], what: string, max: number): JsonLimitIssue => ({
	path: formatPathOrRoot(path),
	message: `holds more than ${max.toLocaleString("en")} ${what}`,
});

const tooDeep = (path: PathValue["path"]): JsonLimitIssue => ({
	path: formatPathOrRoot(path.slice(0, 3)),
	message: `is nested more than ${MAX_NESTING} levels deep`,
});

const formatPathOrRoot = (path: PathValue["path"]): string => (path.length === 0 ? "" : formatPath(path));
