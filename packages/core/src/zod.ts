import * as z from "zod/v4/core";
import { ConfigurationError } from "./errors";
import type { JsonSchema } from "./json";

/** Any zod 4 schema, of `zod` or `zod/mini`. */
export type ZodSchema = z.$ZodType;

/** A schema that follows Standard JSON Schema (standardschema.dev/json-schema). */
export interface StandardJsonSchema {
	readonly "~standard": {
		readonly jsonSchema: { output(options: { readonly target: string }): Record<string, unknown> };
	};
}

/**
 * The JSON Schema (draft 2020-12) of what a schema gives out, for `output` of a node and for tools.
 *
 * @throws {@link ConfigurationError} for what is no such schema, and for types that JSON has not (dates, functions).
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

function convert(schema: ZodSchema | StandardJsonSchema): Record<string, unknown> {
	try {
		if ("_zod" in schema) return { ...z.toJSONSchema(schema, { io: "output" }) };
		return schema["~standard"].jsonSchema.output({ target: "draft-2020-12" });
	} catch (cause) {
		throw new ConfigurationError(
			`This schema has no JSON Schema: ${cause instanceof Error ? cause.message : String(cause)} Give a zod 4 schema of JSON types, or one that follows Standard JSON Schema.`,
			{ cause },
		);
	}
}
