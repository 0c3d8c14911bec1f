import type { ChatEvent } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import { toStreamedError } from "../answering/answer-error";
import { demandAllowedKnowledgeBases, demandModels } from "../answering/caller-limits";
import { type CallerReceipts, createCallerReceipts } from "../answering/caller-receipts";
import { createNewId } from "../auth/new-id";
import { checkSchemas } from "../completions/check-schemas";
import { checkModel } from "../completions/checked-model";
import { toCompletionError } from "../completions/completion-error";
import { type CompletionRequest, completionRequest } from "../completions/completion-request";
import { isLegacy } from "../completions/legacy-functions";
import { toOneCallModel } from "../completions/one-call-model";
import { toChatRequest } from "../completions/to-chat-request";
import {
	type CompletionHead,
	toCompletion,
	toFirstChunk,
	toLastChunks,
	toReasoningChunk,
	toTextChunk,
} from "../completions/to-completion";
import { type Caller, requireCaller } from "../http/authenticate";
import { eventStream } from "../http/event-stream";
import { readJson } from "../http/read-json";
import type { ServiceApp, ServiceContext } from "../http/service-app";
import { meterModel } from "../models/metered-model";

const MAX_BYTES = 20 * 1024 * 1024;

/** `POST /v1/chat/completions`: OpenAI's, with whatever model is configured behind it. */
export function addChatCompletionsRoute(app: ServiceApp): void {
	const toAsk = requireCaller({ scopes: ["ask"], clientKeys: true });
	app.post("/v1/chat/completions", toAsk, async (context) => {
		const body = await readJson(context, completionRequest, { maxBytes: MAX_BYTES });
		demandAllowed(context.get("caller"), body);
		const { model, stemma, stream } = body;
		const resolved = context.get("kernel").models.resolve({
			choice: { provider: stemma?.provider, model },
			isClientKey: context.get("caller").kind === "client_key",
			knowledgeBases: await context.get("workspace").knowledge.listModels(stemma?.knowledge_base_ids ?? []),
			workspace: await context.get("workspace").settings.open(),
		});
		const request = toChatRequest(body);
		// A run checks what its nodes are answered by itself, and repairs it.
		const isNode = stemma?.node !== undefined;
		const schemas = context.get("kernel").schemas.forWorkspace(context.get("workspace").id);
		if (!isNode) await checkSchemas(request, schemas, isLegacy(body) ? "functions" : "tools");
		const receiptId = createNewId("rcp");
		context.header("stemma-receipt-id", receiptId);
		const receipts = createCallerReceipts(context, receiptId);
		const metered = meterModel(resolved, receipts.meter, stemma?.stage ?? "answer");
		const callable = isLegacy(body) ? toOneCallModel(metered) : metered;
		const answering = isNode ? metered : checkModel(callable, schemas);
		const fail = (error: unknown): Promise<never> =>
			receipts.fail(error).catch((told: unknown) => {
				throw isNode ? told : toCompletionError(told);
			});
		const { exposure } = receipts;
		const head = {
			id: toCompletionId(),
			created: Math.floor(clock.now() / 1000),
			model: exposure === "answer" ? model : resolved.model.model,
			showsReceipt: exposure !== "answer",
			isLegacy: isLegacy(body),
		};
		const { signal } = context.req.raw;
		if (stream === true) {
			const events = answering.stream(request, { signal });
			return streamCompletion(context, body, { head, events, receipts, fail }).catch(fail);
		}
		const reply = await answering.generate(request, { signal }).catch(fail);
		await receipts.written();
		return context.json(toCompletion(head, reply));
	});
}

function demandAllowed(caller: Caller, { stemma }: CompletionRequest): void {
	demandModels(caller);
	demandAllowedKnowledgeBases(caller, stemma?.knowledge_base_ids ?? []);
}

const toCompletionId = (): string => createNewId("chatcmpl").replace("_", "-");

/** A completion that has begun. */
interface StreamedCompletion {
	readonly head: CompletionHead;
	readonly events: AsyncIterable<ChatEvent>;
	readonly receipts: CallerReceipts;
	/** Rejects with an error as the caller sees it. */
	fail(error: unknown): Promise<never>;
}

/** What goes wrong before there is anything to send is an error with a status, as clients of vendors expect. */
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
				if (next.value.type === "finish") await receipts.written();
				for (const chunk of toChunks(head, next.value, includeUsage)) await send({ data: chunk });
			}
			await send({ data: "[DONE]" });
		} catch (error) {
			await events.return?.();
			if (signal.aborted) throw error;
			const told = await fail(error).catch((seen: unknown) => seen);
			await send({ data: { error: toStreamedError(context, told) } });
		}
	});
}

function toChunks(head: CompletionHead, event: ChatEvent, includeUsage: boolean): readonly object[] {
	if (event.type === "text.delta") return [toTextChunk(head, event.text)];
	// What a model thinks is for those who may see more than the answer.
	if (event.type === "reasoning.delta") return head.showsReceipt ? [toReasoningChunk(head, event.text)] : [];
	return toLastChunks(head, event.reply, includeUsage);
}
