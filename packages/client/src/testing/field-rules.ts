import { formatPath, type Json } from "@stemma/core";
import { closestName, readRunInput } from "@stemma/core/internal";

/** One thing that is wrong with a request, said as a service says it. */
export interface FieldProblem {
	/** `history[0].role`; empty for the whole. */
	readonly path: string;
	/** A sentence without its subject: `must be a string, got a number`. */
	readonly message: string;
	readonly isUnknownField?: boolean;
	/** The message is whole sentences. */
	readonly isSentence?: boolean;
}

/** All that is wrong with a value. */
export type FieldRule = (value: unknown, path: string) => readonly FieldProblem[];

const NO_PROBLEMS: readonly FieldProblem[] = [];

const toProblem = (path: string, message: string): readonly FieldProblem[] => [{ path, message }];

/** An object with these fields, and no others. */
export const fields =
	(rules: Readonly<Record<string, FieldRule>>): FieldRule =>
	(value, path) => {
		if (!isObject(value)) return wrongType("an object", value, path);
		const toPath = (name: string): string => (path === "" ? name : `${path}.${name}`);
		const known = Object.keys(rules);
		return [
			...Object.entries(rules).flatMap(([name, rule]) => rule(value[name], toPath(name))),
			...Object.keys(value)
				.filter((name) => !known.includes(name))
				.map((name) => ({
					path: toPath(name),
					message: describeUnknownField(name, known),
					isUnknownField: true,
				})),
		];
	};

function describeUnknownField(name: string, known: readonly string[]): string {
	const suggestion = closestName(name, known);
	const hint =
		suggestion === undefined ? `; the fields are ${known.join(", ")}` : `. Did you mean "${suggestion}"?`;
	return `is not a known field${hint}`;
}

/** Returns a rule for a field that may be left out. */
export const optional =
	(rule: FieldRule): FieldRule =>
	(value, path) =>
		value === undefined ? NO_PROBLEMS : rule(value, path);

/** JSON; what is meant as a conversation must be one. */
export const runInput: FieldRule = (value, path) => {
	if (value === undefined) return toProblem(path, "is missing");
	// It was sent as JSON.
	const result = readRunInput(value as Json);
	if ("input" in result) return NO_PROBLEMS;
	return result.issues.map((issue) => ({
		path: formatPath([path, ...issue.path]),
		message: issue.message,
		isSentence: true,
	}));
};

export const anyObject: FieldRule = (value, path) =>
	isObject(value) ? NO_PROBLEMS : wrongType("an object", value, path);

export const booleanField: FieldRule = (value, path) =>
	typeof value === "boolean" ? NO_PROBLEMS : wrongType("true or false", value, path);

export const text =
	({ min = 0, max = Number.POSITIVE_INFINITY } = {}): FieldRule =>
	(value, path) => {
		if (typeof value !== "string") return wrongType("a string", value, path);
		if (value.trim().length < min) return toProblem(path, "must not be empty");
		return value.length > max
			? toProblem(path, `must have at most ${max.toLocaleString("en")} characters`)
			: NO_PROBLEMS;
	};

/** Text that fits, or the problem in words. */
export const pattern =
	(regex: RegExp, message: string): FieldRule =>
	(value, path) =>
		regex.test(String(value)) ? NO_PROBLEMS : toProblem(path, message);

export const number =
	({ min, max, isInteger = false }: { min: number; max: number; isInteger?: boolean }): FieldRule =>
	(value, path) => {
		if (typeof value !== "number") return wrongType("a number", value, path);
		if (isInteger && !Number.isInteger(value))
			return toProblem(path, "must be a whole number, got a fraction");
		if (value < min) return toProblem(path, `must be at least ${min}`);
		return value > max ? toProblem(path, `must be at most ${max}`) : NO_PROBLEMS;
	};

export const list =
	(rule: FieldRule, { min = 0, max }: { min?: number; max: number }): FieldRule =>
	(value, path) => {
		if (!Array.isArray(value)) return wrongType("a list", value, path);
		if (value.length < min) return toProblem(path, "must have at least one item");
		if (value.length > max) return toProblem(path, `must have at most ${max} items`);
		return value.flatMap((item, index) => rule(item, `${path}[${index}]`));
	};

export const oneOf =
	(choices: readonly string[]): FieldRule =>
	(value, path) => {
		if (value === undefined) return toProblem(path, "is missing");
		if (choices.includes(String(value))) return NO_PROBLEMS;
		const suggestion = closestName(String(value), choices);
		const names = choices.map((choice) => JSON.stringify(choice)).join(", ");
		return toProblem(
			path,
			`must be ${choices.length === 1 ? "" : "one of "}${names}${suggestion === undefined ? "" : `. Did you mean "${suggestion}"?`}`,
		);
	};

const wrongType = (kind: string, value: unknown, path: string): readonly FieldProblem[] =>
	toProblem(path, value === undefined ? "is missing" : `must be ${kind}, got ${describeType(value)}`);

function describeType(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "a list";
	if (typeof value === "object") return "an object";
	return typeof value === "boolean" ? String(value) : `a ${typeof value}`;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null && !Array.isArray(value);
