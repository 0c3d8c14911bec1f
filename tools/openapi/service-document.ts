import { createDocument, type ZodOpenApiObject } from "zod-openapi";
import type { OpenApi } from "./breaking-changes";
import {
	createErrorResponses,
	type ErrorResponses,
	HEADERS,
	IDEMPOTENCY_KEY,
	LIST_PARAMETERS,
	type Part,
	toContent,
	toOperationId,
	toPathTemplate,
} from "./document-parts";
import { EXCLUDED_ROUTES } from "./exclusions";
import { type JsonSchema, mapReferences, SCHEMA_REFERENCE, sortByName } from "./json-schema";
import type { RouteDescription, ServedRoute } from "./parts";
import { type ErrorCodes, listErrors } from "./route-errors";
import { listSecurity, SECURITY_SCHEMES } from "./security";

/**
 * Describes the service: its routes as they are served, with the schemas that check their requests.
 *
 * @param types - schemas of responses, of `createTypeSchemas`.
 */
export function createServiceDocument(
	routes: readonly ServedRoute[],
	types: { readonly [name: string]: JsonSchema },
): Part {
	const errors = createErrorResponses();
	const paths: { [template: string]: { [method: string]: Part } } = {};
	for (const route of routes) {
		if (`${route.method} ${route.path}` in EXCLUDED_ROUTES) continue;
		const { template } = toPathTemplate(route.path);
		paths[template] = { ...paths[template], [route.method.toLowerCase()]: toOperation(route, errors) };
	}
	const { ResponseTypes: _, ...schemas } = types;
	const document = {
		openapi: "3.1.0",
		info: {
			title: "Stemma service",
			version: "1",
			description:
				"Knowledge bases, cited answers, agents and runs. Ignore fields of responses that you do not know; fields of requests that the service does not know are refused.",
			license: { name: "MIT", identifier: "MIT" },
		},
		servers: [{ url: "/", description: "The service that serves this document." }],
		tags: listTags(paths),
		paths: sortByName(paths),
		components: {
			securitySchemes: listUsedSchemes(Object.values(paths).flatMap((methods) => Object.values(methods))),
			headers: HEADERS,
			responses: sortByName(errors.responses),
			schemas: sortByName(schemas),
		},
	};
	// Its types know no parts that were made by name.
	return nameJson(createDocument(document as unknown as ZodOpenApiObject) as unknown as OpenApi) as Part;
}

/** Gives the definitions that `z.json()` makes, one for each use, one name. */
function nameJson(document: OpenApi): object {
	const schemas = document.components?.schemas ?? {};
	const isJson = (name: string): boolean =>
		/^__schema\d+$/.test(name) && (schemas[name]?.anyOf as unknown[])?.length === 6;
	const names = new Set(Object.keys(schemas).filter(isJson));
	const kept = Object.entries(schemas).filter(([name]) => !names.has(name));
	const [json] = [...names].map((name) => schemas[name]);
	const named = sortByName({ ...Object.fromEntries(kept), ...(json && { JsonValue: json }) });
	const components = { ...document.components, schemas: named };
	return mapReferences({ ...document, components }, (reference) =>
		names.has(reference.slice(SCHEMA_REFERENCE.length)) ? `${SCHEMA_REFERENCE}JsonValue` : reference,
	);
}

const toTag = (template: string): string => template.replace(/^\/v1/, "").split("/")[1] || "service";

const listTags = (paths: object): readonly Part[] =>
	[...new Set(Object.keys(paths).map(toTag))].sort().map((name) => ({ name }));

function toOperation(route: ServedRoute, errors: ErrorResponses): Part {
	const { method, path, description, requirements } = route;
	if (description === undefined)
		throw new Error(`${method} ${path} has no description: add describeRoute, or exclude it with a reason.`);
	const { template, names } = toPathTemplate(path);
	const id = toOperationId(method, template);
	const { summary, query, isList = false, isIdempotent = false, errorForm = "own" } = description;
	const parameters = [
		...names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
		...(isList ? LIST_PARAMETERS : []),
		...(isIdempotent ? [IDEMPOTENCY_KEY] : []),
	];
	const requestBody = toRequestBody(description);
	return {
		operationId: id,
		summary,
		tags: [toTag(template)],
		security: path === "/metrics" ? [{ metricsToken: [] }, {}] : listSecurity(requirements),
		...(parameters.length > 0 && { parameters }),
		...(query !== undefined && { requestParams: { query } }),
		...(requestBody !== undefined && { requestBody }),
		responses: {
			...toResponses(description),
			...errors.add(omitKnown(listErrors(description, requirements), description), errorForm),
		},
	};
}

/** Leaves out statuses that the route describes itself. */
const omitKnown = (errors: ErrorCodes, { responses }: RouteDescription): ErrorCodes =>
	new Map([...errors].filter(([status]) => !(status in responses)));

/** Ways to send a credential that an operation takes: some are for protocols that the document leaves out. */
function listUsedSchemes(operations: readonly Part[]): Part {
	// Not from the operations as JSON: their schemas are objects of zod, which refer to themselves once they have checked a value.
	const used = new Set(
		operations.flatMap(({ security }) => (security as readonly object[]).flatMap(Object.keys)),
	);
	return Object.fromEntries(Object.entries(SECURITY_SCHEMES).filter(([name]) => used.has(name)));
}

function toRequestBody({
	body,
	isBodyOptional = false,
	otherBody,
	example,
}: RouteDescription): Part | undefined {
	if (body === undefined && otherBody === undefined) return undefined;
	const json = body && {
		"application/json": { schema: body, ...(example !== undefined && { example }) },
	};
	return { required: !isBodyOptional, content: { ...json, ...(otherBody && toOtherContent(otherBody)) } };
}

function toOtherContent(body: NonNullable<RouteDescription["otherBody"]>): Part {
	if ("external" in body)
		return { "application/json": { schema: { type: "object", description: `See ${body.external}.` } } };
	if ("files" in body) {
		const text = { type: "array", items: { type: "string" } };
		const files = { type: "array", items: { type: "string", format: "binary" } };
		const properties = { file: files, source: text, title: { type: "string" }, metadata: { type: "string" } };
		return { "multipart/form-data": { schema: { type: "object", properties, required: ["file"] } } };
	}
	const properties = Object.fromEntries(body.form.map((name) => [name, { type: "string" }]));
	const schema = { type: "object", properties, required: body.required };
	return { "application/x-www-form-urlencoded": { schema } };
}

const toResponses = ({ responses }: RouteDescription): Part =>
	Object.fromEntries(
		Object.entries(responses).map(([status, content]) => {
			const byType = typeof content === "string" ? { "application/json": content } : content;
			const hasBody = Object.keys(byType).length > 0;
			return [
				status,
				{
					description: describeStatus(Number(status)),
					headers: { "x-request-id": { $ref: "#/components/headers/RequestId" } },
					...(hasBody && { content: toContent(byType) }),
				},
			];
		}),
	);

const describeStatus = (status: number): string =>
	({ 200: "Done.", 201: "Created.", 202: "Accepted.", 204: "Nothing to send." })[status] ??
	(status < 400 ? "See the header `location`, or send what you have." : "Not now.");
