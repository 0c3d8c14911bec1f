import { SETTING_FIELDS } from "@stemma/core/internal";
import { createId } from "../../create-id";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { type MessageRequest, messageRequest, tokenCountRequest } from "../../messages/message-request";
import { createMessageEncoder } from "../../messages/message-stream";
import { toMessageChatRequest } from "../../messages/to-chat-request";
import { type MessageContext, toMessage } from "../../messages/to-message";
import type { FieldNames } from "../../replies/answer-request";
import { countInputTokens } from "../../replies/count-input-tokens";
import { type ParamNames, renameParam } from "../../replies/rename-param";
import { toStreamedError } from "../streamed-error";
import { openResponder } from "./open-responder";
import { generateReply, respondWithReply } from "./respond-with-reply";

const MAX_BYTES = 20 * 1024 * 1024;

const NAMES: FieldNames = {
	messages: "messages",
	system: "system",
	tools: "tools",
	output: "output_config.format",
	settings: {
		...SETTING_FIELDS,
		stop: "stop_sequences",
		reasoningEffort: "output_config.effort",
		parallelToolCalls: "tool_choice.disable_parallel_tool_use",
	},
};

/** Names of the fields of chat completions in a request for a message. */
const MESSAGE_PARAMS: ParamNames = {
	response_format: "output_config.format",
	"response_format.json_schema.schema": "output_config.format.schema",
	max_completion_tokens: "max_tokens",
	stop: "stop_sequences",
	reasoning_effort: "output_config.effort",
	parallel_tool_calls: "tool_choice.disable_parallel_tool_use",
};

const described = {
	create: describeRoute({
		summary: "Create a message, as Anthropic does",
		body: messageRequest,
		responses: { 200: { "application/json": "External", "text/event-stream": "External" } },
		errors: [
			"agent_not_found",
			"knowledge_base_not_found",
			"model_not_found",
			"run_failed",
			"run_cancelled",
			"model_not_allowed",
			"model_choice_not_allowed",
			"unsupported_parameter",
			"too_many_runs",
			"no_knowledge_bases",
		],
		callsModels: true,
		errorForm: "external",
		example: { model: "default", max_tokens: 100, messages: [{ role: "user", content: "Hello" }] },
	}),
	count: describeRoute({
		summary: "Count the tokens of a message",
		body: tokenCountRequest,
		responses: { 200: "External" },
		errors: ["model_not_found"],
		errorForm: "external",
	}),
};

/** `/v1/messages`: Anthropic's, of models, agents and knowledge bases. */
export function addMessageRoutes(app: ServiceApp): void {
	const requireAsk = requireCaller({
		scopes: ["ask", "agents:run"],
		clientKeys: true,
		apiKeyHeader: true,
		sessions: false,
	});

	app.post("/v1/messages", described.create, requireAsk, async (context) => {
		const body = await readJson(context, messageRequest, { maxBytes: MAX_BYTES });
		return createMessage(context, body).catch((error: unknown) => {
			throw renameParam(error, MESSAGE_PARAMS);
		});
	});

	app.post("/v1/messages/count_tokens", described.count, requireAsk, async (context) => {
		const body = await readJson(context, tokenCountRequest, { maxBytes: MAX_BYTES });
		const request = toMessageChatRequest(body);
		return context.json({ input_tokens: countInputTokens(body.model, request, NAMES) });
	});
}

async function createMessage(context: ServiceContext, body: MessageRequest): Promise<Response> {
	const request = toMessageChatRequest(body);
	const responder = await openResponder(toScope(context), {
		model: body.model,
		request,
		names: NAMES,
		context: body.stemma?.context,
	});
	const head: MessageContext = {
		id: createId("msg"),
		model: responder.model,
		canSeeReceipt: responder.canSeeReceipt,
	};
	if (body.stream !== true) return context.json(toMessage(head, await generateReply(context, responder)));
	const encode = createMessageEncoder(head);
	return respondWithReply(context, responder, {
		encode: (event) => encode(event).map((data) => ({ event: data.type, data })),
		end: [],
		toErrorEvents: (error) => [
			{
				event: "error",
				data: { type: "error", error: toStreamedError(context, renameParam(error, MESSAGE_PARAMS)) },
			},
		],
	});
}
