import type { $ZodObject, $ZodRawIssue, $ZodShape, $ZodType } from "zod/v4/core";
import type { Suggest } from "../internal/did-you-mean";
import { quote } from "../internal/quote";

/** Report of zod about one violation; without a path it concerns the value itself. */
export type ShapeIssue = $ZodRawIssue & { readonly path?: (string | number)[] };

/**
 * Formats the schema's complaint about one value in our own words. The value's text is not repeated: it may be a
 * secret.
 */
export function formatIssue(issue: ShapeIssue): string {
	if (issue.message !== undefined) return issue.message;
	const expected =
		issue.code === "invalid_value"
			? issue.values.map((value) => JSON.stringify(value)).join(" or ")
			: nameType(issue);
	return issue.input === undefined
		? `Missing: ${expected} is required.`
		: `Expected ${expected}, got ${nameValue(issue.input)}.`;
}

/** Names an expected type; for an object that has required fields, its form. */
function nameType({ expected, inst }: ShapeIssue): string {
	const fields = expected === "object" ? Object.entries(fieldsOf(inst)) : [];
	const required = fields.filter(([, field]) => !isOptional(field)).map(([key]) => `"${key}": …`);
	return required.length > 0
		? `{ ${required.join(", ")} }`
		: `${/^[ao]/.test(String(expected)) ? "an" : "a"} ${expected}`;
}

/** @param schema - of an object; what refuses something else than an object, or a field of one, is always such. */
export const fieldsOf = (schema: ShapeIssue["inst"]): $ZodShape => (schema as $ZodObject)._zod.def.shape;

/** Checks whether an object may leave out this field. */
export const isOptional = (field: $ZodType): boolean => field._zod.optin === "optional";

function nameValue(value: unknown): string {
	if (Array.isArray(value)) return "an array";
	if (typeof value === "object" && value !== null) return "an object";
	return typeof value === "string" ? "a string" : String(value);
}

/** Describes the mistake in the field that decides which other fields a node or an edge has. */
export function describeChoice(value: unknown, choices: readonly string[], suggest: Suggest): string {
	const list = choices.map(quote).join(", ");
	if (value === undefined) return `Missing: one of ${list} is required.`;
	if (typeof value !== "string") return `Expected one of ${list}, got ${nameValue(value)}.`;
	return `Expected one of ${list}, got ${quote(value)}.${suggest(value, choices)}`;
}

/** A field that other kinds of node, or modes of edge, have. */
export function describeMisplacedField(owner: string, others: readonly string[]): string {
	return `Not a field of ${owner}; it belongs to ${others.map(quote).join(" and ")}.`;
}

/** A field that nothing of its sort has. */
export function describeUnknownField(
	key: string,
	owner: string,
	fields: $ZodShape,
	suggest: Suggest,
): string {
	const known = Object.keys(fields);
	return `Not a field of ${owner}.${suggest(key, known) || ` Its fields are ${known.join(", ")}.`}`;
}
