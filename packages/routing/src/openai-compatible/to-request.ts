import type { ChatMessage, ChatRequest, ChatTool, ChatToolCall, ChatToolChoice, Json } from "@stemma/core";
import type { Fields } from "../http/lenient-json";
import { toOutputInstruction } from "../http/output-instruction";
import { isForcedChoice, toChoiceInstruction } from "../http/tool-choice";
import {
	chooseOutputFormat,
	chooseTokenLimit,
	type Dialect,
	type Feature,
	type OutputFormat,
	type ToolChoiceFeature,
} from "./dialect";
import { type Origin, readProviderMetadata } from "./provider-metadata";
import { toSettingFields } from "./settings";
import { isStrictSchema } from "./strict-schema";
import { isJson } from "./tool-calls";

/** Settings of a chat request in OpenAI's format. */
export interface RequestSettings extends Origin {
	readonly isStreamed: boolean;
	readonly dialect: Dialect;
}

/** The body of a request; fields that say nothing are left out, since strict endpoints refuse what they do not know. */
export function toRequest(request: ChatRequest, settings: RequestSettings): Fields {
	const { tools = [], toolChoice, temperature, maxOutputTokens } = request;
	const { model, isStreamed, dialect } = settings;
	const supports = (feature: Feature): boolean => !dialect.unsupported.has(feature);
	const isForbidden = toolChoice === "none";
	// Where that cannot be said, tools are shown only if there are calls to understand.
	const hasTools =
		tools.length > 0 && (!isForbidden || supports("tool_choice") || request.messages.some(hasCalls));
	const usesStream = isStreamed && supports("stream");
	const tokenLimit = chooseTokenLimit(dialect);
	const format = chooseOutputFormat(listFormats(request), dialect, hasTools);
	const choice = hasTools && toolChoice !== undefined ? toToolChoice(toolChoice) : undefined;
	const isChoiceSent = choice !== undefined && supports(choice.feature);
	const usesChoiceInstruction = !isChoiceSent && hasTools && isForcedChoice(toolChoice);
	return {
		model,
		messages: toMessages(
			request,
			[
				toFormatInstruction(request, format),
				usesChoiceInstruction ? toChoiceInstruction(toolChoice) : undefined,
			],
			settings,
		),
		...(hasTools && { tools: tools.map((tool) => toTool(tool, supports("strict"))) }),
		...(isChoiceSent && { tool_choice: choice.value }),
		...(format && { response_format: toResponseFormat(format, request, dialect) }),
		...(temperature !== undefined && supports("temperature") && { temperature }),
		...toSettingFields(request.settings, hasTools),
		...(maxOutputTokens !== undefined && tokenLimit && { [tokenLimit]: maxOutputTokens }),
		...(usesStream && { stream: true }),
		...(usesStream && supports("stream_options") && { stream_options: { include_usage: true } }),
	};
}

const hasCalls = (message: ChatMessage): boolean =>
	message.role === "assistant" && (message.toolCalls?.length ?? 0) > 0;

/** The field that says a choice; `auto` is the default. */
function toToolChoice(
	choice: ChatToolChoice,
): { readonly feature: ToolChoiceFeature; readonly value: unknown } | undefined {
	if (choice === "auto") return undefined;
	if (choice === "none") return { feature: "tool_choice", value: choice };
	if (choice === "required") return { feature: "tool_choice required", value: choice };
	return { feature: "tool_choice named", value: { type: "function", function: { name: choice.name } } };
}

/** The formats that say what output is wanted, the best first. They take objects alone. */
function listFormats({ outputSchema, output }: ChatRequest): readonly OutputFormat[] {
	if (outputSchema === undefined) return output === undefined ? [] : ["json_object"];
	return outputSchema.type === "object" ? ["json_schema", "json_object"] : [];
}

/**
 * Returns the instruction that asks for JSON. For the format without a schema, some endpoints refuse a request that
 * does not mention JSON.
 */
function toFormatInstruction(request: ChatRequest, format: OutputFormat | undefined): string | undefined {
	if (format === "json_schema") return undefined;
	const isMentioned = request.outputSchema === undefined && format === "json_object" && mentionsJson(request);
	return isMentioned ? undefined : toOutputInstruction(request);
}

const mentionsJson = ({ system = "", messages }: ChatRequest): boolean =>
	[system, ...messages.map(({ content }) => content)].some((text) => /json/i.test(text));

function toMessages(
	{ system, messages }: ChatRequest,
	extraInstructions: readonly (string | undefined)[],
	settings: RequestSettings,
): object[] {
	const instructions = [system, ...extraInstructions].filter((text) => text !== undefined);
	return [
		...(instructions.length === 0 ? [] : [{ role: "system", content: instructions.join("\n\n") }]),
		...messages.map((message) => toMessage(message, settings)),
	];
}

function toMessage(message: ChatMessage, settings: RequestSettings): object {
	const { role, content } = message;
	if (role === "tool") return { role, tool_call_id: message.callId, content };
	const base = { role, ...(message.name !== undefined && { name: message.name }) };
	if (role === "user" || !message.toolCalls?.length) return { ...base, content };
	return {
		...base,
		content: content === "" ? null : content,
		...toMetadataFields(message.toolCalls[0]?.providerMetadata, "message", settings),
		tool_calls: message.toolCalls.map((call) => toToolCall(call, settings)),
	};
}

/** Arguments that are no JSON make some servers fail; what was wrong with them stands in the answer to the call. */
const toToolCall = (
	{ id, name, arguments: text, providerMetadata }: ChatToolCall,
	settings: RequestSettings,
): object => ({
	id,
	type: "function",
	function: { name, arguments: isJson(text) ? text : "{}" },
	...toMetadataFields(providerMetadata, "call", settings),
});

const toMetadataFields = (
	data: Json | undefined,
	part: "message" | "call",
	settings: RequestSettings,
): Fields =>
	data === undefined
		? {}
		: readProviderMetadata(data, part, settings, (field) => !settings.dialect.unsupported.has(field));

const toTool = ({ name, description, parameters, strict }: ChatTool, supportsStrict: boolean): object => ({
	type: "function",
	function: { name, description, parameters, ...(strict !== undefined && supportsStrict && { strict }) },
});

function toResponseFormat(
	format: OutputFormat,
	{ outputSchema: schema, output = {} }: ChatRequest,
	{ unsupported }: Dialect,
): object {
	if (format === "json_object") return { type: format };
	const { name = "output", description, strict = isStrictSchema(schema) } = output;
	return {
		type: format,
		json_schema: { name, description, schema, ...(!unsupported.has("strict") && { strict }) },
	};
}
