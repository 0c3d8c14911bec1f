import type { ChatCompletionContext, ChatCompletionMessage, ChatCompletionRequest } from "@stemma/client";
import type { ChatMessage, ChatRequest, ChatSettings, ChatTool } from "@stemma/core";

/** A model of the service, as a run resolved it. */
export interface ServiceModel {
	readonly provider: string;
	readonly vendorHost: string;
	readonly model: string;
	/** The `model` to send: the node's choice, else `default`. */
	readonly requestedModel: string;
	/** The provider to send, where the node chose one. */
	readonly requestedProvider: string | undefined;
	/** The service tells this caller of no calls. */
	readonly hidesReceipts: boolean;
	readonly knowledgeBases: readonly string[];
	readonly headers: Readonly<Record<string, string>>;
}

/** A request as the service's `chat/completions` takes it. */
export function toChatCompletion(request: ChatRequest, service: ServiceModel): ChatCompletionRequest {
	const { system, messages, tools = [], temperature, maxOutputTokens } = request;
	const response_format = toResponseFormat(request);
	return {
		model: service.requestedModel,
		messages: [
			...(system === undefined ? [] : [{ role: "system" as const, content: system }]),
			...messages.map(toMessage),
		],
		...(tools.length === 0
			? {}
			: { tools: tools.map(toTool), tool_choice: toToolChoice(request.toolChoice) }),
		...(response_format === undefined ? {} : { response_format }),
		...(temperature === undefined ? {} : { temperature }),
		...toSettingFields(request.settings),
		...(maxOutputTokens === undefined ? {} : { max_tokens: maxOutputTokens }),
		stream_options: { include_usage: true },
		stemma: toContext(request, service),
	};
}

function toMessage(message: ChatMessage): ChatCompletionMessage {
	const nameField = message.role !== "tool" && message.name !== undefined ? { name: message.name } : {};
	if (message.role === "user") return { role: "user", content: message.content, ...nameField };
	if (message.role === "tool")
		return { role: "tool", tool_call_id: message.callId, content: message.content };
	const { content, toolCalls = [] } = message;
	if (toolCalls.length === 0) return { role: "assistant", content, ...nameField };
	const tool_calls = toolCalls.map((call) => ({
		id: call.id,
		type: "function" as const,
		function: { name: call.name, arguments: call.arguments },
		...(call.providerMetadata === undefined ? {} : { extra_content: { stemma: call.providerMetadata } }),
	}));
	return { role: "assistant", content: content === "" ? null : content, ...nameField, tool_calls };
}

const toTool = ({ name, description, parameters, strict }: ChatTool) => ({
	type: "function" as const,
	function: {
		name,
		parameters,
		...(description === undefined ? {} : { description }),
		...(strict === undefined ? {} : { strict }),
	},
});

function toContext({ origin, tools = [] }: ChatRequest, service: ServiceModel): ChatCompletionContext {
	const kinds = tools.flatMap(({ name, kind }) => (kind === undefined ? [] : [[name, kind] as const]));
	const { runId, node, depth, mode } = origin ?? {};
	return {
		stage: "answer",
		knowledge_base_ids: service.knowledgeBases,
		...(service.requestedProvider === undefined ? {} : { provider: service.requestedProvider }),
		...(runId === undefined ? {} : { run_id: runId }),
		...(node === undefined ? {} : { node }),
		...(depth === undefined ? {} : { depth }),
		...(mode === undefined ? {} : { mode }),
		...(kinds.length === 0 ? {} : { tool_kinds: Object.fromEntries(kinds) }),
	};
}

/** The settings of a request in OpenAI's names; the service passes them on or refuses them. */
const toSettingFields = (settings: ChatSettings = {}): Partial<ChatCompletionRequest> => ({
	...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
	...(settings.topP === undefined ? {} : { top_p: settings.topP }),
	...(settings.seed === undefined ? {} : { seed: settings.seed }),
	...(settings.stop === undefined ? {} : { stop: settings.stop }),
	...(settings.frequencyPenalty === undefined ? {} : { frequency_penalty: settings.frequencyPenalty }),
	...(settings.presencePenalty === undefined ? {} : { presence_penalty: settings.presencePenalty }),
	...(settings.logitBias === undefined ? {} : { logit_bias: settings.logitBias }),
	...(settings.reasoningEffort === undefined ? {} : { reasoning_effort: settings.reasoningEffort }),
	...(settings.verbosity === undefined ? {} : { verbosity: settings.verbosity }),
	...(settings.parallelToolCalls === undefined ? {} : { parallel_tool_calls: settings.parallelToolCalls }),
});

/** The output that is wanted, as OpenAI's `response_format`. */
function toResponseFormat({
	outputSchema: schema,
	output,
}: ChatRequest): ChatCompletionRequest["response_format"] {
	if (schema === undefined) return output && { type: "json_object" };
	return { type: "json_schema", json_schema: { name: "output", ...output, schema } };
}

/** A choice of tools as OpenAI's `tool_choice`. */
const toToolChoice = (
	choice: ChatRequest["toolChoice"] = "auto",
): NonNullable<ChatCompletionRequest["tool_choice"]> =>
	typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };
