import fc from "fast-check";
import type { JsonSchema } from "../openapi/json-schema";

/** Finds the schema of a reference. */
export type Resolve = (reference: string) => JsonSchema;

const MAX_DEPTH = 4;
const MAX_ITEMS = 4;
const MAX_TEXT = 200;

/** Creates values that a schema allows, as far as JSON Schema says it. */
export function arbitraryOf(schema: JsonSchema, resolve: Resolve, depth = 0): fc.Arbitrary<unknown> {
	const inner = (part: unknown): fc.Arbitrary<unknown> =>
		arbitraryOf((part ?? {}) as JsonSchema, resolve, depth + 1);
	if (typeof schema.$ref === "string") return arbitraryOf(resolve(schema.$ref), resolve, depth + 1);
	if ("const" in schema) return fc.constant(schema.const);
	if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
	const alternatives = schema.anyOf ?? schema.oneOf;
	if (Array.isArray(alternatives)) {
		// Deep down only those that end: a schema may contain itself.
		const ending = alternatives.filter((part) => depth < MAX_DEPTH || !isNested(part));
		return fc.oneof(...(ending.length > 0 ? ending : alternatives.slice(0, 1)).map(inner));
	}
	if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => inner({ ...schema, type })));
	switch (schema.type) {
		case "null":
			return fc.constant(null);
		case "boolean":
			return fc.boolean();
		case "integer":
			return fc.integer(toRange(schema));
		case "number":
			return fc.double({ ...toRange(schema), noNaN: true, noDefaultInfinity: true });
		case "string":
			return toText(schema);
		case "array":
			return toArray(schema, inner, depth);
		case "object":
			return toObject(schema, inner, depth);
		default:
			return fc.jsonValue({ maxDepth: 2 });
	}
}

const isNested = ({ type, $ref }: JsonSchema): boolean =>
	type === "array" || type === "object" || $ref !== undefined;

function toRange({ minimum, maximum }: JsonSchema): { readonly min: number; readonly max: number } {
	const min = typeof minimum === "number" ? Math.max(minimum, -1_000_000) : 0;
	const max = typeof maximum === "number" ? Math.min(maximum, 1_000_000) : 1_000;
	return { min, max: Math.max(min, max) };
}

/** Text of any characters: made once, as the library lists all of Unicode for it. */
const ANY_TEXT = fc.string({ maxLength: 20, unit: "binary" });
const matching = new Map<string, fc.Arbitrary<string>>();

/** Text of a pattern; any text for a pattern with parts that the library cannot follow. */
function toMatchingText(pattern: string): fc.Arbitrary<string> {
	let known = matching.get(pattern);
	if (known === undefined) {
		try {
			known = fc.stringMatching(new RegExp(pattern));
		} catch {
			known = fc.string();
		}
		matching.set(pattern, known);
	}
	return known;
}

function toText({ pattern, minLength = 0, maxLength = MAX_TEXT }: JsonSchema): fc.Arbitrary<string> {
	if (typeof pattern === "string") return toMatchingText(pattern);
	const length = { minLength: Number(minLength), maxLength: Math.min(Number(maxLength), MAX_TEXT) };
	const texts = [fc.string(length), fc.constant("a".repeat(length.minLength || 1))];
	return fc.oneof(...texts, ...(length.minLength <= 1 && length.maxLength >= 20 ? [ANY_TEXT] : []));
}

function toArray(
	{ items, minItems = 0, maxItems = MAX_ITEMS }: JsonSchema,
	inner: (part: unknown) => fc.Arbitrary<unknown>,
	depth: number,
): fc.Arbitrary<unknown> {
	const minLength = Number(minItems);
	const maxLength =
		depth < MAX_DEPTH ? Math.max(minLength, Math.min(Number(maxItems), MAX_ITEMS)) : minLength;
	return fc.array(inner(items), { minLength, maxLength });
}

function toObject(
	{ properties = {}, required = [], additionalProperties, propertyNames }: JsonSchema,
	inner: (part: unknown) => fc.Arbitrary<unknown>,
	depth: number,
): fc.Arbitrary<unknown> {
	const requiredKeys = required as string[];
	const names = Object.keys(properties as object).filter(
		(name) => depth < MAX_DEPTH || requiredKeys.includes(name),
	);
	const known = Object.fromEntries(
		names.map((name) => [name, inner((properties as { readonly [name: string]: unknown })[name])]),
	);
	const fields = fc.record(known, { requiredKeys: requiredKeys.filter((name) => name in known) });
	if (typeof additionalProperties !== "object" || depth >= MAX_DEPTH) return fields;
	const more = fc.dictionary(
		inner(propertyNames ?? { type: "string" }) as fc.Arbitrary<string>,
		inner(additionalProperties),
		{
			maxKeys: 3,
		},
	);
	return fc.tuple(fields, more).map(([first, second]) => ({ ...second, ...first }));
}
