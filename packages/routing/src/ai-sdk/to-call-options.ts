import type { ChatMessage, ChatRequest, ChatTool } from "@stemma/core";
import { toOutputInstruction } from "../http/output-instruction";
import { toSettingOptions } from "./settings";
import { toInput } from "./to-assistant-parts";
import type { TurnCache } from "./turn-cache";
import type { AiSdkCallOptions } from "./wire";

/** Settings of a call to a model of the AI SDK. */
export interface CallSettings {
	readonly turns: TurnCache;
	readonly ignoresSchemas: boolean;
	readonly signal: AbortSignal;
}

/**
 * Converts a request to the options that a model is called with. They are the same for V2, V3 and V4 of the
 * specification.
 */
export function toCallOptions(request: ChatRequest, settings: CallSettings): AiSdkCallOptions {
	const { tools = [], toolChoice, temperature, maxOutputTokens } = request;
	const choice = tools.length > 0 ? toToolChoice(toolChoice) : undefined;
	const responseFormat = toResponseFormat(request);
	return {
		prompt: toPrompt(request, settings),
		...(tools.length === 0 ? {} : { tools: tools.map(toTool) }),
		...(choice === undefined ? {} : { toolChoice: choice }),
		...(responseFormat === undefined ? {} : { responseFormat }),
		...(temperature === undefined ? {} : { temperature }),
		...toSettingOptions(request.settings),
		...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
		abortSignal: settings.signal,
	};
}

/** Answers to the calls of one turn stand in one message: some vendors refuse them apart. */
function toPrompt(request: ChatRequest, { turns, ignoresSchemas }: CallSettings): object[] {
	const { system, messages } = request;
	const instructions = [system, toInstruction(request, ignoresSchemas)].filter((text) => text !== undefined);
	const prompt: object[] = [];
	if (instructions.length > 0) prompt.push({ role: "system", content: instructions.join("\n\n") });
	let results: object[] | undefined;
	for (const message of messages) {
		const content = toParts(message, turns);
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
function toInstruction(request: ChatRequest, ignoresSchemas: boolean): string | undefined {
	return toResponseFormat(request) !== undefined && !ignoresSchemas
		? undefined
		: toOutputInstruction(request);
}

function toParts(message: ChatMessage, turns: TurnCache): object[] {
	if (message.role === "user") return [{ type: "text", text: message.content }];
	if (message.role === "tool") return [toResult(message)];
	const { content, toolCalls = [] } = message;
	const cachedParts = turns.get(message);
	if (cachedParts !== undefined) return [...cachedParts];
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

const toTool = ({ name, description, parameters, strict }: ChatTool): object => ({
	type: "function",
	name,
	...(description === undefined ? {} : { description }),
	inputSchema: parameters,
	...(strict === undefined ? {} : { strict }),
});

/** `auto` is the default. */
function toToolChoice(choice: ChatRequest["toolChoice"]): AiSdkCallOptions["toolChoice"] {
	if (choice === undefined || choice === "auto") return undefined;
	return typeof choice === "string" ? { type: choice } : { type: "tool", toolName: choice.name };
}

/** Undefined where text is wanted, or what no vendor has a format for. */
function toResponseFormat({ outputSchema, output }: ChatRequest): AiSdkCallOptions["responseFormat"] {
	if (outputSchema === undefined) return output && { type: "json" };
	if (outputSchema.type !== "object") return undefined;
	const { name = "output", description } = output ?? {};
	return {
		type: "json",
		name,
		...(description === undefined ? {} : { description }),
		schema: outputSchema,
	};
}
