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

const RIGHT: readonly FieldProblem[] = [];

const wrong = (path: string, message: string): readonly FieldProblem[] => [{ path, message }];

/** An object with these fields, and no others. */
export const fields =
	(rules: Readonly<Record<string, FieldRule>>): FieldRule =>
	(value, path) => {
		if (!isObject(value)) return notA("an object", value, path);
		const at = (name: string): string => (path === "" ? name : `${path}.${name}`);
		const known = Object.keys(rules);
		return [
			...Object.entries(rules).flatMap(([name, rule]) => rule(value[name], at(name))),
			...Object.keys(value)
				.filter((name) => !known.includes(name))
				.map((name) => ({ path: at(name), message: sayUnknown(name, known), isUnknownField: true })),
		];
	};

function sayUnknown(name: string, known: readonly string[]): string {
	const meant = closestName(name, known);
	const hint = meant === undefined ? `; the fields are ${known.join(", ")}` : `. Did you mean "${meant}"?`;
	return `is not a field that is known here${hint}`;
}

/** May be left out. */
export const optional =
	(rule: FieldRule): FieldRule =>
	(value, path) =>
		value === undefined ? RIGHT : rule(value, path);

/** JSON; what is meant as a conversation must be one. */
export const runInput: FieldRule = (value, path) => {
	if (value === undefined) return wrong(path, "is missing");
	// It was sent as JSON.
	const reading = readRunInput(value as Json);
	if ("input" in reading) return RIGHT;
	return reading.issues.map((issue) => ({
		path: formatPath([path, ...issue.path]),
		message: issue.message,
		isSentence: true,
	}));
};

export const anyObject: FieldRule = (value, path) =>
	isObject(value) ? RIGHT : notA("an object", value, path);

export const flag: FieldRule = (value, path) =>
	typeof value === "boolean" ? RIGHT : notA("true or false", value, path);

export const text =
	({ least = 0, most = Number.POSITIVE_INFINITY } = {}): FieldRule =>
	(value, path) => {
		if (typeof value !== "string") return notA("a string", value, path);
		if (value.trim().length < least) return wrong(path, "must not be empty");
		return value.length > most
			? wrong(path, `must have at most ${most.toLocaleString("en")} characters`)
			: RIGHT;
	};

/** Text that fits, or the problem in words. */
export const pattern =
	(fits: RegExp, message: string): FieldRule =>
	(value, path) =>
		fits.test(String(value)) ? RIGHT : wrong(path, message);

export const number =
	({ least, most, isWhole = false }: { least: number; most: number; isWhole?: boolean }): FieldRule =>
	(value, path) => {
		if (typeof value !== "number") return notA("a number", value, path);
		if (isWhole && !Number.isInteger(value)) return wrong(path, "must be a whole number, got a fraction");
		if (value < least) return wrong(path, `must be at least ${least}`);
		return value > most ? wrong(path, `must be at most ${most}`) : RIGHT;
	};

export const list =
	(rule: FieldRule, { least = 0, most }: { least?: number; most: number }): FieldRule =>
	(value, path) => {
		if (!Array.isArray(value)) return notA("a list", value, path);
		if (value.length < least) return wrong(path, "must have at least one item");
		if (value.length > most) return wrong(path, `must have at most ${most} items`);
		return value.flatMap((item, index) => rule(item, `${path}[${index}]`));
	};

export const oneOf =
	(choices: readonly string[]): FieldRule =>
	(value, path) => {
		if (value === undefined) return wrong(path, "is missing");
		if (choices.includes(String(value))) return RIGHT;
		const meant = closestName(String(value), choices);
		const names = choices.map((choice) => JSON.stringify(choice)).join(", ");
		return wrong(
			path,
			`must be ${choices.length === 1 ? "" : "one of "}${names}${meant === undefined ? "" : `. Did you mean "${meant}"?`}`,
		);
	};

const notA = (kind: string, value: unknown, path: string): readonly FieldProblem[] =>
	wrong(path, value === undefined ? "is missing" : `must be ${kind}, got ${nameKind(value)}`);

function nameKind(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "a list";
	if (typeof value === "object") return "an object";
	return typeof value === "boolean" ? String(value) : `a ${typeof value}`;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null && !Array.isArray(value);
