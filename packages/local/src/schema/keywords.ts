import type { Json } from "@stemma/core";
import { ARRAY_KEYWORDS } from "./array-keywords";
import { isEqualJson } from "./equal-json";
import { applyInPlace, createEvaluated, type Keyword, report, testInPlace } from "./keyword-context";
import { OBJECT_KEYWORDS } from "./object-keywords";
import { SCALAR_KEYWORDS } from "./scalar-keywords";

const MAX_SHOWN_CHARACTERS = 1_000;
const MAX_SHOWN_TYPES = 10;

/** Texts of arguments that were shown: several errors have the same one. */
const shown = new WeakMap<object, string>();

function shorten(value: Json): string {
	if (typeof value !== "object" || value === null) return cut(JSON.stringify(value));
	const text = shown.get(value) ?? cut(JSON.stringify(value));
	shown.set(value, text);
	return text;
}

const cut = (text: string): string =>
	text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;

const listOf = (argument: Json): readonly Json[] => (Array.isArray(argument) ? argument : []);

/** Name of a value's type: that of JSON Schema, without `integer`. */
function typeOf(value: Json): string {
	if (value === null) return "null";
	return Array.isArray(value) ? "array" : typeof value;
}

const checkType: Keyword = (context, argument) => {
	const { value } = context;
	const own = typeOf(value);
	const types = Array.isArray(argument) ? argument : [argument];
	context.run.budget.spend(types.length);
	const isInteger = typeof value === "number" && value % 1 === 0;
	if (types.some((type) => type === own || (type === "integer" && isInteger))) return true;
	return report(
		context,
		() => `Instance type "${own}" is invalid. Expected "${types.slice(0, MAX_SHOWN_TYPES).join('", "')}".`,
	);
};

const checkConst: Keyword = (context, argument) =>
	isEqualJson(context.value, argument, context.run.budget) ||
	report(context, () => `Instance does not match ${shorten(argument)}.`);

const checkEnum: Keyword = (context, argument) =>
	listOf(argument).some((one) => isEqualJson(context.value, one, context.run.budget)) ||
	report(context, () => `Instance does not match any of ${shorten(argument)}.`);

const checkReference: Keyword = (context) =>
	applyInPlace(context, context.run.prepared.references.resolve(context.schema));

const checkAllOf: Keyword = (context, argument) =>
	listOf(argument).filter((schema) => !applyInPlace(context, schema)).length === 0;

const checkAnyOf: Keyword = (context, argument) => {
	const { errors } = context.run;
	const before = errors.length;
	if (listOf(argument).filter((schema) => applyInPlace(context, schema)).length > 0) {
		errors.length = Math.min(errors.length, before);
		return true;
	}
	return report(context, () => "Instance does not match any subschemas.");
};

const checkOneOf: Keyword = (context, argument) => {
	const { errors } = context.run;
	const before = errors.length;
	const matches = listOf(argument).filter((schema) => applyInPlace(context, schema)).length;
	if (matches > 0) errors.length = Math.min(errors.length, before);
	if (matches === 1) return true;
	return report(context, () => `Instance does not match exactly one subschema (${matches} matches).`);
};

const checkNot: Keyword = (context, argument) =>
	!testInPlace({ ...context, evaluated: context.evaluated && createEvaluated() }, argument) ||
	report(context, () => 'Instance matched "not" schema.');

const checkIf: Keyword = (context, argument) => {
	const branch = context.schema[testInPlace(context, argument) ? "then" : "else"];
	return branch === undefined || applyInPlace(context, branch);
};

/** Keywords of JSON Schema, draft 2020-12, and `dependencies`, `additionalItems` and lists of `items` of earlier ones. */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
	["type", checkType],
	["const", checkConst],
	["enum", checkEnum],
	["$ref", checkReference],
	["allOf", checkAllOf],
	["anyOf", checkAnyOf],
	["oneOf", checkOneOf],
	["not", checkNot],
	["if", checkIf],
	...SCALAR_KEYWORDS,
	...OBJECT_KEYWORDS,
	...ARRAY_KEYWORDS,
]);
