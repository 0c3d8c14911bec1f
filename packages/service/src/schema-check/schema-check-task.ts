import type { Json, JsonSchema } from "@stemma/core";
import type { SchemaValidationResult } from "@stemma/engine";
import { findSchemaProblem, validateSchema } from "@stemma/local";

/** A schema to check, and the JSON text to check against it where there is one. */
export interface SchemaCheckTask {
	readonly schema: JsonSchema;
	readonly json?: string;
}

/** Checks a JSON text against a schema or, without a text, the schema itself. Time ends it, and no number of steps. */
export function performSchemaCheck({ schema, json }: SchemaCheckTask): SchemaValidationResult {
	if (json !== undefined) return validateText(schema, json);
	const problem = findSchemaProblem(schema);
	return problem === undefined ? { valid: true } : { valid: false, errors: [problem] };
}

function validateText(schema: JsonSchema, json: string): SchemaValidationResult {
	let value: Json;
	try {
		// JSON.parse returns JSON.
		value = JSON.parse(json) as Json;
	} catch {
		return { valid: false, errors: ["The text is not JSON."] };
	}
	return validateSchema(schema, value, Number.POSITIVE_INFINITY);
}
