import { closestName } from "@stemma/core/internal";
import type * as z from "zod";

type RawIssue = z.core.$ZodRawIssue;

/**
 * Describes what is wrong with one value, as a sentence without its subject. The value is not repeated: it may be
 * secret.
 */
export function describeIssue(issue: RawIssue): string {
	switch (issue.code) {
		case "invalid_type":
			return describeType(String(issue.expected), issue.input);
		case "invalid_value":
			return issue.input === undefined ? "is missing" : describeChoice(issue.values, issue.input);
		case "too_small":
			return describeBound("at least", issue.origin, issue.minimum, issue.inclusive !== false);
		case "too_big":
			return describeBound("at most", issue.origin, issue.maximum, issue.inclusive !== false);
		case "invalid_format":
			return FORMATS[issue.format] ?? "has the wrong form";
		case "not_multiple_of":
			return `must be a multiple of ${issue.divisor}`;
		case "invalid_union":
			return issue.input === undefined ? "is missing" : "is of none of the allowed kinds";
		case "invalid_key":
			return issue.issues[0]?.message ?? "is not allowed";
		default:
			return "is not allowed";
	}
}

const TYPES: Readonly<Record<string, string>> = {
	int: "a whole number",
	array: "a list",
	object: "an object",
	record: "an object",
	null: "null",
	boolean: "true or false",
	nonoptional: "there",
};

const FORMATS: Readonly<Record<string, string>> = {
	url: "must be an address such as https://example.com",
	email: "must be an email address",
	datetime: "must be a time such as 2026-01-31T12:00:00Z",
};

function describeType(expected: string, input: unknown): string {
	if (input === undefined) return "is missing";
	const got = typeof input === "number" && expected === "int" ? "a fraction" : describeValue(input);
	return `must be ${TYPES[expected] ?? `a ${expected}`}, got ${got}`;
}

function describeValue(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "a list";
	if (typeof value === "object") return "an object";
	return typeof value === "boolean" ? String(value) : `a ${typeof value}`;
}

function describeChoice(values: readonly z.core.util.Primitive[], input: unknown): string {
	const similar = typeof input === "string" ? closestName(input, values.map(String)) : undefined;
	return `must be ${listChoices(values)}${similar === undefined ? "" : `. Did you mean "${similar}"?`}`;
}

function listChoices(values: readonly z.core.util.Primitive[]): string {
	const names = values.map((value) => JSON.stringify(value));
	return names.length === 1 ? String(names[0]) : `one of ${names.join(", ")}`;
}

function describeBound(
	bound: "at least" | "at most",
	origin: string,
	limit: number | bigint,
	isInclusive: boolean,
): string {
	if (bound === "at least" && Number(limit) === 1 && origin !== "number")
		return origin === "string" ? "must not be empty" : "must have at least one item";
	const amount = limit.toLocaleString("en");
	if (origin === "string") return `must have ${bound} ${amount} characters`;
	if (origin === "array" || origin === "set") return `must have ${bound} ${amount} items`;
	if (isInclusive) return `must be ${bound} ${amount}`;
	return `must be ${bound === "at least" ? "more" : "less"} than ${amount}`;
}
