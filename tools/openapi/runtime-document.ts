import {
	createErrorResponses,
	type ErrorResponses,
	HEADERS,
	IDEMPOTENCY_KEY,
	type Part,
	toContent,
	toOperationId,
	toPathTemplate,
} from "./document-parts";
import { refer, type Schemas, sortByName } from "./json-schema";
import type { ErrorCodes } from "./route-errors";
import { RUNTIME_ROUTES, type RuntimeRoute } from "./runtime-routes";

const EVERYWHERE: { readonly [status: number]: readonly string[] } = {
	400: ["agent_loop", "invalid_host", "invalid_request"],
	401: ["invalid_credentials", "missing_credentials"],
	403: ["host_not_allowed", "origin_not_allowed"],
	429: ["too_many_waiting"],
	500: ["internal_error"],
	503: ["shutting_down"],
};
/** Also of routes that take no body: one that was sent must be empty. */
const OF_POSTS: { readonly [status: number]: readonly string[] } = {
	400: ["invalid_json", "unknown_field"],
	408: ["request_timeout"],
	413: ["body_too_large"],
	415: ["unsupported_media_type"],
	429: ["too_many_bytes"],
	503: ["too_many_bytes"],
};
/** Probes are open. */
const OPEN_ROUTES = ["/healthz", "/readyz"];

/**
 * Describes the runtime.
 *
 * @param types - schemas of requests and responses, of `createTypeSchemas`.
 */
export function createRuntimeDocument(types: Schemas): Part {
	const errors = createErrorResponses();
	const paths: { [template: string]: Part } = {};
	for (const [path, route] of Object.entries(RUNTIME_ROUTES)) {
		const { template } = toPathTemplate(path);
		paths[template] = { [route.method.toLowerCase()]: toOperation(path, route, errors) };
	}
	const { RuntimeTypes: _, ...schemas } = types;
	const tags = [...new Set(Object.keys(paths).map(toTag))].sort().map((name) => ({ name }));
	return {
		openapi: "3.1.0",
		info: {
			title: "Stemma runtime",
			version: "1",
			description: "Runs of the agents in a folder of files.",
			license: { name: "MIT", identifier: "MIT" },
		},
		servers: [{ url: "/", description: "The runtime that serves this document." }],
		tags,
		paths: sortByName(paths),
		components: {
			securitySchemes: {
				token: {
					type: "http",
					scheme: "bearer",
					description: "Token of the runtime, where it has one: `STEMMA_RUNTIME_TOKEN`.",
				},
			},
			headers: HEADERS,
			responses: sortByName(errors.responses),
			schemas: sortByName(schemas),
		},
	};
}

const toTag = (template: string): string => template.split("/")[1] ?? "";

function toOperation(path: string, route: RuntimeRoute, errors: ErrorResponses): Part {
	const { template, names } = toPathTemplate(path);
	const { method, summary, body, query = [], isIdempotent = false, example } = route;
	const parameters = [
		...names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
		...query.map((name) => ({ name, in: "query", schema: { type: "integer", minimum: 0 } })),
		...(isIdempotent ? [IDEMPOTENCY_KEY] : []),
	];
	const schema = body && { schema: refer(body), ...(example !== undefined && { example }) };
	return {
		operationId: toOperationId(method, template),
		summary,
		tags: [toTag(template)],
		security: OPEN_ROUTES.includes(path) ? [] : [{ token: [] }, {}],
		...(parameters.length > 0 && { parameters }),
		...(schema && { requestBody: { required: true, content: { "application/json": schema } } }),
		responses: { ...toResponses(route), ...errors.add(listErrors(route), "own") },
	};
}

const toResponses = ({ responses }: RuntimeRoute): Part =>
	Object.fromEntries(
		Object.entries(responses).map(([status, content]) => [
			status,
			{
				description: status === "200" ? "Done." : "Nothing to send.",
				headers: { "x-request-id": { $ref: "#/components/headers/RequestId" } },
				...(Object.keys(content).length > 0 && { content: toContent(content) }),
			},
		]),
	);

/** Codes of the errors of a route by status. */
function listErrors({ method, errors = {} }: RuntimeRoute): ErrorCodes {
	const listed = new Map<number, readonly string[]>();
	for (const part of [EVERYWHERE, ...(method === "POST" ? [OF_POSTS] : []), errors])
		for (const [status, codes] of Object.entries(part)) {
			const known = listed.get(Number(status)) ?? [];
			listed.set(Number(status), codes.length === 0 ? [] : [...new Set([...known, ...codes])].sort());
		}
	return new Map([...listed].sort(([a], [b]) => a - b));
}
