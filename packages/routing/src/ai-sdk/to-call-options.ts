import type { ChatMessage, ChatRequest, ChatTool, JsonSchema } from "@stemma/core";
import { toInput } from "./to-assistant-parts";
import type { TurnMemory } from "./turn-memory";
import type { AiSdkCallOptions } from "./wire";

export interface CallSettings {
	readonly memory: TurnMemory;
	readonly ignoresSchemas: boolean;
	readonly signal: AbortSignal;
}

/** What a model is called with. It is the same for V2, V3 and V4 of the specification. */
export function toCallOptions(request: ChatRequest, settings: CallSettings): AiSdkCallOptions {
	const { tools = [], toolChoice, outputSchema, temperature, maxOutputTokens } = request;
	return {
		prompt: toPrompt(request, settings),
		...(tools.length === 0 ? {} : { tools: tools.map(toTool) }),
		...(tools.length > 0 && toolChoice === "none" ? { toolChoice: { type: "none" } } : {}),
		...(outputSchema?.type === "object" ? { responseFormat: toResponseFormat(outputSchema) } : {}),
		...(temperature === undefined ? {} : { temperature }),
		...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
		abortSignal: settings.signal,
	};
}

/** Answers to the calls of one turn stand in one message: some vendors refuse them apart. */
function toPrompt(request: ChatRequest, { memory, ignoresSchemas }: CallSettings): object[] {
	const { system, messages, outputSchema } = request;
	const instructions = [system, toInstruction(outputSchema, ignoresSchemas)].filter(
		(text) => text !== undefined,
	);
	const prompt: object[] = [];
	if (instructions.length > 0) prompt.push({ role: "system", content: instructions.join("\n\n") });
	let results: object[] | undefined;
	for (const message of messages) {
		const content = toParts(message, memory);
		if (message.role === "tool" && results !== undefined) {
			results.push(...content);
			continue;
		}
		prompt.push({ role: message.role, content });
		results = message.role === "tool" ? content : undefined;
	}
	return prompt;
}

/** Most vendors take schemas of objects alone, and some models none: what the text must be, the model is told then. */
function toInstruction(schema: JsonSchema | undefined, ignoresSchemas: boolean): string | undefined {
	if (schema === undefined || (schema.type === "object" && !ignoresSchemas)) return undefined;
	return `Reply with JSON alone that fits this JSON Schema: ${JSON.stringify(schema)}`;
}

function toParts(message: ChatMessage, memory: TurnMemory): object[] {
	if (message.role === "user") return [{ type: "text", text: message.content }];
	if (message.role === "tool") return [toResult(message)];
	const { content, toolCalls = [] } = message;
	const remembered = memory.recall(message);
	if (remembered !== undefined) return [...remembered];
	return [
		...(content === "" ? [] : [{ type: "text", text: content }]),
		...toolCalls.map(({ id, name, arguments: text }) => ({
			type: "tool-call",
			toolCallId: id,
			toolName: name,
			input: toInput(text),
		})),
	];
}

const toResult = ({ callId, name, content, isError }: ChatMessage & { readonly role: "tool" }): object => ({
	type: "tool-result",
	toolCallId: callId,
	toolName: name,
	output: { type: isError === true ? "error-text" : "text", value: content },
});

const toTool = ({ name, description, parameters }: ChatTool): object => ({
	type: "function",
	name,
	...(description === undefined ? {} : { description }),
	inputSchema: parameters,
});

const toResponseFormat = (schema: JsonSchema) => ({ type: "json", name: "output", schema });
