import { formatPath, type Json, type JsonSchema } from "@stemma/core";
import { closestName, isJsonObject } from "@stemma/core/internal";
import { createStepBudget } from "./budget";
import { compilePattern, spendPatternCost } from "./compile-pattern";
import { isPattern, toUnicodePattern } from "./unicode-pattern";
import { describeFailure, findReferenceProblem } from "./validate-schema";

type Path = readonly (string | number)[];
type Check = (value: Json, path: Path) => string | undefined;

/**
 * Describes the first mistake in a JSON Schema (draft 2020-12): an unknown type, a `$ref` that leads nowhere, a pattern
 * that is no regular expression, or one that cannot be matched in bounded time. Returns undefined for a schema without one.
 * {@link validateSchema} ignores some of these and fails at others only when it is used.
 */
export function findSchemaProblem(schema: JsonSchema): string | undefined {
	return checkSchema(schema, []) ?? findReferenceProblem(schema);
}

function checkSchema(schema: Json, path: Path): string | undefined {
	if (typeof schema === "boolean") return undefined;
	if (!isJsonObject(schema))
		return describeProblem(path, "is not a schema, which is an object, or true or false");
	// What JSON has as an object holds JSON.
	for (const [keyword, value] of Object.entries(schema)) {
		const problem = CHECKS.get(keyword)?.(value, [...path, keyword]);
		if (problem !== undefined) return problem;
	}
	return undefined;
}

const describeProblem = (path: Path, problem: string): string => `\`${formatPath(path)}\` ${problem}`;

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];

const checkType: Check = (value, path) => {
	for (const type of Array.isArray(value) ? value : [value]) {
		if (typeof type === "string" && TYPES.includes(type)) continue;
		const close = typeof type === "string" ? closestName(type, TYPES) : undefined;
		const advice = close === undefined ? `: ${TYPES.join(", ")}` : `; did you mean "${close}"?`;
		return describeProblem(path, `is ${JSON.stringify(type)}, which is not a type of JSON Schema${advice}`);
	}
	return undefined;
};

const checkPattern: Check = (value, path) => {
	const budget = createStepBudget();
	try {
		spendPatternCost(String(value), budget);
		const pattern = toUnicodePattern(String(value));
		if (!isPattern(pattern, "u"))
			return describeProblem(
				path,
				`has ${JSON.stringify(value)}, which is not a regular expression (with the flag u)`,
			);
		compilePattern(pattern, budget);
		return undefined;
	} catch (error) {
		return describeProblem(path, `has the pattern ${JSON.stringify(value)}: ${describeFailure(error)}`);
	}
};

const checkNames: Check = (value, path) =>
	Array.isArray(value) && value.every((name) => typeof name === "string")
		? undefined
		: describeProblem(path, "has to be a list of names, beside `properties`");

const checkNumber: Check = (value, path) =>
	typeof value === "number" ? undefined : describeProblem(path, "has to be a number");

const checkList: Check = (value, path) =>
	Array.isArray(value) ? undefined : describeProblem(path, "has to be a list");

const checkEach: Check = (value, path) => {
	if (!Array.isArray(value)) return describeProblem(path, "has to be a list of schemas");
	return findFirst(value.map((schema: Json, index) => () => checkSchema(schema, [...path, index])));
};

const checkItems: Check = (value, path) =>
	Array.isArray(value) ? checkEach(value, path) : checkSchema(value, path);

const checkNamed: Check = (value, path) => {
	if (!isJsonObject(value)) return describeProblem(path, "has to be an object with a schema for each name");
	const entries = Object.entries(value);
	return findFirst(
		entries.map(
			([name, schema]) =>
				() =>
					checkSchema(schema, [...path, name]),
		),
	);
};

const checkPatterns: Check = (value, path) =>
	checkNamed(value, path) ??
	findFirst(Object.keys(value ?? {}).map((pattern) => () => checkPattern(pattern, path)));

function findFirst(checks: readonly (() => string | undefined)[]): string | undefined {
	for (const check of checks) {
		const problem = check();
		if (problem !== undefined) return problem;
	}
	return undefined;
}

const forKeywords = (check: Check, keywords: string): [string, Check][] =>
	keywords.split(" ").map((keyword) => [keyword, check]);

/** Checks of the keywords that the validator relies on without checking them itself. */
const CHECKS: ReadonlyMap<string, Check> = new Map([
	...forKeywords(checkType, "type"),
	...forKeywords(checkPattern, "pattern"),
	...forKeywords(checkNames, "required"),
	...forKeywords(checkList, "enum"),
	...forKeywords(checkNumber, "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"),
	...forKeywords(checkNumber, "minLength maxLength minItems maxItems minProperties maxProperties"),
	...forKeywords(checkSchema, "additionalProperties unevaluatedProperties propertyNames unevaluatedItems"),
	...forKeywords(checkSchema, "contains not if then else"),
	...forKeywords(checkItems, "items"),
	...forKeywords(checkEach, "prefixItems allOf anyOf oneOf"),
	...forKeywords(checkNamed, "properties dependentSchemas $defs definitions"),
	...forKeywords(checkPatterns, "patternProperties"),
]);
