import { ConfigurationError, type Json } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";

/** A part of a saved run of which nothing is taken on trust. Each reads one field, or refuses the run. */
export interface SavedFields {
	readonly path: string;
	text(name: string): string;
	/** A whole number, 0 or more. */
	count(name: string): number;
	/** Any number. */
	number(name: string): number;
	flag(name: string): boolean;
	list(name: string): readonly Json[];
	/** Returns the field's value of any type, or `undefined`. */
	any(name: string): Json | undefined;
	/** Reads the field `name` if it is not `null`. */
	optional<Value>(name: string, read: (name: string) => Value): Value | undefined;
}

export function readFields(value: Json | undefined, path: string): SavedFields {
	if (!isJsonObject(value)) throw invalidField(path, "an object");
	const any = (name: string): Json | undefined => (Object.hasOwn(value, name) ? value[name] : undefined);
	const at = (name: string): string => `${path}.${name}`;

	function readAs<Type extends Json>(
		name: string,
		is: (field: Json | undefined) => field is Type,
		expected: string,
	): Type {
		const field = any(name);
		if (!is(field)) throw invalidField(at(name), expected);
		return field;
	}

	return {
		path,
		any,
		text: (name) => readAs(name, isText, "text"),
		count: (name) => readAs(name, isCount, "a whole number, 0 or more"),
		number: (name) => readAs(name, isNumber, "a number"),
		flag: (name) => readAs(name, isFlag, "true or false"),
		list: (name) => readAs(name, isList, "a list"),
		optional: (name, read) => (any(name) === null || any(name) === undefined ? undefined : read(name)),
	};
}

/** The fields of each element of a list. */
export const readEach = (fields: SavedFields, name: string): SavedFields[] =>
	fields.list(name).map((element, index) => readFields(element, `${fields.path}.${name}[${index}]`));

export const isText = (value: unknown): value is string => typeof value === "string";
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
export const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** @param expected - what should be at the place. Never what is there: runs hold what users wrote. */
export const invalidField = (path: string, expected: string): ConfigurationError =>
	invalidRunError(`\`${path}\` is not ${expected}.`);

export const invalidRunError = (problem: string): ConfigurationError =>
	new ConfigurationError(`This is not a saved run: ${problem}`, {
		code: "invalid_run",
		hint: "Pass the unchanged result of `serialize`, or the same after JSON.parse.",
	});
