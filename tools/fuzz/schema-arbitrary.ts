import fc from "fast-check";
import type { ResponseObject } from "../openapi/breaking-changes";
import type { JsonSchema } from "../openapi/json-schema";

/** Finds the schema of a reference. */
export type Resolve = (reference: string) => JsonSchema;

const MAX_DEPTH = 4;
const MAX_ITEMS = 4;
const MAX_TEXT = 200;
const MAX_KNOWN = 6;

/** What values are made from, besides their schema. */
export interface SchemaContext {
	readonly resolve: Resolve;
	/** Values that a field of this name may have, as it names something that exists. */
	listForField(name: string): readonly unknown[];
	/** Valid body for an operation whose schema says little. */
	findBody(operationId: string): unknown;
	/** Description of a response. */
	describe(response: ResponseObject): string;
}

/** Creates values that a schema allows, as far as JSON Schema says it. */
export function arbitraryOf(schema: JsonSchema, context: SchemaContext, depth = 0): fc.Arbitrary<unknown> {
	const inner = (part: unknown): fc.Arbitrary<unknown> =>
		arbitraryOf((part ?? {}) as JsonSchema, context, depth + 1);
	if (typeof schema.$ref === "string") return arbitraryOf(context.resolve(schema.$ref), context, depth + 1);
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
			return toObject(schema, inner, context, depth);
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
	context: SchemaContext,
	depth: number,
): fc.Arbitrary<unknown> {
	const requiredKeys = required as string[];
	const names = Object.keys(properties as object).filter(
		(name) => depth < MAX_DEPTH || requiredKeys.includes(name),
	);
	const known = Object.fromEntries(
		names.map((name) => {
			const schema = (properties as { readonly [name: string]: JsonSchema })[name] ?? {};
			return [name, withKnownValues(name, schema, inner(schema), context)];
		}),
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

/** Values of a field, most of which exist where the field has a name that says so. */
export function withKnownValues(
	name: string,
	schema: JsonSchema,
	any: fc.Arbitrary<unknown>,
	{ listForField }: SchemaContext,
): fc.Arbitrary<unknown> {
	const isList = schema.type === "array";
	const fitting = listForField(name).filter(
		(value) => typeof value !== "string" || isList || schema.type === "string",
	);
	if (fitting.length === 0) return any;
	const known = fc
		.constantFrom(...fitting.slice(0, MAX_KNOWN))
		.map((value) => (isList && typeof value === "string" ? [value] : value));
	return fc.oneof({ weight: 6, arbitrary: known }, { weight: 1, arbitrary: any });
}
