import type { ChatRequest, JsonSchema } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { DomainError } from "../errors/domain-error";
import { createUnsupportedError } from "./unsupported-fields";

/**
 * OpenAI's `response_format`.
 *
 * @throws DomainError `unsupported_parameter` for a format that is not known, `invalid_request` without a schema.
 */
export function toOutputFormat(format: unknown): Pick<ChatRequest, "output" | "outputSchema"> {
	const type = isJsonObject(format) ? format.type : undefined;
	if (format === undefined || format === null || type === "text") return {};
	if (isJsonObject(format) && type === "json_object")
		// As some vendors and their clients have it; JSON by the way it came in.
		return { output: {}, ...(isJsonObject(format.schema) && { outputSchema: format.schema as JsonSchema }) };
	if (!isJsonObject(format) || type !== "json_schema")
		throw createUnsupportedError(
			"response_format",
			'The formats are "text", "json_object" and "json_schema".',
		);
	const jsonSchema = isJsonObject(format.json_schema) ? format.json_schema : {};
	const { schema, name, description, strict } = jsonSchema;
	if (!isJsonObject(schema))
		throw new DomainError("invalid_request", "The format has no schema.", {
			param: "response_format.json_schema.schema",
			hint: 'Give a JSON Schema, or ask for the format "json_object".',
		});
	return {
		// JSON by the way it came in.
		outputSchema: schema as JsonSchema,
		output: {
			...(typeof name === "string" && SCHEMA_NAME.test(name) && { name }),
			...(typeof description === "string" && { description }),
			...(typeof strict === "boolean" && { strict }),
		},
	};
}

/** Vendors refuse other names. */
const SCHEMA_NAME = /^[\w-]{1,64}$/;
