import { createHash } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { type JsonSchema, refer } from "./json-schema";
import type { ErrorCodes } from "./route-errors";

/** Object of an OpenAPI document. */
export interface Part {
	readonly [name: string]: unknown;
}

/** Media types whose body is a sequence of JSON values. */
const SEQUENCES = ["text/event-stream", "application/jsonl"];

/** Content of a response by media type: a stream has the schema of its events. */
export function toContent(content: { readonly [mediaType: string]: string }): Part {
	return Object.fromEntries(
		Object.entries(content).map(([type, name]) => [type, { schema: toContentSchema(type, name) }]),
	);
}

function toContentSchema(type: string, name: string): JsonSchema {
	if (name === "bytes") return { type: "string", format: "binary" };
	if (name === "text") return { type: "string" };
	if (!SEQUENCES.includes(type)) return refer(name);
	const description =
		type === "text/event-stream"
			? "Server-sent events; `data` of each is JSON of this schema."
			: "Lines of JSON; each has this schema.";
	return { type: "string", description, contentMediaType: "application/json", contentSchema: refer(name) };
}

/** Collects responses of errors, which many routes share. */
export interface ErrorResponses {
	/** The responses of a route, by status. */
	add(errors: ErrorCodes, form: "own" | "oauth" | "external"): Part;
	readonly responses: { [name: string]: Part };
}

export function createErrorResponses(): ErrorResponses {
	const responses: { [name: string]: Part } = {};
	return {
		responses,
		add(errors, form) {
			return Object.fromEntries(
				[...errors].map(([status, codes]) => {
					const name = toName(status, codes, form);
					responses[name] = toErrorResponse(status, codes, form);
					return [status, { $ref: `#/components/responses/${name}` }];
				}),
			);
		},
	};
}

/** Name of a response: it has the codes in it as a hash, so that it changes with them alone. */
function toName(status: number, codes: readonly string[], form: string): string {
	const hash = createHash("sha256")
		.update(`${form} ${codes.join(" ")}`)
		.digest("hex")
		.slice(0, 6);
	return `${toReason(status).replace(/\W/g, "")}_${hash}`;
}

const toReason = (status: number): string => STATUS_CODES[status] ?? String(status);

function toErrorResponse(status: number, codes: readonly string[], form: string): Part {
	const names = codes.length === 0 ? "." : `: ${codes.map((code) => `\`${code}\``).join(", ")}.`;
	const headers = { "x-request-id": { $ref: "#/components/headers/RequestId" } };
	const isTemporary = status === 429 || status === 503;
	const retry = { "retry-after": { $ref: "#/components/headers/RetryAfter" } };
	return {
		description: `${toReason(status)}${names}`,
		headers: { ...headers, ...(isTemporary && retry) },
		content: { "application/json": { schema: toErrorSchema(codes, form) } },
	};
}

function toErrorSchema(codes: readonly string[], form: string): JsonSchema {
	if (form === "external") return refer("External");
	// Errors before the route, as of a service that stops, have the form of the service.
	if (form === "oauth") return { anyOf: [refer("OAuthError"), refer("Error")] };
	if (codes.length === 0) return refer("Error");
	const code = { type: "string", enum: codes };
	return {
		allOf: [refer("Error"), { properties: { error: { properties: { code } } } }],
	};
}

/** Headers of responses. */
export const HEADERS = {
	RequestId: {
		description: "Id of the request: the one that was sent, if it matches `[A-Za-z0-9._-]{1,100}`.",
		schema: { type: "string" },
	},
	RetryAfter: { description: "Seconds to wait.", schema: { type: "integer", minimum: 0 } },
};

/** Parameters of all lists. */
export const LIST_PARAMETERS = [
	{
		name: "limit",
		in: "query",
		description: "Maximum number of items.",
		schema: { type: "integer", minimum: 1, maximum: 100, default: 20 },
	},
	{
		name: "after",
		in: "query",
		description: "`next` of the page before.",
		schema: { type: "string", pattern: "^[\\w.-]{1,100}$" },
	},
];

export const IDEMPOTENCY_KEY = {
	name: "Idempotency-Key",
	in: "header",
	description: "The same key and body give the same response for 24 hours.",
	schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,200}$" },
};

/** Path with its parameters in braces, as the document writes them, and their names. */
export function toPathTemplate(path: string): {
	readonly template: string;
	readonly names: readonly string[];
} {
	const names: string[] = [];
	const template = path.replace(/:(\w+)(?:\{.*?\+\})?/g, (_, name: string) => {
		names.push(name);
		return `{${name}}`;
	});
	return { template, names };
}

/** `GET /v1/agents/{id}` → `getAgentsById`. */
export function toOperationId(method: string, template: string): string {
	const words = template
		.replace(/^\/v1\//, "/")
		.split("/")
		.map((part) => (part.startsWith("{") ? `by-${part.slice(1, -1)}` : part))
		.flatMap((part) => part.split(/\W|_/))
		.filter((word) => word !== "");
	return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("");
}
