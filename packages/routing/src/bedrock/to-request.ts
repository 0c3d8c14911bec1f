import type { ChatMessage, ChatRequest, ChatTool, JsonSchema } from "@stemma/core";
import type { Fields } from "../http/fields";
import { type Aliases, createAliases } from "./aliases";
import { isClosedSchema } from "./closed-schema";
import type { Dialect } from "./dialect";
import { toMessages, toText } from "./to-messages";

/** A request as the vendor takes it, and what must be known to read the answer. */
export interface ConverseRequest {
	readonly body: Fields;
	/** The tools' names. */
	readonly names: Aliases;
}

/** Other vendors go up to 2; this one refuses what is higher. */
const HIGHEST_TEMPERATURE = 1;

/** The body of a request to Converse or ConverseStream (Bedrock API reference). */
export function toRequest(request: ChatRequest, dialect: Dialect): ConverseRequest {
	const { messages, temperature, maxOutputTokens, outputSchema } = request;
	const tools = listTools(request);
	const names = createAliases([...tools.map(({ name }) => name), ...listCalls(messages, "name")]);
	const callIds = createAliases(listCalls(messages, "id"));
	const mayCall = (request.tools?.length ?? 0) > 0 && request.toolChoice !== "none";
	const instructions = toInstructions(request, tools.length > 0 && !mayCall);
	const turns = toMessages(messages, { names, callIds, takesToolStatus: !dialect.has("toolResult.status") });
	const takesSystem = !dialect.has("system");
	if (!takesSystem) turns[0]?.content.unshift(...instructions);
	const inference = {
		...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
		...(temperature !== undefined &&
			!dialect.has("inferenceConfig.temperature") && {
				temperature: Math.min(temperature, HIGHEST_TEMPERATURE),
			}),
	};
	const isHeld =
		!dialect.has("outputConfig") && outputSchema?.type === "object" && isClosedSchema(outputSchema);
	const body = {
		messages: turns,
		...(instructions.length > 0 && takesSystem && { system: instructions }),
		...(Object.keys(inference).length > 0 && { inferenceConfig: inference }),
		...(tools.length > 0 && { toolConfig: { tools: tools.map((tool) => toTool(tool, names)) } }),
		...(isHeld && { outputConfig: toOutputConfig(outputSchema) }),
	};
	return { body, names };
}

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

/** That no tool may be called can be said in words alone: the vendor has no `none`. */
function toInstructions({ system = "", outputSchema }: ChatRequest, mustNotCall: boolean): Fields[] {
	return [
		system,
		outputSchema ? `Reply with JSON alone that fits this JSON Schema: ${JSON.stringify(outputSchema)}` : "",
		mustNotCall ? "Call no tool in this turn: reply in words, with what is known so far." : "",
	].flatMap(toText);
}

function toTool({ name, description = "", parameters }: ChatTool, names: Aliases): Fields {
	return {
		toolSpec: {
			name: names.toAlias(name),
			...(description.trim() !== "" && { description }),
			inputSchema: { json: { type: "object", ...parameters } },
		},
	};
}

const toOutputConfig = (schema: JsonSchema): Fields => ({
	textFormat: {
		type: "json_schema",
		structure: { jsonSchema: { name: "output", schema: JSON.stringify(schema) } },
	},
});
