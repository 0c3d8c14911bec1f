import { isDeepStrictEqual } from "node:util";
import type { OpenApi, Rule } from "./breaking-changes.ts";
import { type JsonSchema, SCHEMA_REFERENCE } from "./json-schema.ts";

/** Comparison of schemas in one direction: clients write requests, and read responses. */
export interface SchemaComparison {
	readonly before: OpenApi;
	readonly after: OpenApi;
	readonly direction: "request" | "response";
	/** Pairs of references that are being compared: schemas may contain themselves. */
	readonly visited?: ReadonlySet<string>;
	report(rule: Rule, at: string): void;
}

/** Reports what a change of a schema breaks. */
export function compareSchemas(
	before: JsonSchema | undefined,
	after: JsonSchema | undefined,
	comparison: SchemaComparison,
	at: string,
): void {
	// Without a schema, anything goes.
	if (before === undefined || after === undefined) return;
	const pair = `${before.$ref} ${after.$ref}`;
	if (comparison.visited?.has(pair)) return;
	const isReference = before.$ref !== undefined || after.$ref !== undefined;
	const visited = isReference ? new Set([...(comparison.visited ?? []), pair]) : comparison.visited;
	const inner = visited === undefined ? comparison : { ...comparison, visited };
	const [known, changed] = [resolve(before, comparison.before), resolve(after, comparison.after)];
	if (isDeepStrictEqual(known, changed) && !isReference && !hasReference(known)) return;
	compareTypes(known, changed, inner, at);
	compareValues(known, changed, inner, at);
	if (inner.direction === "request") compareLimits(known, changed, inner, at);
	compareFields(known, changed, inner, at);
	compareSchemas(toSchema(known.items), toSchema(changed.items), inner, `${at}[]`);
	compareSchemas(toSchema(known.contentSchema), toSchema(changed.contentSchema), inner, at);
	compareSchemas(
		toSchema(known.additionalProperties),
		toSchema(changed.additionalProperties),
		inner,
		`${at}.*`,
	);
	for (const keyword of ["anyOf", "oneOf", "allOf"]) compareParts(keyword, known, changed, inner, at);
}

const hasReference = (schema: JsonSchema): boolean => JSON.stringify(schema).includes('"$ref"');

const toSchema = (value: unknown): JsonSchema | undefined =>
	typeof value === "object" && value !== null ? (value as JsonSchema) : undefined;

const toList = (value: unknown): readonly unknown[] =>
	Array.isArray(value) ? value : value === undefined ? [] : [value];

function resolve(schema: JsonSchema, document: OpenApi): JsonSchema {
	const { $ref } = schema;
	if (typeof $ref !== "string" || !$ref.startsWith(SCHEMA_REFERENCE)) return schema;
	return resolve(document.components?.schemas?.[$ref.slice(SCHEMA_REFERENCE.length)] ?? {}, document);
}

function compareTypes(
	before: JsonSchema,
	after: JsonSchema,
	{ direction, report }: SchemaComparison,
	at: string,
) {
	const [known, changed] = [toList(before.type), toList(after.type)];
	if (known.length === 0 && changed.length === 0) return;
	const covers = (types: readonly unknown[], type: unknown): boolean =>
		types.length === 0 || types.includes(type) || (type === "integer" && types.includes("number"));
	const isWithin = (inner: readonly unknown[], outer: readonly unknown[]): boolean =>
		inner.length === 0 ? outer.length === 0 : inner.every((type) => covers(outer, type));
	if (direction === "request" && !isWithin(known, changed)) report("type_narrowed", at);
	if (direction === "response" && !isWithin(changed, known)) report("type_widened", at);
}

function compareValues(
	before: JsonSchema,
	after: JsonSchema,
	{ direction, report }: SchemaComparison,
	at: string,
) {
	// Clients take values of responses that they do not know.
	if (direction === "response") return;
	const listValues = ({ enum: values, const: value }: JsonSchema): readonly unknown[] => [
		...toList(values),
		...toList(value),
	];
	const [known, changed] = [listValues(before), listValues(after)];
	if (changed.length === 0) return;
	const isRemoved = known.length === 0 || known.some((value) => !changed.includes(value));
	if (isRemoved) report("value_removed", at);
}

const MAXIMA = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const MINIMA = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];

function compareLimits(
	before: JsonSchema,
	after: JsonSchema,
	{ report }: SchemaComparison,
	at: string,
): void {
	const read = (schema: JsonSchema, keyword: string, fallback: number): number =>
		typeof schema[keyword] === "number" ? (schema[keyword] as number) : fallback;
	const isTighter =
		MAXIMA.some(
			(name) => read(after, name, Number.POSITIVE_INFINITY) < read(before, name, Number.POSITIVE_INFINITY),
		) ||
		MINIMA.some(
			(name) => read(after, name, Number.NEGATIVE_INFINITY) > read(before, name, Number.NEGATIVE_INFINITY),
		) ||
		["pattern", "format", "multipleOf"].some(
			(name) => after[name] !== undefined && after[name] !== before[name],
		);
	if (isTighter) report("limit_tightened", at);
}

function compareFields(
	before: JsonSchema,
	after: JsonSchema,
	comparison: SchemaComparison,
	at: string,
): void {
	const { direction, report } = comparison;
	const known = (before.properties ?? {}) as { readonly [name: string]: JsonSchema };
	const changed = (after.properties ?? {}) as { readonly [name: string]: JsonSchema };
	const isOpen = after.additionalProperties !== false && direction === "request";
	for (const [name, schema] of Object.entries(known)) {
		const other = changed[name];
		if (other !== undefined) compareSchemas(schema, other, comparison, `${at}.${name}`);
		else if (!isOpen) report("field_removed", `${at}.${name}`);
	}
	const [required, stillRequired] = [toList(before.required), toList(after.required)];
	if (direction === "request")
		for (const name of stillRequired)
			if (!required.includes(name)) report("field_required", `${at}.${String(name)}`);
	if (direction === "response")
		for (const name of required)
			if (!stillRequired.includes(name) && changed[String(name)] !== undefined)
				report("field_optional", `${at}.${String(name)}`);
}

/** Compares alternatives and parts: an equal one is the same one, else the one at the same place. */
function compareParts(
	keyword: string,
	before: JsonSchema,
	after: JsonSchema,
	comparison: SchemaComparison,
	at: string,
): void {
	const [known, changed] = [toList(before[keyword]), toList(after[keyword])] as [JsonSchema[], JsonSchema[]];
	if (known.length === 0 && changed.length === 0) return;
	const { direction, report } = comparison;
	for (const [index, schema] of known.entries()) {
		const other = changed.find((candidate) => isDeepStrictEqual(candidate, schema)) ?? changed[index];
		if (other !== undefined) compareSchemas(schema, other, comparison, at);
		else if (direction === "request" && keyword !== "allOf") report("type_narrowed", at);
	}
	if (
		direction === "response" &&
		keyword !== "allOf" &&
		known.length > 0 &&
		changed.length > known.length &&
		!hasType(changed)
	)
		report("type_widened", at);
}

/** Checks whether alternatives are objects that a field `type` tells apart, as events are: clients ignore new ones. */
const hasType = (schemas: readonly JsonSchema[]): boolean =>
	schemas.every(
		({ properties, $ref }) =>
			$ref !== undefined || (properties as JsonSchema | undefined)?.type !== undefined,
	);
