import type { Json } from "@stemma/core";
import {
	applyInPlace,
	applyToChild,
	type Keyword,
	type KeywordContext,
	report,
	testPattern,
} from "./keyword-context";
import { listMembers, type SchemaMembers } from "./list-members";
import { isSchemaObject, type SchemaObject } from "./resolve-references";

const ofObject =
	(check: (context: KeywordContext, value: SchemaObject, argument: Json) => boolean): Keyword =>
	(context, argument) => {
		const { value } = context;
		return !isSchemaObject(value) || check(context, value, argument);
	};

const mapOf = (argument: Json | undefined): SchemaObject => (isSchemaObject(argument) ? argument : {});
const namesIn = (argument: Json | undefined): readonly Json[] => (Array.isArray(argument) ? argument : []);

/** Members of an argument. */
function membersOf({ run }: KeywordContext, argument: Json | undefined): SchemaMembers {
	const members = listMembers(mapOf(argument));
	run.budget.spend(members.length);
	return members;
}

/** Names of the value's members. */
function namesOf({ run }: KeywordContext, value: SchemaObject): readonly string[] {
	const names = Object.keys(value);
	run.budget.spend(names.length);
	return names;
}

const has = (value: SchemaObject, name: string): boolean => Object.hasOwn(value, name);

/** Applies a schema to each of these members; all are looked at, so that all errors are known. */
function checkMembers(
	context: KeywordContext,
	members: Iterable<readonly [name: string, schema: Json]>,
): boolean {
	const { value, evaluated, run } = context;
	const object = mapOf(value);
	let isValid = true;
	for (const [name, schema] of members) {
		run.budget.spend(1);
		if (!has(object, name)) continue;
		evaluated?.names.add(name);
		if (!applyToChild(context, schema, name, object[name] ?? null)) isValid = false;
	}
	return isValid;
}

const checkProperties = ofObject((context, _, argument) =>
	checkMembers(context, membersOf(context, argument)),
);

const checkPatternProperties = ofObject((context, value, argument) => {
	const names = namesOf(context, value);
	const members = membersOf(context, argument).flatMap(([pattern, schema]) =>
		names.filter((name) => testPattern(context.run, pattern, name)).map((name) => [name, schema] as const),
	);
	return checkMembers(context, members);
});

const checkAdditional = ofObject((context, value, argument) => {
	const { run, schema } = context;
	const properties = mapOf(schema.properties);
	const patterns = membersOf(context, schema.patternProperties);
	const additional = namesOf(context, value).filter(
		(name) => !has(properties, name) && !patterns.some(([pattern]) => testPattern(run, pattern, name)),
	);
	return checkMembers(
		context,
		additional.map((name) => [name, argument] as const),
	);
});

const checkUnevaluated = ofObject((context, value, argument) => {
	const rest = namesOf(context, value).filter((name) => context.evaluated?.names.has(name) !== true);
	return checkMembers(
		context,
		rest.map((name) => [name, argument] as const),
	);
});

const checkRequired = ofObject((context, value, argument) => requireNames(context, value, argument));

function requireNames(
	context: KeywordContext,
	value: SchemaObject,
	argument: Json | undefined,
	dependentOn?: string,
): boolean {
	const names = namesIn(argument);
	context.run.budget.spend(names.length);
	const missing = names.filter((name) => typeof name === "string" && !has(value, name));
	for (const name of missing)
		report(context, () =>
			dependentOn === undefined
				? `Instance does not have required property "${name}".`
				: `Instance has "${dependentOn}" but does not have "${name}".`,
		);
	return missing.length === 0;
}

const checkDependent = ofObject((context, value, argument) => {
	const dependent = membersOf(context, argument).filter(([name]) => has(value, name));
	const failed = dependent.filter(([name, wanted]) =>
		Array.isArray(wanted) ? !requireNames(context, value, wanted, name) : !applyInPlace(context, wanted),
	);
	return failed.length === 0;
});

const checkNames = ofObject((context, value, argument) => {
	const failed = namesOf(context, value).filter((name) => !applyToChild(context, argument, name, name));
	return failed.length === 0;
});

const ofCount =
	(isKept: (count: number, limit: number) => boolean, describe: (limit: number) => string): Keyword =>
	(context, argument) => {
		const { value } = context;
		if (!isSchemaObject(value) || typeof argument !== "number") return true;
		return isKept(namesOf(context, value).length, argument) || report(context, () => describe(argument));
	};

/** Keywords of objects. */
export const OBJECT_KEYWORDS: readonly (readonly [string, Keyword])[] = [
	["required", checkRequired],
	["properties", checkProperties],
	["patternProperties", checkPatternProperties],
	["additionalProperties", checkAdditional],
	["unevaluatedProperties", checkUnevaluated],
	["propertyNames", checkNames],
	["dependentRequired", checkDependent],
	["dependentSchemas", checkDependent],
	["dependencies", checkDependent],
	[
		"minProperties",
		ofCount(
			(count, limit) => count >= limit,
			(limit) => `Instance does not have at least ${limit} properties.`,
		),
	],
	[
		"maxProperties",
		ofCount(
			(count, limit) => count <= limit,
			(limit) => `Instance has more than ${limit} properties.`,
		),
	],
];
