import type { ChatMessage, ChatRequest, ChatTool, ChatToolCall, JsonSchema } from "@stemma/core";
import { DomainError } from "../errors/domain-error";
import type { CompletionRequest } from "./completion-request";
import { toChatSettings } from "./completion-settings";
import { fromLegacyRequest, type ToolMessage, type ToolRequest } from "./legacy-functions";
import { toOutputFormat } from "./output-format";
import { toToolChoice } from "./tool-choice";
import { assertSupported, createUnsupportedError } from "./unsupported-fields";

type WireCall = NonNullable<Extract<ToolMessage, { role: "assistant" }>["tool_calls"]>[number];

/** A chat completion as the model seam wants it. */
export function toChatRequest(completionRequest: CompletionRequest): ChatRequest {
	assertSupported(completionRequest);
	const request = fromLegacyRequest(completionRequest);
	const { messages, tools, tool_choice, stemma } = request;
	messages.forEach(assertText);
	messages.forEach(assertNoSystemName);
	const system = messages.filter(isSystem).map(({ content }) => toText(content));
	const maxOutputTokens = request.max_completion_tokens ?? request.max_tokens;
	const offered = (tools ?? []).map(({ function: tool }) => toTool(tool, findToolKind(stemma, tool.name)));
	return {
		...(system.length === 0 ? {} : { system: system.join("\n\n") }),
		messages: toMessages(messages.filter((message) => !isSystem(message))),
		...toTools(offered, tool_choice),
		...toOutputFormat(request.response_format),
		...toSamplingSettings(request),
		...(typeof maxOutputTokens === "number" ? { maxOutputTokens } : {}),
		...(stemma?.node === undefined
			? {}
			: {
					origin: {
						runId: stemma.run_id ?? "",
						node: stemma.node,
						depth: stemma.depth ?? 0,
						...(stemma.mode === undefined ? {} : { mode: stemma.mode }),
					},
				}),
	};
}

function toTools(tools: readonly ChatTool[], choice: unknown): Pick<ChatRequest, "tools" | "toolChoice"> {
	const toolChoice = toToolChoice(choice, tools);
	return tools.length === 0 ? {} : { tools, toolChoice };
}

/** A node of a graph wishes for a temperature; of other callers, all that they set must be kept. */
function toSamplingSettings(request: ToolRequest): Pick<ChatRequest, "temperature" | "settings"> {
	const { temperature, ...others } = toChatSettings(request);
	const isNode = request.stemma?.node !== undefined;
	const settings = { ...others, ...(!isNode && temperature !== undefined && { temperature }) };
	return {
		...(isNode && temperature !== undefined && { temperature }),
		...(Object.keys(settings).length > 0 && { settings }),
	};
}

function findToolKind(stemma: CompletionRequest["stemma"], tool: string): ChatTool["kind"] {
	const kinds = stemma?.tool_kinds ?? {};
	return Object.hasOwn(kinds, tool) ? kinds[tool] : undefined;
}

type SystemMessage = Extract<ToolMessage, { role: "system" | "developer" }>;

const isSystem = (message: ToolMessage): message is SystemMessage =>
	message.role === "system" || message.role === "developer";

function toMessages(messages: readonly ToolMessage[]): ChatMessage[] {
	const names = new Map<string, string>();
	return messages.map((message, index): ChatMessage => {
		if (message.role === "tool") return toToolMessage(message, names, index);
		const speaker = message.name ? { name: message.name } : {};
		if (message.role !== "assistant") return { role: "user", content: toText(message.content), ...speaker };
		const toolCalls = (message.tool_calls ?? []).map(toToolCall);
		for (const { id, name } of toolCalls) names.set(id, name);
		const content = toText(message.content ?? "");
		return { role: "assistant", content, ...speaker, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
	});
}

function toToolCall({ id, function: called, extra_content }: WireCall): ChatToolCall {
	const providerMetadata = extra_content?.stemma;
	return { id, ...called, ...(providerMetadata === undefined ? {} : { providerMetadata }) };
}

function toToolMessage(
	{ tool_call_id, content }: Extract<ToolMessage, { role: "tool" }>,
	names: ReadonlyMap<string, string>,
	index: number,
): ChatMessage {
	const name = names.get(tool_call_id);
	if (name === undefined)
		throw new DomainError("invalid_request", `No message before answers to the call "${tool_call_id}".`, {
			param: `messages[${index}].tool_call_id`,
			hint: "Send the assistant's message with its tool_calls before the tools' messages.",
		});
	return { role: "tool", callId: tool_call_id, name, content: toText(content) };
}

const toText = (content: string | readonly { readonly type: string; readonly text?: string }[]): string =>
	typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");

/** Images and sounds are not passed on, and leaving them out in silence would change the question. */
function assertText({ content }: ToolMessage, index: number): void {
	if (typeof content === "string" || content == null) return;
	const other = content.findIndex((part) => part.type !== "text" || !("text" in part));
	if (other !== -1)
		throw createUnsupportedError(`messages[${index}].content[${other}]`, "Only text parts are supported.");
}

/** Messages of the system are sent as one, which has room for no names. */
function assertNoSystemName(message: ToolMessage, index: number): void {
	if (isSystem(message) && message.name)
		throw createUnsupportedError(`messages[${index}].name`, "Names of system messages are not supported.");
}

const toTool = (
	{ name, description, parameters, strict }: NonNullable<CompletionRequest["tools"]>[number]["function"],
	kind: ChatTool["kind"],
): ChatTool => ({
	name,
	...(typeof description === "string" && { description }),
	// JSON by the way it came in.
	parameters: (parameters ?? { type: "object" }) as JsonSchema,
	...(typeof strict === "boolean" && { strict }),
	...(kind === undefined ? {} : { kind }),
});
