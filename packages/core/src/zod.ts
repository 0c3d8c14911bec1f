import * as z from "zod/v4/core";
import { ConfigurationError } from "./errors";
import type { JsonSchema } from "./json";

/** Any zod 4 schema, of `zod` or `zod/mini`; told by its form, so that no version of zod is asked for. */
export interface ZodSchema {
	readonly _zod: { readonly def: { readonly type: string } };
}

/** A schema that follows Standard JSON Schema (standardschema.dev/json-schema). */
export interface StandardJsonSchema {
	readonly "~standard": {
		readonly jsonSchema: { output(options: { readonly target: string }): Record<string, unknown> };
	};
}

/**
 * The JSON Schema (draft 2020-12) of what a schema gives out, for `output` of a node and for tools.
 *
 * @throws ConfigurationError for what is no such schema, and for types that JSON has not (dates, functions).
 *
 * @example
 * ```ts
 * { id: "triage", kind: "agent", output: toJsonSchema(z.object({ sentiment: z.enum(["good", "bad"]) })) }
 * ```
 */
export function toJsonSchema(schema: ZodSchema | StandardJsonSchema): JsonSchema {
	const { $schema: _, ...jsonSchema } = convert(schema);
	// Both converters give plain JSON.
	return jsonSchema as JsonSchema;
}

const ADVICE = "Give a zod 4 schema of JSON types, or one that follows Standard JSON Schema.";

function convert(schema: unknown): Record<string, unknown> {
	if (!isStandardJsonSchema(schema) && !isZodSchema(schema))
		throw new ConfigurationError(`${describeForeign(schema)} ${ADVICE}`);
	try {
		// A library's own converter knows its newest types; zod/mini brings none.
		if (isStandardJsonSchema(schema))
			return schema["~standard"].jsonSchema.output({ target: "draft-2020-12" });
		return { ...z.toJSONSchema(schema, { io: "output" }) };
	} catch (cause) {
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new ConfigurationError(`This schema has no JSON Schema: ${reason.replace(/\.?$/, ".")} ${ADVICE}`, {
			cause,
		});
	}
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	(typeof value === "object" && value !== null) || typeof value === "function";

const isZodSchema = (schema: unknown): schema is z.$ZodType => isObject(schema) && "_zod" in schema;

const standardOf = (schema: unknown): unknown => (isObject(schema) ? schema["~standard"] : undefined);

function isStandardJsonSchema(schema: unknown): schema is StandardJsonSchema {
	const standard = standardOf(schema);
	return (
		isObject(standard) && isObject(standard.jsonSchema) && typeof standard.jsonSchema.output === "function"
	);
}

function describeForeign(schema: unknown): string {
	if (isObject(schema) && "_def" in schema) return "This is a schema of zod 3, which has no JSON Schema.";
	if (standardOf(schema) !== undefined) return "This schema's library has no JSON Schema for it.";
	return "This is no schema.";
}
