import type { CallToolResult } from "@modelcontextprotocol/server";
import type { JsonObject } from "@stemma/core";
import { isJsonObject, visibleJson } from "@stemma/core/internal";
import { toErrorBody } from "@stemma/protocol";
import type { DomainError } from "../errors/domain-error";
import type { RequestScope } from "../request-scope";

/** Key in the `_meta` of an error result under which the error is given in the shape of the API. */
export const ERROR_META = "stemma/error";

/** A result for programs and, as text, for clients that read nothing else. What documents hide is written out in both. */
export function toToolResult(value: object): CallToolResult {
	// A copy as JSON has it: fields without a value are left out.
	const shown = visibleJson(JSON.parse(JSON.stringify(value)) as JsonObject);
	return {
		content: [{ type: "text", text: JSON.stringify(shown) }],
		structuredContent: shown as Record<string, unknown>,
	};
}

/**
 * An error that the model reads and can act on. Not as structured content: clients hold that against the output schema,
 * also where it is an error.
 */
export function toToolError(scope: RequestScope, error: DomainError): CallToolResult {
	const errorFields = toErrorBody(error, scope.requestId).error;
	const body: ToolErrorBody = { ...errorFields, ...toToolHint(error) };
	const { retryAfterSeconds: seconds } = error;
	const retry_after_seconds = seconds === undefined ? undefined : Math.max(1, Math.ceil(seconds));
	return {
		content: [{ type: "text", text: describe(body, retry_after_seconds) }],
		isError: true,
		_meta: { [ERROR_META]: { ...body, ...(retry_after_seconds !== undefined && { retry_after_seconds }) } },
	};
}

type ToolErrorBody = ReturnType<typeof toErrorBody>["error"];

function describe(
	{ code, message, hint, request_id, details }: ToolErrorBody,
	seconds: number | undefined,
): string {
	const issues = Array.isArray(details?.issues) ? details.issues.map(describeIssue) : [];
	const wait = seconds === undefined ? [] : [`Wait ${seconds} s before you try again.`];
	// The message is one of the issues where there are some.
	const parts = new Set([message, ...issues, hint ?? "", ...wait].filter((part) => part !== ""));
	return `${[...parts].join(" ")} (error ${code}, request ${request_id})`;
}

function describeIssue(issue: unknown): string {
	if (!isJsonObject(issue)) return "";
	const { path, message } = issue;
	return path === "" ? `The arguments ${message}` : `"${path}" ${message}`;
}

/** Hints that name a route name the tool here. */
const TOOL_HINTS: { readonly [code: string]: string } = {
	knowledge_base_not_found: "The tool list_knowledge_bases lists those that you may use.",
	document_not_found: "The tool list_documents lists those of a knowledge base.",
};

const toToolHint = ({ code }: DomainError): Partial<ToolErrorBody> =>
	Object.hasOwn(TOOL_HINTS, code) ? { hint: TOOL_HINTS[code] ?? "" } : {};
