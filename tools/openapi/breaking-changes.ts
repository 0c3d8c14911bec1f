import { compareSchemas } from "./breaking-schemas.ts";
import type { JsonSchema } from "./json-schema.ts";

/** What breaks the clients of a document, by the name of the rule. */
export const RULES = {
	operation_removed: "An operation is not there any more.",
	parameter_removed: "A parameter is not there any more: requests with it are refused.",
	parameter_required: "A parameter must be sent that was optional, or is new.",
	body_required: "A body must be sent that was optional, or is new.",
	media_type_removed: "A media type of a request or of a response is not there any more.",
	status_removed: "A status of success is not there any more.",
	code_moved: "A code of an error has another status.",
	credential_removed: "A way to send a credential, or a scope that was enough, is not taken any more.",
	field_removed: "A field is not there any more. In requests, it is refused from now on.",
	field_required: "A field of a request must be sent that was optional, or is new.",
	field_optional: "A field of a response may be left out that was always there.",
	type_narrowed: "A request may not send a type any more that it could send.",
	type_widened: "A response may have a type that it never had.",
	value_removed: "A request may not send a value any more that it could send.",
	limit_tightened: "A request has a limit that is tighter, or new.",
} as const;

export type Rule = keyof typeof RULES;

/** Change between two documents that breaks clients of the first. */
export interface BreakingChange {
	readonly rule: Rule;
	/** Place in the API: `POST /v1/ask request.question`. */
	readonly at: string;
}

/** OpenAPI document, as far as it is compared. */
export interface OpenApi {
	readonly paths?: { readonly [path: string]: { readonly [method: string]: Operation } };
	readonly components?: {
		readonly schemas?: { readonly [name: string]: JsonSchema };
		readonly responses?: { readonly [name: string]: ResponseObject };
	};
}

export interface Operation {
	readonly operationId?: string;
	readonly parameters?: readonly Parameter[];
	readonly requestBody?: { readonly required?: boolean; readonly content?: Content };
	readonly responses?: { readonly [status: string]: ResponseObject };
	readonly security?: readonly { readonly [scheme: string]: readonly string[] }[];
}

export interface Parameter {
	readonly name: string;
	readonly in: string;
	readonly required?: boolean;
	readonly schema?: JsonSchema;
}

export interface ResponseObject {
	readonly $ref?: string;
	readonly description?: string;
	readonly content?: Content;
}

type Content = { readonly [mediaType: string]: { readonly schema?: JsonSchema; readonly example?: unknown } };

/** The documents that are compared, and where what was found goes. */
interface Comparison {
	readonly before: OpenApi;
	readonly after: OpenApi;
	report(rule: Rule, at: string): void;
}

/** Lists what in a document breaks clients that were written for an earlier one. Additions break nothing. */
export function findBreakingChanges(before: OpenApi, after: OpenApi): readonly BreakingChange[] {
	const changes: BreakingChange[] = [];
	const report = (rule: Rule, at: string): void => void changes.push({ rule, at });
	const comparison = { before, after, report };
	for (const [path, methods] of Object.entries(before.paths ?? {}))
		for (const [method, operation] of Object.entries(methods)) {
			const at = `${method.toUpperCase()} ${path}`;
			const changed = after.paths?.[path]?.[method];
			if (changed === undefined) report("operation_removed", at);
			else compareOperations(operation, changed, at, comparison);
		}
	return changes;
}

function compareOperations(before: Operation, after: Operation, at: string, comparison: Comparison): void {
	compareParameters(before.parameters ?? [], after.parameters ?? [], at, comparison);
	if (after.requestBody?.required === true && before.requestBody?.required !== true)
		comparison.report("body_required", at);
	compareContents(before.requestBody?.content, after.requestBody?.content, `${at} request`, comparison);
	compareResponses(before, after, at, comparison);
	compareSecurity(before, after, at, comparison);
}

function compareParameters(
	before: readonly Parameter[],
	after: readonly Parameter[],
	at: string,
	comparison: Comparison,
): void {
	const keyOf = (parameter: Parameter): string => `${parameter.in} ${parameter.name}`;
	const known = new Map(before.map((parameter) => [keyOf(parameter), parameter]));
	const kept = new Map(after.map((parameter) => [keyOf(parameter), parameter]));
	for (const [key, parameter] of known) {
		const other = kept.get(key);
		if (other === undefined) comparison.report("parameter_removed", `${at} ${key}`);
		else
			compareSchemas(parameter.schema, other.schema, { ...comparison, direction: "request" }, `${at} ${key}`);
	}
	for (const [key, { required = false }] of kept)
		if (required && known.get(key)?.required !== true)
			comparison.report("parameter_required", `${at} ${key}`);
}

function compareContents(
	before: Content | undefined,
	after: Content | undefined,
	at: string,
	comparison: Comparison,
): void {
	const direction = at.endsWith(" request") ? "request" : "response";
	for (const [type, { schema }] of Object.entries(before ?? {})) {
		const other = after?.[type];
		if (other === undefined) comparison.report("media_type_removed", `${at} ${type}`);
		else compareSchemas(schema, other.schema, { ...comparison, direction }, at);
	}
}

const isSuccess = (status: string): boolean => Number(status) < 400;

function compareResponses(before: Operation, after: Operation, at: string, comparison: Comparison): void {
	for (const [status, response] of Object.entries(before.responses ?? {})) {
		if (!isSuccess(status)) continue;
		const other = after.responses?.[status];
		if (other === undefined) comparison.report("status_removed", `${at} ${status}`);
		else compareContents(response.content, other.content, `${at} ${status}`, comparison);
	}
	const codes = listCodes(before, comparison.before);
	for (const [code, statuses] of listCodes(after, comparison.after)) {
		const known = codes.get(code);
		if (known !== undefined && !known.some((status) => statuses.includes(status)))
			comparison.report("code_moved", `${at} ${code}`);
	}
}

/** Statuses of each code of an error. */
function listCodes({ responses = {} }: Operation, document: OpenApi): Map<string, string[]> {
	const codes = new Map<string, string[]>();
	for (const [status, response] of Object.entries(responses)) {
		if (isSuccess(status)) continue;
		const name = response.$ref?.split("/").at(-1) ?? "";
		const { description = "" } = document.components?.responses?.[name] ?? response;
		for (const [, code = ""] of description.matchAll(/`(\w+)`/g))
			codes.set(code, [...(codes.get(code) ?? []), status]);
	}
	return codes;
}

function compareSecurity(before: Operation, after: Operation, at: string, comparison: Comparison): void {
	// An operation without requirements is open.
	if (after.security === undefined || after.security.length === 0) return;
	const kept = new Set(after.security.map((requirement) => JSON.stringify(requirement)));
	const known = before.security === undefined || before.security.length === 0 ? [{}] : before.security;
	for (const requirement of known)
		if (!kept.has(JSON.stringify(requirement)))
			comparison.report("credential_removed", `${at} ${JSON.stringify(requirement)}`);
}
