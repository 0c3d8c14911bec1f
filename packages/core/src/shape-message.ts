import type { $ZodRawIssue } from "zod/v4/core";
import type { Suggest } from "./did-you-mean";
import { quote } from "./quote";

/** What zod tells of one violation; no path means the value itself. */
export type ShapeIssue = $ZodRawIssue & { readonly path?: (string | number)[] };

/** What the schema refuses about one value, in our own words. Its text is not repeated: it may be a secret. */
export function describeShape(issue: ShapeIssue): string {
	if (issue.message !== undefined) return issue.message;
	const expected =
		issue.code === "invalid_value"
			? issue.values.map(nameLiteral).join(" or ")
			: nameType(String(issue.expected));
	return issue.input === undefined
		? `Missing: ${expected} is required.`
		: `Expected ${expected}, got ${nameValue(issue.input)}.`;
}

const nameLiteral = (literal: unknown): string => JSON.stringify(literal);

const nameType = (expected: string): string => `${/^[ao]/.test(expected) ? "an" : "a"} ${expected}`;

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

/** A field that other kinds of node, or modes of edge, have. */
export function describeForeignField(owner: string, others: readonly string[]): string {
	return `Not a field of ${owner}; it belongs to ${others.map(quote).join(" and ")}.`;
}

/** A field that nothing of its sort has. */
export function describeUnknownField(
	key: string,
	owner: string,
	known: readonly string[],
	suggest: Suggest,
): string {
	return `Not a field of ${owner}.${suggest(key, known) || ` Its fields are ${known.join(", ")}.`}`;
}
