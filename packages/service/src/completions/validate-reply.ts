import type { ChatReply, ChatRequest, ChatToolCall, JsonSchema } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { DomainError } from "../errors/domain-error";
import { SchemaCheckError } from "../schema-check/schema-check-error";
import type { WorkspaceSchemaChecker } from "../schema-check/schema-checker";

/**
 * Checks a reply against the choice of tools and the output that were asked for: not every model has fields for them, and
 * those that have none are told in words.
 *
 * @throws DomainError 502 `tool_choice_not_followed` or `output_invalid`
 */
export async function validateReply(
	request: ChatRequest,
	reply: ChatReply,
	{ check }: WorkspaceSchemaChecker,
): Promise<void> {
	// What was cut off or withheld says so by its reason.
	if (reply.finishReason === "length" || reply.finishReason === "filtered") return;
	validateCalls(request, reply.toolCalls);
	for (const { name, arguments: text } of reply.toolCalls) {
		const tool = request.tools?.find((offered) => offered.name === name);
		if (tool?.strict === true)
			await validateJson(`The arguments of the call of "${name}"`, text, { schema: tool.parameters, check });
	}
	if (reply.toolCalls.length > 0 || request.settings?.stop !== undefined) return;
	const { output, outputSchema } = request;
	if (outputSchema !== undefined && output?.strict === true)
		await validateJson("The output", reply.text, { schema: outputSchema, check });
	else if (outputSchema !== undefined) assertJson(reply.text);
	else if (output !== undefined && !isJsonObject(assertJson(reply.text)))
		throw createOutputError("The output is not a JSON object.");
}

function validateCalls({ toolChoice, settings }: ChatRequest, calls: readonly ChatToolCall[]): void {
	if (toolChoice === "required" && calls.length === 0)
		throw createChoiceError("The model called no tool, although one was required.");
	if (typeof toolChoice === "object" && (calls.length === 0 || calls.some(callsOtherTool(toolChoice.name))))
		throw createChoiceError(`The model did not call the tool "${toolChoice.name}", which was required.`);
	if (toolChoice === "none" && calls.length > 0)
		throw createChoiceError('The model called a tool, although `tool_choice` was "none".');
	if (settings?.parallelToolCalls === false && calls.length > 1)
		throw createChoiceError("The model made several calls in one reply, although only one was allowed.");
}

const callsOtherTool =
	(toolName: string) =>
	({ name }: ChatToolCall): boolean =>
		name !== toolName;

const createChoiceError = (message: string): DomainError =>
	new DomainError("tool_choice_not_followed", message, {
		hint: "Try again, or choose a model that supports `tool_choice`.",
	});

interface JsonValidation {
	readonly schema: JsonSchema;
	readonly check: WorkspaceSchemaChecker["check"];
}

async function validateJson(what: string, text: string, { schema, check }: JsonValidation): Promise<void> {
	const result = await check(schema, text).catch((error: unknown) => {
		throw error instanceof SchemaCheckError ? createValidationError(what, error) : error;
	});
	if (!result.valid)
		throw createOutputError(`${what} does not fit the schema: ${result.errors.slice(0, 5).join(" ")}`);
}

const createValidationError = (what: string, cause: SchemaCheckError): DomainError =>
	new DomainError("output_invalid", `${what} could not be checked. ${cause.message}`, {
		hint: "Simplify the schema, above all its patterns, or leave `strict` out.",
		cause,
	});

const createOutputError = (message: string, cause?: unknown): DomainError =>
	new DomainError("output_invalid", message, {
		...(cause !== undefined && { cause }),
		hint: "Try again, simplify the schema, or choose a model that keeps to schemas.",
	});

function assertJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw createOutputError("The output is not JSON.", cause);
	}
}
