import { ConfigurationError } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";

/** A part of a saved run of which nothing is taken on trust. Each reads one field, or refuses the run. */
export interface SavedFields {
	readonly place: string;
	text(name: string): string;
	/** A whole number, 0 or more. */
	count(name: string): number;
	/** Any number. */
	figure(name: string): number;
	flag(name: string): boolean;
	list(name: string): readonly unknown[];
	/** Anything, also nothing. */
	any(name: string): unknown;
	/** What `name` holds, where it is not `null`. */
	optional<Value>(name: string, read: (name: string) => Value): Value | undefined;
}

export function readFields(value: unknown, place: string): SavedFields {
	if (!isJsonObject(value)) throw invalidRun(place, "an object");
	const any = (name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);
	const at = (name: string): string => `${place}.${name}`;

	function demand<Type>(name: string, is: (field: unknown) => field is Type, expected: string): Type {
		const field = any(name);
		if (!is(field)) throw invalidRun(at(name), expected);
		return field;
	}

	return {
		place,
		any,
		text: (name) => demand(name, isText, "text"),
		count: (name) => demand(name, isCount, "a whole number, 0 or more"),
		figure: (name) => demand(name, isFigure, "a number"),
		flag: (name) => demand(name, isFlag, "true or false"),
		list: (name) => demand(name, isList, "a list"),
		optional: (name, read) => (any(name) === null || any(name) === undefined ? undefined : read(name)),
	};
}

/** The fields of each element of a list. */
export const readEach = (fields: SavedFields, name: string): SavedFields[] =>
	fields.list(name).map((element, index) => readFields(element, `${fields.place}.${name}[${index}]`));

export const isText = (value: unknown): value is string => typeof value === "string";
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isFigure = (value: unknown): value is number => Number.isFinite(value);
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** @param expected - what should be at the place. Never what is there: runs hold what users wrote. */
export const invalidRun = (place: string, expected: string): ConfigurationError =>
	refuseRun(`\`${place}\` is not ${expected}.`);

export const refuseRun = (problem: string): ConfigurationError =>
	new ConfigurationError(`This is not a run that was saved: ${problem}`, {
		code: "invalid_run",
		hint: "Pass what `serialize` gave, or the same from JSON.parse, whole and unchanged.",
	});
