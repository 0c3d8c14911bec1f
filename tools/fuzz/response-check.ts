import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import type { OpenApi, ResponseObject } from "../openapi/breaking-changes";
import type { JsonSchema } from "../openapi/json-schema";
import type { FuzzOperation } from "./fuzz-request";

/** Response as it came. */
export interface FuzzResponse {
	readonly status: number;
	readonly mediaType: string;
	readonly text: string;
}

/** Finds what of a response the document does not describe. `undefined` where it describes all. */
export type CheckResponse = (operation: FuzzOperation, response: FuzzResponse) => string | undefined;

const DOCUMENT = "openapi";
/** Schemas of protocols of others, which have fields that the client does not read. */
const OPEN_SCHEMAS = [
	"ChatCompletion",
	"ChatCompletionChunk",
	"ChatCompletionToolCall",
	"ChatCompletionUsage",
];

export function createResponseCheck(document: OpenApi): CheckResponse {
	const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
	addFormats(ajv);
	ajv.addSchema(closeSchemas(document) as object, DOCUMENT);

	/** @param pointer - place of the schema in the document. */
	function validate(pointer: readonly string[], value: unknown): string | undefined {
		const escaped = pointer.map((part) =>
			encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")),
		);
		const reference = `${DOCUMENT}#/${escaped.join("/")}`;
		const check = ajv.getSchema(reference) ?? ajv.compile({ $ref: reference });
		return check(value) ? undefined : ajv.errorsText(check.errors);
	}

	return ({ method, template, operation }, { status, mediaType, text }) => {
		const described = operation.responses?.[status];
		if (described === undefined) return `Status ${status} is not described.`;
		const name = described.$ref?.split("/").at(-1);
		const place =
			name === undefined
				? ["paths", template, method, "responses", String(status)]
				: ["components", "responses", name];
		const { content }: ResponseObject = (name && document.components?.responses?.[name]) || described;
		if (content === undefined) return text === "" ? undefined : "A body is not described.";
		const [type] = Object.keys(content).filter(
			(key) => key === mediaType || key === "application/octet-stream",
		);
		if (type === undefined) return `The media type ${mediaType} is not described.`;
		const { schema = {} } = content[type] ?? {};
		const pointer = [...place, "content", type, "schema"];
		if (schema.contentSchema !== undefined)
			return firstOf(readValues(type, text), (value) => validate([...pointer, "contentSchema"], value));
		if (type !== "application/json") return undefined;
		const value = parse(text);
		return value === NOT_JSON ? "The body is not JSON." : validate(pointer, value);
	};
}

const NOT_JSON = Symbol("not JSON");

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return NOT_JSON;
	}
}

function firstOf(
	values: readonly unknown[],
	check: (value: unknown) => string | undefined,
): string | undefined {
	for (const value of values) {
		const problem = value === NOT_JSON ? "A part of the body is not JSON." : check(value);
		if (problem !== undefined) return problem;
	}
	return undefined;
}

/** Values of a stream of events, or of lines. */
function readValues(type: string, text: string): readonly unknown[] {
	const lines = text.split("\n").filter((line) => line !== "");
	if (type !== "text/event-stream") return lines.map(parse);
	const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trim());
	return data.filter((line) => line !== "[DONE]").map(parse);
}

/** Closes the schemas of responses, so that a field that they do not have is found. */
function closeSchemas(document: OpenApi): OpenApi {
	const schemas = Object.fromEntries(
		Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [
			name,
			OPEN_SCHEMAS.includes(name) ? schema : close(schema),
		]),
	);
	return { ...document, components: { ...document.components, schemas } };
}

function close(value: JsonSchema): JsonSchema;
function close(value: unknown): unknown;
function close(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(close);
	if (typeof value !== "object" || value === null) return value;
	const parts = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, close(part)]));
	// Parts of `allOf` say only something together.
	const isClosed = "properties" in parts && parts.type === "object" && !("additionalProperties" in parts);
	return isClosed && !("allOf" in parts) ? { ...parts, additionalProperties: false } : parts;
}
