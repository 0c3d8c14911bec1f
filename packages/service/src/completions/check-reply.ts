import type { ChatReply, ChatRequest, ChatToolCall, Json, JsonSchema } from "@stemma/core";
import { validateSchema } from "@stemma/local";
import { ApiError } from "../http/api-error";

/**
 * Holds a reply against the choice of tools and the output that were asked for: not every model has fields for them, and
 * those that have none are told in words.
 *
 * @throws ApiError 502 `tool_choice_not_followed` or `output_invalid`
 */
export function checkReply(request: ChatRequest, reply: ChatReply): void {
	// What was cut off or withheld says so by its reason.
	if (reply.finishReason === "length" || reply.finishReason === "filtered") return;
	checkCalls(request, reply.toolCalls);
	for (const { name, arguments: text } of reply.toolCalls) {
		const tool = request.tools?.find((offered) => offered.name === name);
		if (tool?.strict === true) checkJson(text, tool.parameters, `The arguments of the call of "${name}"`);
	}
	if (reply.toolCalls.length > 0 || request.settings?.stop !== undefined) return;
	const { output, outputSchema } = request;
	if (outputSchema !== undefined)
		checkJson(reply.text, output?.strict === true ? outputSchema : {}, "The output");
	else if (output !== undefined) checkJson(reply.text, { type: "object" }, "The output");
}

function checkCalls({ toolChoice, settings }: ChatRequest, calls: readonly ChatToolCall[]): void {
	if (toolChoice === "required" && calls.length === 0)
		throw createChoiceError("The model called no tool, though one was required.");
	if (typeof toolChoice === "object" && (calls.length === 0 || calls.some(isOther(toolChoice.name))))
		throw createChoiceError(`The model did not call the tool "${toolChoice.name}", as was required.`);
	if (toolChoice === "none" && calls.length > 0)
		throw createChoiceError("The model called a tool, though none was to be called.");
	if (settings?.parallelToolCalls === false && calls.length > 1)
		throw createChoiceError("The model made several calls at a time, though one was allowed.");
}

const isOther =
	(wanted: string) =>
	({ name }: ChatToolCall): boolean =>
		name !== wanted;

const createChoiceError = (message: string): ApiError =>
	new ApiError(502, "tool_choice_not_followed", message, {
		hint: "Try again, or choose a model that takes `tool_choice`.",
	});

function checkJson(text: string, schema: JsonSchema, what: string): void {
	const value = parseJson(text);
	if (value === undefined) throw createOutputError(`${what} is not JSON.`);
	const verdict = validateSchema(schema, value);
	if (!verdict.valid)
		throw createOutputError(`${what} does not fit the schema: ${verdict.errors.slice(0, 5).join(" ")}`);
}

const createOutputError = (message: string): ApiError =>
	new ApiError(502, "output_invalid", message, {
		hint: "Try again, simplify the schema, or choose a model that keeps to schemas.",
	});

function parseJson(text: string): Json | undefined {
	try {
		// What JSON.parse gives is JSON.
		return JSON.parse(text) as Json;
	} catch {
		return undefined;
	}
}
