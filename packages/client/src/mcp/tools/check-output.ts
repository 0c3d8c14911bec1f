import type { Json } from "@stemma/core";
import type { StemmaClient } from "../../client";
import type { McpOutcome, McpValidate } from "../mcp-client";
import { McpError } from "../mcp-error";
import type { McpTool } from "../wire";

/** Named in a message. */
const MAX_LISTED_ERRORS = 10;

/**
 * Checks what a tool gave by the schema that its server gave.
 *
 * @throws McpError `output_invalid`
 */
export function checkOutput(
	outcome: McpOutcome,
	{ name, outputSchema }: McpTool,
	validate: McpValidate,
	redact: StemmaClient["redact"],
): void {
	if (outcome.status !== "complete" || outcome.isError || outputSchema === undefined) return;
	const { structuredContent } = outcome;
	const checked =
		structuredContent === undefined
			? { valid: false as const, errors: ["`structuredContent` is missing"] }
			: // It was read from JSON.
				validate(outputSchema, structuredContent as Json);
	if (checked.valid) return;
	// They may quote the result.
	const { errors } = redact({ errors: checked.errors.slice(0, MAX_LISTED_ERRORS).join("; ") });
	throw new McpError(
		`The result of the tool ${JSON.stringify(name)} does not match its \`outputSchema\`: ${errors}`,
		{
			code: "output_invalid",
			hint: "This is an error of the MCP server: a result must match the schema that the server declares.",
		},
	);
}
