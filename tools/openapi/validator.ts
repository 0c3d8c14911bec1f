import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import type { OpenApi } from "./breaking-changes";
import { type JsonSchema, SCHEMA_REFERENCE } from "./json-schema";

/** Validator of values by the schemas of a document. */
export interface Validator {
	/** Says why a value does not match the schema at a place of the document; `undefined` where it does. */
	validateAt(place: readonly string[], value: unknown): string | undefined;
	/** The same for a schema by its name. */
	validate(schema: string, value: unknown): string | undefined;
}

const DOCUMENT = "openapi";
/** Schemas of protocols of others, which have fields that the client does not read. */
const OPEN_SCHEMAS = [
	"ChatCompletion",
	"ChatCompletionChunk",
	"ChatCompletionToolCall",
	"ChatCompletionUsage",
];

/** Creates a validator for which fields that the document does not describe are wrong, too. */
export function createValidator(document: OpenApi): Validator {
	const ajv = new Ajv2020({ strict: false, allErrors: false });
	addFormats(ajv);
	ajv.addFormat("binary", true);
	ajv.addSchema(closeSchemas(document), DOCUMENT);

	function validateReference(pointer: string, value: unknown): string | undefined {
		const reference = `${DOCUMENT}${pointer}`;
		const check = ajv.getSchema(reference) ?? ajv.compile({ $ref: reference });
		return check(value) ? undefined : ajv.errorsText(check.errors);
	}

	return {
		validateAt(place, value) {
			const escaped = place.map((part) =>
				encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")),
			);
			return validateReference(`#/${escaped.join("/")}`, value);
		},
		validate: (schema, value) => validateReference(SCHEMA_REFERENCE + schema, value),
	};
}

/** Closes the schemas of responses, so that a field that they do not have is found. */
function closeSchemas(document: OpenApi): object {
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
