import type { ChatRequest, JsonSchema } from "@stemma/core";
import { DomainError } from "../errors/domain-error";
import { SchemaCheckError } from "../schema-check/schema-check-error";
import type { WorkspaceSchemaChecker } from "../schema-check/schema-checker";

/**
 * Checks the strict schemas of a request before a model is called, so that no paid reply is refused for the schema's sake.
 *
 * @param toolsParam - the field that the tools came in.
 * @throws DomainError 400 `invalid_request`
 */
export async function validateSchemas(
	{ tools = [], output, outputSchema }: ChatRequest,
	{ check }: WorkspaceSchemaChecker,
	toolsParam: "tools" | "functions",
): Promise<void> {
	if (output?.strict === true && outputSchema !== undefined)
		await validateStrictSchema(check, outputSchema, "response_format");
	for (const { strict, parameters } of tools)
		if (strict === true) await validateStrictSchema(check, parameters, toolsParam);
}

async function validateStrictSchema(
	check: WorkspaceSchemaChecker["check"],
	schema: JsonSchema,
	param: string,
): Promise<void> {
	const problem = await check(schema).then(
		(result) => (result.valid ? undefined : `A strict schema cannot be used: ${result.errors.join(" ")}.`),
		(error: unknown) => {
			if (error instanceof SchemaCheckError) return error.message;
			throw error;
		},
	);
	if (problem === undefined) return;
	throw new DomainError("invalid_request", problem, {
		param,
		hint: "Correct the schema (JSON Schema, draft 2020-12), or leave `strict` out.",
	});
}
