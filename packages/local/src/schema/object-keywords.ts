import type { Json } from "@stemma/core";
import { type Application, applyBelow, applyHere, holdsPattern, report } from "./application";
import type { Keyword } from "./keywords";
import { listMembers, type SchemaMembers } from "./list-members";
import { isSchemaObject, type SchemaObject } from "./resolve-references";

const ofObject =
	(check: (application: Application, value: SchemaObject, argument: Json) => boolean): Keyword =>
	(application, argument) => {
		const { value } = application;
		return !isSchemaObject(value) || check(application, value, argument);
	};

const mapOf = (argument: Json | undefined): SchemaObject => (isSchemaObject(argument) ? argument : {});
const namesIn = (argument: Json | undefined): readonly Json[] => (Array.isArray(argument) ? argument : []);

/** Members of an argument. */
function membersOf({ run }: Application, argument: Json | undefined): SchemaMembers {
	const members = listMembers(mapOf(argument));
	run.budget.spend(members.length);
	return members;
}

/** Names of the value's members. */
function namesOf({ run }: Application, value: SchemaObject): readonly string[] {
	const names = Object.keys(value);
	run.budget.spend(names.length);
	return names;
}

const has = (value: SchemaObject, name: string): boolean => Object.hasOwn(value, name);

/** Applies a schema to each of these members; all are looked at, so that all errors are known. */
function checkMembers(
	application: Application,
	members: Iterable<readonly [name: string, schema: Json]>,
): boolean {
	const { value, evaluated, run } = application;
	const object = mapOf(value);
	let isValid = true;
	for (const [name, schema] of members) {
		run.budget.spend(1);
		if (!has(object, name)) continue;
		evaluated?.names.add(name);
		if (!applyBelow(application, schema, name, object[name] ?? null)) isValid = false;
	}
	return isValid;
}

const checkProperties = ofObject((application, _, argument) =>
	checkMembers(application, membersOf(application, argument)),
);

const checkPatternProperties = ofObject((application, value, argument) => {
	const names = namesOf(application, value);
	const members = membersOf(application, argument).flatMap(([pattern, schema]) =>
		names
			.filter((name) => holdsPattern(application.run, pattern, name))
			.map((name) => [name, schema] as const),
	);
	return checkMembers(application, members);
});

const checkAdditional = ofObject((application, value, argument) => {
	const { run, schema } = application;
	const properties = mapOf(schema.properties);
	const patterns = membersOf(application, schema.patternProperties);
	const additional = namesOf(application, value).filter(
		(name) => !has(properties, name) && !patterns.some(([pattern]) => holdsPattern(run, pattern, name)),
	);
	return checkMembers(
		application,
		additional.map((name) => [name, argument] as const),
	);
});

const checkUnevaluated = ofObject((application, value, argument) => {
	const rest = namesOf(application, value).filter((name) => application.evaluated?.names.has(name) !== true);
	return checkMembers(
		application,
		rest.map((name) => [name, argument] as const),
	);
});

const checkRequired = ofObject((application, value, argument) => requireNames(application, value, argument));

function requireNames(
	application: Application,
	value: SchemaObject,
	argument: Json | undefined,
	beside?: string,
): boolean {
	const names = namesIn(argument);
	application.run.budget.spend(names.length);
	const missing = names.filter((name) => typeof name === "string" && !has(value, name));
	for (const name of missing)
		report(application, () =>
			beside === undefined
				? `Instance does not have required property "${name}".`
				: `Instance has "${beside}" but does not have "${name}".`,
		);
	return missing.length === 0;
}

const checkDependent = ofObject((application, value, argument) => {
	const dependent = membersOf(application, argument).filter(([name]) => has(value, name));
	const failed = dependent.filter(([name, wanted]) =>
		Array.isArray(wanted) ? !requireNames(application, value, wanted, name) : !applyHere(application, wanted),
	);
	return failed.length === 0;
});

const checkNames = ofObject((application, value, argument) => {
	const failed = namesOf(application, value).filter((name) => !applyBelow(application, argument, name, name));
	return failed.length === 0;
});

const ofCount =
	(isKept: (count: number, limit: number) => boolean, describe: (limit: number) => string): Keyword =>
	(application, argument) => {
		const { value } = application;
		if (!isSchemaObject(value) || typeof argument !== "number") return true;
		return (
			isKept(namesOf(application, value).length, argument) || report(application, () => describe(argument))
		);
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
