import type { Json } from "@stemma/core";
import { type Application, applyBelow, report, toCount } from "./application";
import { toCanonicalText } from "./equal-json";
import type { Keyword } from "./keywords";

type Items = readonly Json[];

const ofArray =
	(check: (application: Application, value: Items, argument: Json) => boolean): Keyword =>
	(application, argument) => {
		const { value } = application;
		return !Array.isArray(value) || check(application, value, argument);
	};

/** Applies a schema to the items from one index on; all are looked at, so that all errors are known. */
function checkFrom(application: Application, value: Items, start: number, schema: Json): boolean {
	let isValid = true;
	for (let index = start; index < value.length; index++) {
		application.evaluated?.items.add(index);
		if (!applyBelow(application, schema, index, value[index] ?? null)) isValid = false;
	}
	return isValid;
}

/** Applies a schema of a list to the item at its place. */
function checkEach(application: Application, value: Items, schemas: Json): boolean {
	let isValid = true;
	const list = Array.isArray(schemas) ? schemas : [];
	for (let index = 0; index < Math.min(list.length, value.length); index++) {
		application.evaluated?.items.add(index);
		if (!applyBelow(application, list[index], index, value[index] ?? null)) isValid = false;
	}
	return isValid;
}

const lengthOf = (schemas: Json | undefined): number => (Array.isArray(schemas) ? schemas.length : 0);

const checkItems = ofArray((application, value, argument) =>
	Array.isArray(argument)
		? checkEach(application, value, argument)
		: checkFrom(application, value, lengthOf(application.schema.prefixItems), argument),
);

/** Of drafts before 2020-12: behind the list of `items`. */
const checkAdditional = ofArray((application, value, argument) => {
	const { items } = application.schema;
	return !Array.isArray(items) || checkFrom(application, value, items.length, argument);
});

const checkUnevaluated = ofArray((application, value, argument) => {
	let isValid = true;
	for (const [index, item] of value.entries()) {
		application.run.budget.spend(1);
		if (application.evaluated?.items.has(index) === true) continue;
		application.evaluated?.items.add(index);
		if (!applyBelow(application, argument, index, item)) isValid = false;
	}
	return isValid;
});

const checkContains = ofArray((application, value, argument) => {
	const { errors } = application.run;
	const min = toCount(application.schema.minContains, 1);
	const max = toCount(application.schema.maxContains, Number.POSITIVE_INFINITY);
	const before = errors.length;
	let count = 0;
	for (const [index, item] of value.entries())
		if (applyBelow(application, argument, index, item)) {
			application.evaluated?.items.add(index);
			count += 1;
		}
	// Those of the items that it is not count only where there are too few.
	if (count >= min) errors.length = Math.min(errors.length, before);
	if (count < min)
		return report(
			application,
			() => `Array must contain at least ${min} items matching schema. Only ${count} items were found.`,
		);
	if (count <= max) return true;
	return report(
		application,
		() => `Array may contain at most ${max} items matching schema. ${count} items were found.`,
	);
});

const checkUnique = ofArray((application, value, argument) => {
	if (argument !== true) return true;
	const places = new Map<string, number>();
	for (const [index, item] of value.entries()) {
		const text = toCanonicalText(item, application.run.budget);
		const other = places.get(text);
		if (other !== undefined)
			return report(application, () => `Duplicate items at indexes ${other} and ${index}.`);
		places.set(text, index);
	}
	return true;
});

/** Keywords of arrays. */
export const ARRAY_KEYWORDS: readonly (readonly [string, Keyword])[] = [
	[
		"minItems",
		ofArray(
			(application, { length }, limit) =>
				length >= toCount(limit, 0) ||
				report(application, () => `Array has too few items (${length} < ${limit}).`),
		),
	],
	[
		"maxItems",
		ofArray(
			(application, { length }, limit) =>
				length <= toCount(limit, Number.POSITIVE_INFINITY) ||
				report(application, () => `Array has too many items (${length} > ${limit}).`),
		),
	],
	["prefixItems", ofArray(checkEach)],
	["items", checkItems],
	["additionalItems", checkAdditional],
	["contains", checkContains],
	["uniqueItems", checkUnique],
	["unevaluatedItems", checkUnevaluated],
];
