import { isJsonObject } from "../json";
import type { Report, Rule } from "./rule";

type Path = readonly (string | number)[];

/** Characters of one schema as JSON. */
const MAX_OUTPUT_SCHEMA_CHARACTERS = 262_144;
/** Objects and lists of one schema. */
const MAX_SCHEMA_PARTS = 10_000;
/** Schemas that apply to one value: references and alternatives within each other multiply. */
const MAX_APPLIED_SCHEMAS = 10_000;
/** Schemas that lead to each other: beyond it, they go in a circle. */
const MAX_REFERENCE_CHAIN = 500;
/** Keywords whose schemas apply to the same value. */
const IN_PLACE_APPLICATORS = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/** The `output` of a node can be checked with few steps, as far as that shows before there is a value. */
export const outputSchemaRule: Rule = ({ nodes }, report) => {
	for (const { index, fields } of nodes)
		if (isJsonObject(fields.output)) checkSchema(fields.output, ["nodes", index, "output"], report);
};

function checkSchema(root: object, path: Path, report: Report): void {
	const parts = listParts(root, path);
	if (parts.size > MAX_SCHEMA_PARTS)
		return void report(
			"schema_too_costly",
			path,
			`The schema has more than ${MAX_SCHEMA_PARTS} objects and lists. Make it smaller.`,
		);
	if (JSON.stringify(root).length > MAX_OUTPUT_SCHEMA_CHARACTERS)
		return void report(
			"schema_too_costly",
			path,
			`The schema has more than ${MAX_OUTPUT_SCHEMA_CHARACTERS} characters. Make it smaller.`,
		);
	const count = createCounter(root, parts.keys());
	for (const [part, at] of parts)
		if (count(part) > MAX_APPLIED_SCHEMAS)
			return void report(
				"schema_too_costly",
				at,
				`More than ${MAX_APPLIED_SCHEMAS} schemas apply to one value here: references go in a circle, or they and alternatives multiply within each other. Make it simpler.`,
			);
}

/** Stops soon after there are too many. */
function listParts(root: object, path: Path): ReadonlyMap<object, Path> {
	const parts = new Map([[root, path]]);
	for (const [part, at] of parts) {
		if (parts.size > MAX_SCHEMA_PARTS) break;
		for (const [key, inner] of Object.entries(part))
			if (typeof inner === "object" && inner !== null)
				parts.set(inner, [...at, Array.isArray(part) ? Number(key) : key]);
	}
	return parts;
}

/** Counts the schemas that apply where one does: itself, and those that it names or has in place. */
function createCounter(root: object, parts: Iterable<object>): (part: unknown) => number {
	const counts = new Map<object, number>();
	const anchors = new Map<unknown, object>();
	for (const part of parts) if ("$anchor" in part) anchors.set(part.$anchor, part);
	let depth = 0;

	function count(part: unknown): number {
		if (typeof part !== "object" || part === null) return 0;
		const known = counts.get(part);
		if (known !== undefined) return known;
		// What comes back here goes in a circle.
		counts.set(part, Number.POSITIVE_INFINITY);
		depth += 1;
		const sum = depth > MAX_REFERENCE_CHAIN ? Number.POSITIVE_INFINITY : countInside(part);
		depth -= 1;
		counts.set(part, sum);
		return sum;
	}

	function countInside(part: object): number {
		if (Array.isArray(part)) return part.reduce<number>((sum, one) => sum + count(one), 0);
		const schema: Readonly<Record<string, unknown>> = { ...part };
		const { $ref: reference } = schema;
		const target = typeof reference === "string" ? find(reference) : undefined;
		return IN_PLACE_APPLICATORS.reduce((sum, key) => sum + count(schema[key]), 1 + count(target));
	}

	/** Finds the target of a reference in this document; references to other documents are not supported. */
	function find(reference: string): unknown {
		if (!reference.startsWith("#")) return undefined;
		if (!/^#(\/|$)/.test(reference)) return anchors.get(reference.slice(1));
		let found: unknown = root;
		for (const token of reference.split("/").slice(1)) {
			const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
			found =
				typeof found === "object" && found !== null && Object.hasOwn(found, key)
					? Reflect.get(found, key)
					: undefined;
		}
		return found;
	}

	return count;
}
