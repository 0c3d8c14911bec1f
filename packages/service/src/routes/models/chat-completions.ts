import type { ChatEvent } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import { type CallerReceipts, createCallerReceipts } from "../../answering/caller-receipts";
import { assertMayCallModels } from "../../answering/client-key-limits";
import { resolveKnowledgeBases } from "../../answering/retrieval/knowledge-base-selection";
import { toCompletionError } from "../../completions/completion-error";
import { type CompletionRequest, completionRequest } from "../../completions/completion-request";
import { isLegacy } from "../../completions/legacy-functions";
import { toSingleCallModel } from "../../completions/single-call-model";
import { toChatRequest } from "../../completions/to-chat-request";
import {
	type CompletionContext,
	toCompletion,
	toFirstChunk,
	toLastChunks,
	toReasoningChunk,
	toTextChunk,
} from "../../completions/to-completion";
import { validateSchemas } from "../../completions/validate-schemas";
import { withReplyValidation } from "../../completions/validated-model";
import { createId } from "../../create-id";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { eventStream } from "../../http/event-stream";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { meterModel } from "../../models/metering/metered-model";
import { toModelRequest } from "../../models/model-request";
import { toStreamedError } from "../streamed-error";

const MAX_BYTES = 20 * 1024 * 1024;

/** `POST /v1/chat/completions`: OpenAI's, with whatever model is configured behind it. */
export function addChatCompletionsRoute(app: ServiceApp): void {
	const requireAsk = requireCaller({ scopes: ["ask"], clientKeys: true });
	app.post("/v1/chat/completions", requireAsk, async (context) => {
		const body = await readJson(context, completionRequest, { maxBytes: MAX_BYTES });
		assertMayCallModels(context.get("caller"));
		const { model, stemma, stream } = body;
		const scope = toScope(context);
		const knowledgeBases = await resolveKnowledgeBases(scope, stemma?.knowledge_base_ids ?? []);
		const choice = { provider: stemma?.provider, model };
		const resolved = scope.kernel.models.resolve(await toModelRequest(scope, knowledgeBases, choice));
		const request = toChatRequest(body);
		// A run checks what its nodes are answered by itself, and repairs it.
		const isNode = stemma?.node !== undefined;
		const schemas = scope.kernel.schemas.forWorkspace(scope.workspace.id);
		if (!isNode) await validateSchemas(request, schemas, isLegacy(body) ? "functions" : "tools");
		const receiptId = createId("rcp");
		context.header("stemma-receipt-id", receiptId);
		const receipts = createCallerReceipts(scope, receiptId);
		const metered = meterModel(resolved, receipts.meter, stemma?.stage ?? "answer");
		const callable = isLegacy(body) ? toSingleCallModel(metered) : metered;
		const answering = isNode ? metered : withReplyValidation(callable, schemas);
		const fail = (error: unknown): Promise<never> =>
			receipts.rejectForCaller(error).catch((visibleError: unknown) => {
				throw isNode ? visibleError : toCompletionError(visibleError);
			});
		const { visibility } = receipts;
		const head = {
			id: toCompletionId(),
			created: Math.floor(clock.now() / 1000),
			model: visibility === "answer" ? model : resolved.model.model,
			canSeeReceipt: visibility !== "answer",
			isLegacy: isLegacy(body),
		};
		const { signal } = scope;
		if (stream === true) {
			const events = answering.stream(request, { signal });
			return streamCompletion(context, body, { head, events, receipts, fail }).catch(fail);
		}
		const reply = await answering.generate(request, { signal }).catch(fail);
		await receipts.waitUntilWritten();
		return context.json(toCompletion(head, reply));
	});
}

const toCompletionId = (): string => createId("chatcmpl").replace("_", "-");

interface StreamedCompletion {
	readonly head: CompletionContext;
	readonly events: AsyncIterable<ChatEvent>;
	readonly receipts: CallerReceipts;
	/** Rejects with an error as the caller sees it. */
	fail(error: unknown): Promise<never>;
}

/** Streams a completion. An error before the first event is an error with a status, as clients of vendors expect. */
async function streamCompletion(
	context: ServiceContext,
	{ stream_options }: CompletionRequest,
	{ head, events: stream, receipts, fail }: StreamedCompletion,
): Promise<Response> {
	const includeUsage = stream_options?.include_usage === true;
	const events = stream[Symbol.asyncIterator]();
	let next = await events.next();
	return eventStream(context, async (send, signal) => {
		try {
			await send({ data: toFirstChunk(head) });
			for (; next.done !== true; next = await events.next()) {
				if (next.value.type === "finish") await receipts.waitUntilWritten();
				for (const chunk of toChunks(head, next.value, includeUsage)) await send({ data: chunk });
			}
			await send({ data: "[DONE]" });
		} catch (error) {
			await events.return?.();
			if (signal.aborted) throw error;
			const visibleError = await fail(error).catch((failure: unknown) => failure);
			await send({ data: { error: toStreamedError(context, visibleError) } });
		}
	});
}

function toChunks(head: CompletionContext, event: ChatEvent, includeUsage: boolean): readonly object[] {
	if (event.type === "text.delta") return [toTextChunk(head, event.text)];
	// What a model thinks is for those who may see more than the answer.
	if (event.type === "reasoning.delta") return head.canSeeReceipt ? [toReasoningChunk(head, event.text)] : [];
	return toLastChunks(head, event.reply, includeUsage);
}
