import type { ChatCompletions } from "@stemma/client";
import {
	type ChatCallOptions,
	type ChatEvent,
	type ChatModel,
	type ChatReply,
	type ChatRequest,
	StemmaError,
} from "@stemma/core";
import { createPartialReply, readChunk, toReply } from "./chat-reducer";
import { type ServiceModel, toChatCompletion } from "./chat-request";
import { toCallError } from "./error-receipt";

/** A model behind the service's `chat/completions`; replies and errors bring the receipt's row that the service wrote. */
export function createServiceChatModel(completions: ChatCompletions, service: ServiceModel): ChatModel {
	const { provider, model, vendorHost, headers } = service;

	async function* stream(
		request: ChatRequest,
		{ signal, traceContext }: ChatCallOptions = {},
	): AsyncGenerator<ChatEvent> {
		const reply = createPartialReply();
		const options = { signal, headers: { ...headers, ...traceContext } };
		try {
			for await (const chunk of completions.stream(toChatCompletion(request, service), options))
				yield* readChunk(reply, chunk);
		} catch (error) {
			throw toCallError(error, service.hidesReceipts);
		}
		yield { type: "finish", reply: toReply(reply) };
	}

	/** Streamed as well: a reply that takes long would be cut by what stands between. */
	async function generate(request: ChatRequest, options?: ChatCallOptions): Promise<ChatReply> {
		for await (const event of stream(request, options)) if (event.type === "finish") return event.reply;
		throw new StemmaError("The model's stream ended before its reply was whole.", { code: "model_cut_off" });
	}

	return { provider, model, vendorHost, generate, stream };
}
