import openapiTS, { astToString } from "openapi-typescript";
import type { OpenApi, Operation, Parameter } from "./breaking-changes";
import type { JsonSchema, Schemas } from "./json-schema";

const CAPTION =
	"// Types of the OpenAPI documents, which `npm run openapi` writes. `client-types.ts` compares the client's with them.\n\n";

/**
 * Writes the schemas of documents as types: those that have a name, and under `<operationId>.body` and `<operationId>.query` what
 * requests send.
 */
export async function writeDocumentTypes(documents: readonly OpenApi[]): Promise<string> {
	const schemas = Object.assign({}, ...documents.map(listSchemas));
	const document = {
		openapi: "3.1.0",
		info: { title: "", version: "" },
		paths: {},
		components: { schemas: withoutTexts(withoutJson(schemas)) },
	};
	const types = await openapiTS(JSON.stringify(document), { immutable: true, defaultNonNullable: false });
	return CAPTION + astToString(types);
}

const listSchemas = ({ paths = {}, components }: OpenApi): Schemas => ({
	...components?.schemas,
	...Object.fromEntries(Object.values(paths).flatMap(Object.values).flatMap(listRequestSchemas)),
});

function listRequestSchemas({
	operationId = "",
	requestBody,
	parameters = [],
}: Operation): [string, JsonSchema][] {
	const body = requestBody?.content?.["application/json"]?.schema;
	const query = parameters.filter((parameter) => parameter.in === "query");
	return [
		...(body === undefined ? [] : [[`${operationId}.body`, body] as [string, JsonSchema]]),
		...(query.length === 0 ? [] : [[`${operationId}.query`, toObject(query)] as [string, JsonSchema]]),
	];
}

const toObject = (parameters: readonly Parameter[]): JsonSchema => ({
	type: "object",
	properties: Object.fromEntries(parameters.map(({ name, schema = {} }) => [name, schema])),
	required: parameters.filter(({ required }) => required).map(({ name }) => name),
	additionalProperties: false,
});

/** Schemas of any JSON contain themselves, which a type of a field cannot. */
const ANY_JSON = ["Json", "JsonValue"];

const withoutJson = (schemas: Schemas): Schemas =>
	Object.fromEntries(
		Object.entries(schemas).map(([name, schema]) => [name, ANY_JSON.includes(name) ? {} : schema]),
	);

/** Leaves out what says nothing about types. A field may have the name of such a keyword, with a schema. */
function withoutTexts<Value>(value: Value): Value;
function withoutTexts(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutTexts);
	if (typeof value !== "object" || value === null) return value;
	const isText = (name: string, part: unknown): boolean =>
		["description", "format", "default"].includes(name) && typeof part !== "object";
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name, part]) => !isText(name, part))
			.map(([name, part]) => [name, withoutTexts(part)]),
	);
}
