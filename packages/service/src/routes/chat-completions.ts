import { randomBytes } from "node:crypto";
import type { ChatEvent } from "@stemma/core";
import { createId } from "@stemma/core/internal";
import { toAnswerError, toStreamedError } from "../answering/answer-error";
import { demandAllowedKnowledgeBases, refuseModelChoice } from "../answering/caller-limits";
import { type CompletionRequest, completionRequest } from "../completions/completion-request";
import { toChatRequest } from "../completions/to-chat-request";
import {
	type CompletionHead,
	toCompletion,
	toFirstChunk,
	toLastChunks,
	toReasoningChunk,
	toTextChunk,
} from "../completions/to-completion";
import { ApiError } from "../http/api-error";
import { type Caller, requireCaller } from "../http/authenticate";
import { eventStream } from "../http/event-stream";
import { readJson } from "../http/read-json";
import type { ServiceApp, ServiceContext } from "../http/service-app";
import { createCallMeter } from "../models/caller-meter";
import { meterModel } from "../models/metered-model";

const MAX_BYTES = 20 * 1024 * 1024;

/** `POST /v1/chat/completions`: OpenAI's, with whatever model is configured behind it. */
export function addChatCompletionsRoute(app: ServiceApp): void {
	const toAsk = requireCaller({ scopes: ["ask"], clientKeys: true });
	app.post("/v1/chat/completions", toAsk, async (context) => {
		const body = await readJson(context, completionRequest, { maxBytes: MAX_BYTES });
		demandAllowed(context.get("caller"), body);
		const { model, stemma, stream } = body;
		const resolved = context.get("kernel").models.resolve({ provider: stemma?.provider, model });
		const request = toChatRequest(body);
		const receiptId = createId("rcp", Date.now(), randomBytes(10));
		context.header("stemma-receipt-id", receiptId);
		const meter = createCallMeter(context, context.get("workspace").runs.log);
		const metered = meterModel(resolved, meter, stemma?.stage ?? "answer");
		const head = {
			id: toCompletionId(),
			created: Math.floor(Date.now() / 1000),
			model: resolved.model.model,
		};
		if (stream === true)
			return streamCompletion(context, body, head, (signal) => metered.stream(request, { signal }));
		try {
			return context.json(
				toCompletion(head, await metered.generate(request, { signal: context.req.raw.signal })),
			);
		} catch (error) {
			throw toAnswerError(error);
		}
	});
}

function demandAllowed(caller: Caller, { model, stemma }: CompletionRequest): void {
	demandAllowedKnowledgeBases(caller, stemma?.knowledge_base_ids ?? []);
	refuseModelChoice(caller, { model, provider: stemma?.provider }, "model");
	if (caller.kind === "client_key" && !caller.models)
		throw new ApiError(403, "not_allowed_for_client_key", "This client key may not call models.", {
			hint: "Make one with models: true, or run an agent.",
		});
}

const toCompletionId = (): string => createId("chatcmpl", Date.now(), randomBytes(10)).replace("_", "-");

type Stream = (signal: AbortSignal) => AsyncIterable<ChatEvent>;

function streamCompletion(
	context: ServiceContext,
	{ stream_options }: CompletionRequest,
	head: CompletionHead,
	start: Stream,
): Response {
	const includeUsage = stream_options?.include_usage === true;
	return eventStream(context, async (send, signal) => {
		try {
			await send({ data: toFirstChunk(head) });
			for await (const event of start(signal)) {
				if (event.type === "text.delta") await send({ data: toTextChunk(head, event.text) });
				else if (event.type === "reasoning.delta") await send({ data: toReasoningChunk(head, event.text) });
				else for (const chunk of toLastChunks(head, event.reply, includeUsage)) await send({ data: chunk });
			}
			await send({ data: "[DONE]" });
		} catch (error) {
			if (signal.aborted) throw error;
			await send({ data: { error: toStreamedError(context, error) } });
		}
	});
}
