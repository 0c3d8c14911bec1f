import type { Json } from "@stemma/core";
import { toCanonicalText } from "./equal-json";
import { applyToChild, type Keyword, type KeywordContext, report, toCount } from "./keyword-context";

type Items = readonly Json[];

const ofArray =
	(check: (context: KeywordContext, value: Items, argument: Json) => boolean): Keyword =>
	(context, argument) => {
		const { value } = context;
		return !Array.isArray(value) || check(context, value, argument);
	};

/** Applies a schema to the items from one index on; all are looked at, so that all errors are known. */
function checkFrom(context: KeywordContext, value: Items, start: number, schema: Json): boolean {
	let isValid = true;
	for (let index = start; index < value.length; index++) {
		context.evaluated?.items.add(index);
		if (!applyToChild(context, schema, index, value[index] ?? null)) isValid = false;
	}
	return isValid;
}

/** Applies a schema of a list to the item at its place. */
function checkEach(context: KeywordContext, value: Items, schemas: Json): boolean {
	let isValid = true;
	const list = Array.isArray(schemas) ? schemas : [];
	for (let index = 0; index < Math.min(list.length, value.length); index++) {
		context.evaluated?.items.add(index);
		if (!applyToChild(context, list[index], index, value[index] ?? null)) isValid = false;
	}
	return isValid;
}

const lengthOf = (schemas: Json | undefined): number => (Array.isArray(schemas) ? schemas.length : 0);

const checkItems = ofArray((context, value, argument) =>
	Array.isArray(argument)
		? checkEach(context, value, argument)
		: checkFrom(context, value, lengthOf(context.schema.prefixItems), argument),
);

/** Checks the items after the list of `items`, in drafts before 2020-12. */
const checkAdditional = ofArray((context, value, argument) => {
	const { items } = context.schema;
	return !Array.isArray(items) || checkFrom(context, value, items.length, argument);
});

const checkUnevaluated = ofArray((context, value, argument) => {
	let isValid = true;
	for (const [index, item] of value.entries()) {
		context.run.budget.spend(1);
		if (context.evaluated?.items.has(index) === true) continue;
		context.evaluated?.items.add(index);
		if (!applyToChild(context, argument, index, item)) isValid = false;
	}
	return isValid;
});

const checkContains = ofArray((context, value, argument) => {
	const { errors } = context.run;
	const min = toCount(context.schema.minContains, 1);
	const max = toCount(context.schema.maxContains, Number.POSITIVE_INFINITY);
	const before = errors.length;
	let count = 0;
	for (const [index, item] of value.entries())
		if (applyToChild(context, argument, index, item)) {
			context.evaluated?.items.add(index);
			count += 1;
		}
	// Those of the items that it is not count only where there are too few.
	if (count >= min) errors.length = Math.min(errors.length, before);
	if (count < min)
		return report(
			context,
			() => `Array must contain at least ${min} items matching schema. Only ${count} items were found.`,
		);
	if (count <= max) return true;
	return report(
		context,
		() => `Array may contain at most ${max} items matching schema. ${count} items were found.`,
	);
});

const checkUnique = ofArray((context, value, argument) => {
	if (argument !== true) return true;
	const indexes = new Map<string, number>();
	for (const [index, item] of value.entries()) {
		const text = toCanonicalText(item, context.run.budget);
		const firstIndex = indexes.get(text);
		if (firstIndex !== undefined)
			return report(context, () => `Duplicate items at indexes ${firstIndex} and ${index}.`);
		indexes.set(text, index);
	}
	return true;
});

/** Keywords of arrays. */
export const ARRAY_KEYWORDS: readonly (readonly [string, Keyword])[] = [
	[
		"minItems",
		ofArray(
			(context, { length }, limit) =>
				length >= toCount(limit, 0) ||
				report(context, () => `Array has too few items (${length} < ${limit}).`),
		),
	],
	[
		"maxItems",
		ofArray(
			(context, { length }, limit) =>
				length <= toCount(limit, Number.POSITIVE_INFINITY) ||
				report(context, () => `Array has too many items (${length} > ${limit}).`),
		),
	],
	["prefixItems", ofArray(checkEach)],
	["items", checkItems],
	["additionalItems", checkAdditional],
	["contains", checkContains],
	["uniqueItems", checkUnique],
	["unevaluatedItems", checkUnevaluated],
];
