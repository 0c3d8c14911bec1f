import { formatPath } from "@stemma/core";
import { closestName } from "@stemma/core/internal";
import type * as z from "zod";
import { DomainError } from "../errors/domain-error";
import { describeIssue } from "./describe-issue";
import { listFieldsAt } from "./schema-fields";

/** Maximum issues that are reported, as more would not be read. */
const MAX_ISSUES = 100;

/** Problem of one field of an input. */
export interface InputIssue {
	/** Path as in JavaScript: `origins[0]`; empty for the input itself. */
	readonly path: string;
	/** A sentence without its subject: `must be a string, got a number`. */
	readonly message: string;
	readonly kind: "missing" | "unknown_field" | "invalid";
}

/**
 * An input as its schema says, with its defaults.
 *
 * @param subject - what to call the input itself: `The body`.
 * @throws DomainError `unknown_field` for the first unknown field, else `invalid_request` with all that is wrong.
 */
export function checkInput<Output>(schema: z.ZodType<Output>, input: unknown, subject: string): Output {
	const { value, issues } = findInputIssues(schema, input);
	if (value !== undefined) return value.output;
	throw invalidInput(issues, subject);
}

/** An error with all issues of an input; its message tells one of them. */
export function invalidInput(issues: readonly InputIssue[], subject: string): DomainError {
	const first = issues.find(({ kind }) => kind === "unknown_field") ?? issues[0];
	return new DomainError(
		first?.kind === "unknown_field" ? "unknown_field" : "invalid_request",
		formatMessage(first, subject),
		{
			...(first?.path && { param: first.path }),
			details: { issues: issues.map(({ path, message }) => ({ path, message: toSentence(message) })) },
		},
	);
}

const formatMessage = (issue: InputIssue | undefined, subject: string): string =>
	toSentence(`${issue?.path ? `"${issue.path}"` : subject} ${issue?.message ?? "is wrong"}`);

export const toSentence = (text: string): string => (text.endsWith("?") ? text : `${text}.`);

export function findInputIssues<Output>(
	schema: z.ZodType<Output>,
	input: unknown,
): { readonly value?: { readonly output: Output }; readonly issues: readonly InputIssue[] } {
	const parsed = schema.safeParse(input, { error: describeIssue, reportInput: true });
	if (parsed.success) return { value: { output: parsed.data }, issues: [] };
	const inputIssues = pickIssues(parsed.error.issues).flatMap((issue) => toInputIssues(issue, schema));
	return { issues: inputIssues.slice(0, MAX_ISSUES) };
}

/**
 * Selects issues where there are too many: those that name unknown fields, which are the most helpful, and then the
 * first ones.
 */
function pickIssues(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
	if (issues.length <= MAX_ISSUES) return issues;
	const isUnknown = ({ code }: z.core.$ZodIssue): boolean => code === "unrecognized_keys";
	const others = issues.filter((issue) => !isUnknown(issue));
	return [...issues.filter(isUnknown), ...others].slice(0, MAX_ISSUES);
}

function toInputIssues(issue: z.core.$ZodIssue, schema: z.ZodType): readonly InputIssue[] {
	const path = issue.path.map((key) => (typeof key === "symbol" ? String(key) : key));
	if (issue.code === "invalid_union") {
		const closest = closestBranch(issue.errors);
		if (closest !== undefined)
			return closest.flatMap((inner) => toInputIssues({ ...inner, path: [...path, ...inner.path] }, schema));
	}
	if (issue.code !== "unrecognized_keys")
		return [
			{
				path: formatIssuePath(path),
				message: issue.message,
				kind: issue.input === undefined ? "missing" : "invalid",
			},
		];
	const known = listFieldsAt(schema, path);
	// Suggestions for fields that nobody is told about would take their time all the same.
	return issue.keys.slice(0, MAX_ISSUES).map((key) => ({
		path: formatIssuePath([...path, key]),
		message: `is not a known field${suggest(key, known)}`,
		kind: "unknown_field",
	}));
}

/** The variant that the input was meant to be: the one whose problems lie deepest. */
function closestBranch(branches: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
	return branches.find((issues) =>
		issues.every(({ path, code }) => path.length > 0 || code === "unrecognized_keys"),
	);
}

const formatIssuePath = (path: readonly (string | number)[]): string =>
	path.length === 0 ? "" : formatPath(path);

function suggest(key: string, known: readonly string[]): string {
	const similar = closestName(key, known);
	if (similar !== undefined) return `. Did you mean "${similar}"?`;
	return known.length === 0 ? "" : `; the fields are ${known.join(", ")}`;
}
