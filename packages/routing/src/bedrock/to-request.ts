import type { ChatMessage, ChatOutput, ChatRequest, ChatTool, JsonSchema } from "@stemma/core";
import type { Fields } from "../http/lenient-json";
import { toOutputInstruction } from "../http/output-instruction";
import { type ForcedChoice, isForcedChoice, toChoiceInstruction } from "../http/tool-choice";
import { type Aliases, createAliases } from "./aliases";
import { isClosedSchema } from "./closed-schema";
import type { Dialect } from "./dialect";
import { MAX_TEMPERATURE } from "./settings";
import { toMessages, toText } from "./to-messages";

/** A request as the vendor takes it, and what must be known to read the answer. */
export interface ConverseRequest {
	readonly body: Fields;
	/** The tools' names. */
	readonly names: Aliases;
}

/** The body of a request to Converse or ConverseStream (Bedrock API reference). */
export function toRequest(request: ChatRequest, dialect: Dialect): ConverseRequest {
	const { messages, maxOutputTokens, outputSchema, toolChoice } = request;
	const tools = listTools(request);
	const names = createAliases([...tools.map(({ name }) => name), ...listCalls(messages, "name")]);
	const callIds = createAliases(listCalls(messages, "id"));
	const canCall = (request.tools?.length ?? 0) > 0 && request.toolChoice !== "none";
	const isForced = canCall && isForcedChoice(toolChoice);
	const usesChoiceInstruction = isForced && dialect.has("toolConfig.toolChoice");
	const instructions = toInstructions(request, tools.length > 0 && !canCall, usesChoiceInstruction);
	const turns = toMessages(messages, {
		names,
		callIds,
		supportsToolStatus: !dialect.has("toolResult.status"),
	});
	const supportsSystem = !dialect.has("system");
	if (!supportsSystem) turns[0]?.content.unshift(...instructions);
	const inference = {
		...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
		...toInference(request, dialect),
	};
	const choice = isForced && !usesChoiceInstruction && { toolChoice: toToolChoice(toolChoice, names) };
	const usesOutputConfig =
		!dialect.has("outputConfig") && outputSchema?.type === "object" && isClosedSchema(outputSchema);
	const body = {
		messages: turns,
		...(instructions.length > 0 && supportsSystem && { system: instructions }),
		...(Object.keys(inference).length > 0 && { inferenceConfig: inference }),
		...(tools.length > 0 && {
			toolConfig: { tools: tools.map((tool) => toTool(tool, names, dialect)), ...choice },
		}),
		...(usesOutputConfig && { outputConfig: toOutputConfig(outputSchema, request.output) }),
	};
	return { body, names };
}

/**
 * Creates the inference parameters: the temperature of the request as far as the model takes it, and settings as they
 * are.
 */
function toInference({ temperature, settings = {} }: ChatRequest, dialect: Dialect): Fields {
	const usesRequestTemperature =
		settings.temperature === undefined && !dialect.has("inferenceConfig.temperature");
	const requestTemperature =
		usesRequestTemperature && temperature !== undefined ? Math.min(temperature, MAX_TEMPERATURE) : undefined;
	const usedTemperature = settings.temperature ?? requestTemperature;
	return {
		...(usedTemperature !== undefined && { temperature: usedTemperature }),
		...(settings.topP !== undefined && { topP: settings.topP }),
		...(settings.stop !== undefined && { stopSequences: settings.stop }),
	};
}

const toToolChoice = (choice: ForcedChoice, names: Aliases): Fields =>
	choice === "required" ? { any: {} } : { tool: { name: names.toAlias(choice.name) } };

/** The tools that are offered; else those of the conversation, which the vendor does not take without. */
function listTools({ tools = [], messages }: ChatRequest): readonly ChatTool[] {
	if (tools.length > 0) return tools;
	return [...new Set(listCalls(messages, "name"))].map((name) => ({ name, parameters: {} }));
}

function listCalls(messages: readonly ChatMessage[], key: "id" | "name"): string[] {
	return messages.flatMap((message) => {
		if (message.role === "tool") return [key === "id" ? message.callId : message.name];
		return message.role === "user" ? [] : (message.toolCalls ?? []).map((call) => call[key]);
	});
}

/**
 * Creates the system instructions. They also forbid tool calls where the request does, because the vendor's tool choice
 * has no `none`.
 */
function toInstructions(
	request: ChatRequest,
	isCallForbidden: boolean,
	usesChoiceInstruction: boolean,
): Fields[] {
	const { system = "", toolChoice } = request;
	return [
		system,
		toOutputInstruction(request) ?? "",
		isCallForbidden ? "Call no tool in this turn: reply in words, with what is known so far." : "",
		usesChoiceInstruction && isForcedChoice(toolChoice) ? toChoiceInstruction(toolChoice) : "",
	].flatMap(toText);
}

function toTool(
	{ name, description = "", parameters, strict }: ChatTool,
	names: Aliases,
	dialect: Dialect,
): Fields {
	return {
		toolSpec: {
			name: names.toAlias(name),
			...(description.trim() !== "" && { description }),
			inputSchema: { json: { type: "object", ...parameters } },
			...(strict !== undefined && !dialect.has("toolSpec.strict") && { strict }),
		},
	};
}

const toOutputConfig = (schema: JsonSchema, { name = "output", description }: ChatOutput = {}): Fields => ({
	textFormat: {
		type: "json_schema",
		structure: {
			jsonSchema: { name, ...(description && { description }), schema: JSON.stringify(schema) },
		},
	},
});
