import type { ChatMessage, ChatRequest, ChatTool, ChatToolCall, JsonSchema } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { ApiError } from "../http/api-error";
import type { CompletionRequest } from "./completion-request";

type WireMessage = CompletionRequest["messages"][number];
type WireCall = NonNullable<Extract<WireMessage, { role: "assistant" }>["tool_calls"]>[number];

/** A chat completion as the model seam wants it. */
export function toChatRequest(request: CompletionRequest): ChatRequest {
	const { messages, tools, tool_choice, temperature, stemma } = request;
	refuseUnsupported(request);
	messages.forEach(demandText);
	const system = messages.filter(isSystem).map(({ content }) => toText(content));
	const outputSchema = toOutputSchema(request.response_format);
	const maxOutputTokens = request.max_completion_tokens ?? request.max_tokens;
	const offered = (tools ?? []).map(({ function: tool }) => toTool(tool, findKind(stemma, tool.name)));
	return {
		...(system.length === 0 ? {} : { system: system.join("\n\n") }),
		messages: toMessages(messages.filter((message) => !isSystem(message))),
		...(offered.length === 0 ? {} : { tools: offered, toolChoice: toToolChoice(tool_choice) }),
		...(outputSchema === undefined ? {} : { outputSchema }),
		...(typeof temperature === "number" ? { temperature } : {}),
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

/** What is left out in silence would change the answer. */
function refuseUnsupported(request: CompletionRequest): void {
	for (const [field, { isAsked, message }] of Object.entries(UNSUPPORTED))
		if (isAsked(request)) throw unsupported(field, message);
}

const isGiven = (value: unknown): boolean => value != null && !(Array.isArray(value) && value.length === 0);

const UNSUPPORTED: {
	readonly [field: string]: {
		readonly isAsked: (request: CompletionRequest) => boolean;
		readonly message: string;
	};
} = {
	n: { isAsked: ({ n }) => (n ?? 1) !== 1, message: "One answer is given at a time." },
	stop: { isAsked: ({ stop }) => isGiven(stop), message: "Words to stop at are not passed on." },
	functions: { isAsked: ({ functions }) => isGiven(functions), message: 'Offer "tools" instead.' },
	function_call: {
		isAsked: ({ function_call }) => isGiven(function_call),
		message: 'Say "tool_choice" instead.',
	},
	parallel_tool_calls: {
		isAsked: ({ parallel_tool_calls }) => parallel_tool_calls === false,
		message: "Several calls at a time cannot be ruled out.",
	},
	logprobs: { isAsked: ({ logprobs }) => logprobs === true, message: "Probabilities are not passed on." },
	modalities: {
		isAsked: ({ modalities }) => Array.isArray(modalities) && modalities.some((kind) => kind !== "text"),
		message: "Answers are text alone.",
	},
};

function findKind(stemma: CompletionRequest["stemma"], tool: string): ChatTool["kind"] {
	const kinds = stemma?.tool_kinds ?? {};
	return Object.hasOwn(kinds, tool) ? kinds[tool] : undefined;
}

type SystemMessage = Extract<WireMessage, { role: "system" | "developer" }>;

const isSystem = (message: WireMessage): message is SystemMessage =>
	message.role === "system" || message.role === "developer";

function toMessages(messages: readonly WireMessage[]): ChatMessage[] {
	const names = new Map<string, string>();
	return messages.map((message, index): ChatMessage => {
		if (message.role === "tool") return toToolMessage(message, names, index);
		if (message.role !== "assistant") return { role: "user", content: toText(message.content) };
		const toolCalls = (message.tool_calls ?? []).map(toToolCall);
		for (const { id, name } of toolCalls) names.set(id, name);
		const content = toText(message.content ?? "");
		return { role: "assistant", content, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
	});
}

function toToolCall({ id, function: called, extra_content }: WireCall): ChatToolCall {
	const vendorData = extra_content?.stemma;
	return { id, ...called, ...(vendorData === undefined ? {} : { vendorData }) };
}

function toToolMessage(
	{ tool_call_id, content }: Extract<WireMessage, { role: "tool" }>,
	names: ReadonlyMap<string, string>,
	index: number,
): ChatMessage {
	const name = names.get(tool_call_id);
	if (name === undefined)
		throw new ApiError(400, "invalid_request", `No message before answers to the call "${tool_call_id}".`, {
			param: `messages[${index}].tool_call_id`,
			hint: "Send the assistant's message with its tool_calls before the tools' messages.",
		});
	return { role: "tool", callId: tool_call_id, name, content: toText(content) };
}

const toText = (content: string | readonly { readonly type: string; readonly text?: string }[]): string =>
	typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");

/** Images and sounds are not passed on, and leaving them out in silence would change the question. */
function demandText({ content }: WireMessage, index: number): void {
	if (typeof content === "string" || content == null) return;
	const other = content.findIndex((part) => part.type !== "text" || !("text" in part));
	if (other !== -1) throw unsupported(`messages[${index}].content[${other}]`, "Only parts of text are read.");
}

const unsupported = (param: string, message: string): ApiError =>
	new ApiError(400, "invalid_request", message, { param });

const toTool = (
	{
		name,
		description,
		parameters = { type: "object" },
	}: NonNullable<CompletionRequest["tools"]>[number]["function"],
	kind: ChatTool["kind"],
): ChatTool => ({
	name,
	...(description === undefined ? {} : { description }),
	// JSON by the way it came in.
	parameters: parameters as JsonSchema,
	...(kind === undefined ? {} : { kind }),
});

function toToolChoice(choice: unknown): "auto" | "none" {
	if (choice === undefined || choice === null || choice === "auto") return "auto";
	if (choice === "none") return "none";
	throw new ApiError(400, "invalid_request", 'Only "auto" and "none" can be chosen.', {
		param: "tool_choice",
	});
}

function toOutputSchema(format: unknown): JsonSchema | undefined {
	if (format === undefined || format === null || (isJsonObject(format) && format.type === "text"))
		return undefined;
	const schema =
		isJsonObject(format) && isJsonObject(format.json_schema) ? format.json_schema.schema : undefined;
	if (isJsonObject(schema)) return schema as JsonSchema;
	throw new ApiError(
		400,
		"invalid_request",
		'Only the formats "text" and "json_schema" with a schema can be asked for.',
		{
			param: "response_format",
		},
	);
}
