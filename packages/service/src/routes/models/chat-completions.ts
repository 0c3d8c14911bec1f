import { clock, SETTING_FIELDS } from "@stemma/core/internal";
import { type CompletionRequest, completionRequest } from "../../completions/completion-request";
import { createCompletionEncoder } from "../../completions/completion-stream";
import { isLegacy } from "../../completions/legacy-functions";
import { toChatRequest } from "../../completions/to-chat-request";
import { type CompletionContext, toCompletion } from "../../completions/to-completion";
import { createUnsupportedError } from "../../completions/unsupported-fields";
import { createId } from "../../create-id";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import type { FieldNames } from "../../replies/answer-request";
import type { Responder } from "../../replies/reply";
import { parseResponderName } from "../../replies/responder-name";
import { toStreamedError } from "../streamed-error";
import { openResponder } from "./open-responder";
import { generateReply, respondWithReply } from "./respond-with-reply";

const MAX_BYTES = 20 * 1024 * 1024;

const NAMES: FieldNames = {
	messages: "messages",
	system: "messages",
	tools: "tools",
	output: "response_format",
	settings: SETTING_FIELDS,
};

const description = describeRoute({
	summary: "Complete a chat, as OpenAI does",
	body: completionRequest,
	responses: { 200: { "application/json": "ChatCompletion", "text/event-stream": "ChatCompletionChunk" } },
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
	example: { model: "default", messages: [{ role: "user", content: "Hello" }] },
});

/** `POST /v1/chat/completions`: OpenAI's, with whatever model is configured behind it, an agent or a knowledge base. */
export function addChatCompletionsRoute(app: ServiceApp): void {
	const requireAsk = requireCaller({ scopes: ["ask", "agents:run"], clientKeys: true });
	app.post("/v1/chat/completions", description, requireAsk, async (context) => {
		const body = await readJson(context, completionRequest, { maxBytes: MAX_BYTES });
		const responder = await openCompletion(context, body);
		const head: CompletionContext = {
			id: createId("chatcmpl").replace("_", "-"),
			created: Math.floor(clock.now() / 1000),
			model: responder.model,
			canSeeReceipt: responder.canSeeReceipt,
			isLegacy: isLegacy(body),
		};
		if (body.stream !== true)
			return context.json(toCompletion(head, await generateReply(context, responder)));
		const encode = createCompletionEncoder(head, body.stream_options?.include_usage === true);
		return respondWithReply(context, responder, {
			encode: (event) => encode(event).map((data) => ({ data })),
			end: [{ data: "[DONE]" }],
			toErrorEvents: (error) => [{ data: { error: toStreamedError(context, error) } }],
		});
	});
}

function openCompletion(context: ServiceContext, body: CompletionRequest): Promise<Responder> {
	const { model } = body;
	const { context: runContext, ...stemma } = body.stemma ?? {};
	if (parseResponderName(model) !== undefined && Object.keys(stemma).length > 0)
		throw createUnsupportedError(
			"stemma",
			"Agents and knowledge bases take none of these options but `context`.",
		);
	return openResponder(toScope(context), {
		model,
		request: toChatRequest(body),
		names: NAMES,
		provider: stemma.provider,
		knowledgeBaseIds: stemma.knowledge_base_ids,
		stage: stemma.stage,
		context: runContext,
		toolsField: isLegacy(body) ? "functions" : "tools",
	});
}
