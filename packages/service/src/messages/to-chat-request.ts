import type { ChatMessage, ChatRequest } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { CompletionRequest } from "../completions/completion-request";
import { toChatRequest } from "../completions/to-chat-request";
import { createUnsupportedError } from "../completions/unsupported-fields";
import { DomainError } from "../errors/domain-error";
import type { MessageRequest } from "./message-request";
import { assertSupported } from "./unsupported-fields";

type WireMessage = CompletionRequest["messages"][number];
type Message = MessageRequest["messages"][number];
type Block = Exclude<Message["content"], string>[number];
type TextContent = NonNullable<MessageRequest["system"]>;

/**
 * Converts a request for a message to one for a model.
 *
 * @throws DomainError `unsupported_parameter`, `invalid_request`.
 */
export function toMessageChatRequest(request: MessageRequest): ChatRequest {
	assertSupported(request);
	const { system, messages, tools, tool_choice, output_config, stop_sequences } = request;
	const callIds = new Set<string>();
	const failedIds = new Set<string>();
	const converted = messages.flatMap((message, index) =>
		toMessages(message, { path: `messages[${index}]`, callIds, failedIds }),
	);
	if (converted.at(-1)?.role === "assistant")
		throw createUnsupportedError(
			`messages[${messages.length - 1}]`,
			"A last message of the assistant is not continued.",
		);
	const instructions = system == null ? "" : toText(system);
	const chat = toChatRequest({
		model: request.model,
		messages: [
			...(instructions === "" ? [] : [{ role: "system" as const, content: instructions }]),
			...converted,
		],
		tools: (tools ?? []).map(toTool),
		...toToolChoice(tool_choice),
		response_format: toResponseFormat(output_config?.format),
		reasoning_effort: output_config?.effort,
		temperature: request.temperature,
		top_p: request.top_p,
		stop: stop_sequences,
		max_completion_tokens: request.max_tokens,
	});
	return failedIds.size === 0 ? chat : { ...chat, messages: markFailures(chat.messages, failedIds) };
}

const toText = (content: TextContent): string =>
	typeof content === "string" ? content : content.map(({ text }) => text).join("\n");

interface MessageContext {
	/** Path of the message, for errors. */
	readonly path: string;
	/** Ids of the calls so far. */
	readonly callIds: Set<string>;
	/** Ids of the calls whose result is an error. */
	readonly failedIds: Set<string>;
}

function toMessages(message: Message, context: MessageContext): WireMessage[] {
	if (message.role === "system") return [{ role: "system", content: toText(message.content) }];
	const { role, content } = message;
	if (typeof content === "string") return [{ role, content }];
	return role === "assistant" ? toAssistantMessage(content, context) : toUserMessages(content, context);
}

function toAssistantMessage(blocks: readonly Block[], { path, callIds }: MessageContext): WireMessage[] {
	const texts: string[] = [];
	const calls: NonNullable<Extract<WireMessage, { role: "assistant" }>["tool_calls"]> = [];
	for (const [index, block] of blocks.entries()) {
		if (block.type === "tool_result")
			throw createMisplacedError(`${path}.content[${index}]`, "A message of the assistant has no results.");
		if (block.type === "text") texts.push(block.text);
		if (block.type !== "tool_use") continue;
		const { id, name, input } = block;
		callIds.add(id);
		calls.push({ id, type: "function", function: { name, arguments: JSON.stringify(input) } });
	}
	return [{ role: "assistant", content: texts.join(""), ...(calls.length > 0 && { tool_calls: calls }) }];
}

/** Results of tools are messages of their own, and the text between two of them is one. */
function toUserMessages(
	blocks: readonly Block[],
	{ path, callIds, failedIds }: MessageContext,
): WireMessage[] {
	const messages: WireMessage[] = [];
	for (const [index, block] of blocks.entries()) {
		const place = `${path}.content[${index}]`;
		if (block.type === "tool_use") throw createMisplacedError(place, "A message of the user has no calls.");
		if (block.type === "text") addText(messages, block.text);
		if (block.type !== "tool_result") continue;
		const { tool_use_id, content, is_error } = block;
		if (!callIds.has(tool_use_id))
			throw createMisplacedError(`${place}.tool_use_id`, `No message before has the call "${tool_use_id}".`);
		if (is_error === true) failedIds.add(tool_use_id);
		messages.push({
			role: "tool",
			tool_call_id: tool_use_id,
			content: content == null ? "" : toText(content),
		});
	}
	return messages;
}

function addText(messages: WireMessage[], text: string): void {
	const last = messages.at(-1);
	if (last?.role !== "user") return void messages.push({ role: "user", content: text });
	messages.pop();
	messages.push({ ...last, content: `${String(last.content)}\n${text}` });
}

const createMisplacedError = (param: string, message: string): DomainError =>
	new DomainError("invalid_request", message, { param });

function toTool(
	tool: NonNullable<MessageRequest["tools"]>[number],
	index: number,
): NonNullable<CompletionRequest["tools"]>[number] {
	if (!("input_schema" in tool))
		throw createUnsupportedError(`tools[${index}]`, "Only tools with an `input_schema` are supported.");
	const { name, description, input_schema: parameters, strict } = tool;
	return { type: "function", function: { name, description, parameters, strict } };
}

/** The choice in the form of chat completions. */
function toToolChoice(
	choice: MessageRequest["tool_choice"],
): Pick<CompletionRequest, "tool_choice" | "parallel_tool_calls"> {
	if (choice == null) return {};
	const forms = { auto: "auto", any: "required", none: "none" } as const;
	return {
		tool_choice:
			choice.type === "tool" ? { type: "function", function: { name: choice.name } } : forms[choice.type],
		...(choice.disable_parallel_tool_use === true && { parallel_tool_calls: false }),
	};
}

/** The format in the form of chat completions. */
function toResponseFormat(format: unknown): unknown {
	if (!isJsonObject(format) || format.type !== "json_schema") return format;
	return { type: format.type, json_schema: { schema: format.schema, strict: true } };
}

const markFailures = (messages: readonly ChatMessage[], failedIds: ReadonlySet<string>): ChatMessage[] =>
	messages.map((message) =>
		message.role === "tool" && failedIds.has(message.callId) ? { ...message, isError: true } : message,
	);
