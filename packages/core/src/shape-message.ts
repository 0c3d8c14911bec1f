import type { $ZodIssue } from "zod/v4/core";
import type { Suggest } from "./did-you-mean";
import { quote } from "./quote";

/** What the schema refuses about one value, in our own words. Text is not repeated unless it is a name: it may be a secret. */
export function describeShape(issue: $ZodIssue, value: unknown): string {
	switch (issue.code) {
		case "invalid_type":
			return value === undefined
				? `Missing: ${nameType(issue.expected)} is required.`
				: `Expected ${nameType(issue.expected)}, got ${nameValue(value)}.`;
		case "invalid_value":
			return `Expected ${issue.values.map((allowed) => JSON.stringify(allowed)).join(" or ")}, got ${nameValue(value)}.`;
		case "invalid_format":
			return describeFormat(String(issue.path.at(-1)), String(value));
		case "too_small":
			return describeTooSmall(issue.origin, issue.minimum, value);
		case "too_big":
			return `At most ${issue.maximum}${typeof value === "string" ? ` characters, got ${value.length}` : `, got ${nameValue(value)}`}.`;
		default:
			return `Not allowed here: ${nameValue(value)}.`;
	}
}

function describeFormat(field: string, value: string): string {
	if (field === "id") return `An id is 1 to 64 letters, digits, "_" or "-", got ${quote(value)}.`;
	if (field === "path")
		return `Expected a JSON Pointer such as "/sentiment", or "" for the whole output, got ${quote(value)}.`;
	return "Expected an address that begins with http:// or https:// and has no spaces.";
}

function describeTooSmall(origin: string, minimum: number | bigint, value: unknown): string {
	if (origin === "string") return "Must not be empty.";
	if (origin === "array") return `Must have at least ${minimum} element.`;
	return `At least ${minimum}, got ${nameValue(value)}.`;
}

function nameType(expected: string): string {
	if (expected === "int") return "a whole number";
	return `${/^[aeiou]/.test(expected) ? "an" : "a"} ${expected}`;
}

function nameValue(value: unknown): string {
	if (Array.isArray(value)) return "an array";
	if (typeof value === "object" && value !== null) return "an object";
	return typeof value === "string" ? "a string" : String(value);
}

/** What is wrong with the field that decides which others a node or an edge has. */
export function describeChoice(value: unknown, choices: readonly string[], suggest: Suggest): string {
	const list = choices.map(quote).join(", ");
	if (value === undefined) return `Missing: one of ${list} is required.`;
	if (typeof value !== "string") return `Expected one of ${list}, got ${nameValue(value)}.`;
	return `Expected one of ${list}, got ${quote(value)}.${suggest(value, choices)}`;
}

/** A field that a node of its kind, or an edge of its mode, has not. */
export function describeForeignField(owner: string, others: readonly string[]): string {
	return `Not a field of ${owner}; it belongs to ${others.map(quote).join(" and ")}.`;
}

/** A field that nothing has. */
export function describeUnknownField(
	key: string,
	owner: string,
	known: readonly string[],
	suggest: Suggest,
): string {
	return `Not a field of ${owner}.${suggest(key, known) || ` Its fields are ${known.join(", ")}.`}`;
}
