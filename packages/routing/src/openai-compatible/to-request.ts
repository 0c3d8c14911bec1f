import type { ChatMessage, ChatRequest, ChatTool, ChatToolCall, JsonSchema } from "@stemma/core";
import type { Dialect } from "./dialect";
import { isStrictSchema } from "./strict-schema";
import { isJson } from "./tool-calls";

export interface RequestSettings {
	readonly model: string;
	readonly isStreamed: boolean;
	readonly dialect: Dialect;
}

/** The body of a request; fields that say nothing are left out, since strict endpoints refuse what they do not know. */
export function toRequest(request: ChatRequest, { model, isStreamed, dialect }: RequestSettings): object {
	const { tools = [], toolChoice, temperature, maxOutputTokens, outputSchema } = request;
	return {
		model,
		messages: toMessages(request),
		...(tools.length === 0 ? {} : { tools: tools.map(toTool) }),
		...(tools.length > 0 && toolChoice === "none" ? { tool_choice: "none" } : {}),
		...(outputSchema?.type === "object" ? { response_format: toResponseFormat(outputSchema) } : {}),
		...(temperature === undefined ? {} : { temperature }),
		...(maxOutputTokens === undefined ? {} : { [dialect.tokenLimit]: maxOutputTokens }),
		...(isStreamed ? { stream: true } : {}),
		...(isStreamed && dialect.asksUsage ? { stream_options: { include_usage: true } } : {}),
	};
}

function toMessages({ system, outputSchema, messages }: ChatRequest): object[] {
	const instructions = [system, toInstruction(outputSchema)].filter((text) => text !== undefined);
	return [
		...(instructions.length === 0 ? [] : [{ role: "system", content: instructions.join("\n\n") }]),
		...messages.map(toMessage),
	];
}

/** The format takes objects alone; what else the text must be, the model is told. */
function toInstruction(schema: JsonSchema | undefined): string | undefined {
	if (schema === undefined || schema.type === "object") return undefined;
	return `Reply with JSON alone that fits this JSON Schema: ${JSON.stringify(schema)}`;
}

function toMessage(message: ChatMessage): object {
	const { role, content } = message;
	if (role === "tool") return { role, tool_call_id: message.callId, content };
	if (role === "user" || !message.toolCalls?.length) return { role, content };
	return { role, content: content === "" ? null : content, tool_calls: message.toolCalls.map(toToolCall) };
}

/** Arguments that are no JSON make some servers fail; what was wrong with them stands in the answer to the call. */
const toToolCall = ({ id, name, arguments: text }: ChatToolCall): object => ({
	id,
	type: "function",
	function: { name, arguments: isJson(text) ? text : "{}" },
});

const toTool = ({ name, description, parameters }: ChatTool): object => ({
	type: "function",
	function: { name, ...(description === undefined ? {} : { description }), parameters },
});

const toResponseFormat = (schema: JsonSchema): object => ({
	type: "json_schema",
	json_schema: { name: "output", schema, strict: isStrictSchema(schema) },
});
