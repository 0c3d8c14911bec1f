import type { ChatMessage, ChatRequest, ChatTool, ChatToolCall, Json, JsonSchema } from "@stemma/core";
import type { Fields } from "../http/fields";
import { chooseOutputFormat, chooseTokenLimit, type Dialect, type OutputFormat } from "./dialect";
import { type Origin, readVendorData } from "./keepsakes";
import { isStrictSchema } from "./strict-schema";
import { isJson } from "./tool-calls";

export interface RequestSettings extends Origin {
	readonly isStreamed: boolean;
	readonly dialect: Dialect;
}

/** The body of a request; fields that say nothing are left out, since strict endpoints refuse what they do not know. */
export function toRequest(request: ChatRequest, settings: RequestSettings): Fields {
	const { tools = [], toolChoice, temperature, maxOutputTokens, outputSchema } = request;
	const { model, isStreamed, dialect } = settings;
	const takes = (feature: "temperature" | "tool_choice" | "stream" | "stream_options"): boolean =>
		!dialect.refused.has(feature);
	const isForbidden = toolChoice === "none";
	// Where that cannot be said, tools are shown only if there are calls to understand.
	const hasTools =
		tools.length > 0 && (!isForbidden || takes("tool_choice") || request.messages.some(hasCalls));
	const streams = isStreamed && takes("stream");
	const tokenLimit = chooseTokenLimit(dialect);
	const format = outputSchema?.type === "object" ? chooseOutputFormat(dialect, hasTools) : undefined;
	return {
		model,
		messages: toMessages(request, format, settings),
		...(hasTools && { tools: tools.map(toTool) }),
		...(hasTools && isForbidden && takes("tool_choice") && { tool_choice: "none" }),
		...(format && { response_format: toResponseFormat(format, outputSchema, dialect) }),
		...(temperature !== undefined && takes("temperature") && { temperature }),
		...(maxOutputTokens !== undefined && tokenLimit && { [tokenLimit]: maxOutputTokens }),
		...(streams && { stream: true }),
		...(streams && takes("stream_options") && { stream_options: { include_usage: true } }),
	};
}

const hasCalls = (message: ChatMessage): boolean =>
	message.role === "assistant" && (message.toolCalls?.length ?? 0) > 0;

function toMessages(
	{ system, outputSchema, messages }: ChatRequest,
	format: OutputFormat | undefined,
	settings: RequestSettings,
): object[] {
	const schema = format === "json_schema" ? undefined : outputSchema;
	const instructions = [system, toInstruction(schema)].filter((text) => text !== undefined);
	return [
		...(instructions.length === 0 ? [] : [{ role: "system", content: instructions.join("\n\n") }]),
		...messages.map((message) => toMessage(message, settings)),
	];
}

/** Formats of the vendor take objects alone, and some take no schema; what the text must be, the model is told. */
const toInstruction = (schema: JsonSchema | undefined): string | undefined =>
	schema && `Reply with JSON alone that fits this JSON Schema: ${JSON.stringify(schema)}`;

function toMessage(message: ChatMessage, settings: RequestSettings): object {
	const { role, content } = message;
	if (role === "tool") return { role, tool_call_id: message.callId, content };
	if (role === "user" || !message.toolCalls?.length) return { role, content };
	return {
		role,
		content: content === "" ? null : content,
		...toKept(message.toolCalls[0]?.vendorData, "message", settings),
		tool_calls: message.toolCalls.map((call) => toToolCall(call, settings)),
	};
}

/** Arguments that are no JSON make some servers fail; what was wrong with them stands in the answer to the call. */
const toToolCall = (
	{ id, name, arguments: text, vendorData }: ChatToolCall,
	settings: RequestSettings,
): object => ({
	id,
	type: "function",
	function: { name, arguments: isJson(text) ? text : "{}" },
	...toKept(vendorData, "call", settings),
});

const toKept = (data: Json | undefined, part: "message" | "call", settings: RequestSettings): Fields =>
	data === undefined
		? {}
		: readVendorData(data, part, settings, (field) => !settings.dialect.refused.has(field));

const toTool = ({ name, description, parameters }: ChatTool): object => ({
	type: "function",
	function: { name, description, parameters },
});

function toResponseFormat(
	format: OutputFormat,
	schema: JsonSchema | undefined,
	{ refused }: Dialect,
): object {
	if (format === "json_object") return { type: format };
	const strict = refused.has("strict") ? {} : { strict: isStrictSchema(schema) };
	return { type: format, json_schema: { name: "output", schema, ...strict } };
}
