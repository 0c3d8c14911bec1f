import type { ChatRequest } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { CompletionRequest } from "../completions/completion-request";
import { toChatRequest } from "../completions/to-chat-request";
import { createUnsupportedError } from "../completions/unsupported-fields";
import { DomainError } from "../errors/domain-error";
import type { ResponseItem, ResponseRequest } from "./response-request";
import { assertSupported } from "./unsupported-fields";

type WireMessage = CompletionRequest["messages"][number];
type AssistantMessage = Extract<WireMessage, { role: "assistant" }>;
type WireTool = NonNullable<CompletionRequest["tools"]>[number];

/**
 * Converts a request for a response to one for a model.
 *
 * @param items - the whole conversation, in which nothing is a reference any more. The last `ownCount` are of the request.
 * @throws DomainError `unsupported_parameter`, `invalid_request`.
 */
export function toResponseChatRequest(
	request: ResponseRequest,
	items: readonly ResponseItem[],
	ownCount: number,
): ChatRequest {
	assertSupported(request);
	const offset = items.length - ownCount;
	const { instructions, tools, text, reasoning, ...settings } = request;
	const offered = (tools ?? []).map(toTool);
	return toChatRequest({
		model: request.model,
		messages: [
			...(instructions ? [{ role: "developer" as const, content: instructions }] : []),
			...toMessages(items, (index) => `input[${index - offset}]`),
		],
		tools: offered,
		tool_choice: toToolChoice(request.tool_choice),
		parallel_tool_calls: settings.parallel_tool_calls,
		response_format: toResponseFormat(text?.format),
		temperature: settings.temperature,
		top_p: settings.top_p,
		max_completion_tokens: settings.max_output_tokens,
		reasoning_effort: reasoning?.effort,
		verbosity: text?.verbosity,
	});
}

/** @param toPath - the path of an item, for errors. */
function toMessages(items: readonly ResponseItem[], toPath: (index: number) => string): WireMessage[] {
	const messages: WireMessage[] = [];
	const callIds = new Set<string>();
	for (const [index, item] of items.entries()) {
		if (item.type === "message")
			messages.push({ role: item.role, content: toText(item.content, `${toPath(index)}.content`) });
		if (item.type === "function_call") {
			callIds.add(item.call_id);
			addCall(messages, item);
		}
		if (item.type !== "function_call_output") continue;
		const path = toPath(index);
		if (!callIds.has(item.call_id)) throw unknownCall(item.call_id, `${path}.call_id`);
		messages.push({
			role: "tool",
			tool_call_id: item.call_id,
			content: toText(item.output, `${path}.output`),
		});
	}
	return messages;
}

/** Calls of one turn belong to one message of the assistant. */
function addCall(messages: WireMessage[], item: Extract<ResponseItem, { type: "function_call" }>): void {
	const { call_id, name, arguments: text, extra_content } = item;
	const call = { id: call_id, type: "function" as const, function: { name, arguments: text }, extra_content };
	const last = messages.at(-1);
	const turn: AssistantMessage = last?.role === "assistant" ? last : { role: "assistant", content: "" };
	if (turn === last) messages.pop();
	messages.push({ ...turn, tool_calls: [...(turn.tool_calls ?? []), call] });
}

function toText(content: Extract<ResponseItem, { type: "message" }>["content"], path: string): string {
	if (typeof content === "string") return content;
	return content
		.map((part, index) => {
			if ("text" in part) return part.text;
			throw createUnsupportedError(`${path}[${index}]`, "Only text parts are supported.");
		})
		.join("");
}

const unknownCall = (callId: string, param: string): DomainError =>
	new DomainError("invalid_request", `No item before has the call "${callId}".`, {
		param,
		hint: "Send the item function_call before its output, or the previous_response_id of the response that has it.",
	});

function toTool(tool: NonNullable<ResponseRequest["tools"]>[number], index: number): WireTool {
	if ("name" in tool) {
		const { type, ...offered } = tool;
		return { type, function: offered };
	}
	throw createUnsupportedError(`tools[${index}]`, "Only tools of the type `function` are supported.");
}

/** The choice in the form of chat completions. */
function toToolChoice(choice: unknown): unknown {
	if (!isJsonObject(choice) || choice.type !== "function") return choice;
	return { type: "function", function: { name: choice.name } };
}

/** The format in the form of chat completions. */
function toResponseFormat(format: unknown): unknown {
	if (!isJsonObject(format) || format.type !== "json_schema") return format;
	const { type, ...json_schema } = format;
	return { type, json_schema };
}
