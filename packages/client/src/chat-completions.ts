import { isJsonObject } from "@stemma/core/internal";
import type { CallOptions, WithRequestId } from "./call-options";
import type { ServiceRequest, StemmaClient } from "./client";
import { StreamError } from "./errors";
import { readServerEvents } from "./event-source";
import { parseJson } from "./read-api-error";
import type { ChatCompletion, ChatCompletionChunk, ChatCompletionRequest, ModelList } from "./types/chat";

/** The service's models, as OpenAI's API has them. Calls end with their connection; one that may have begun is not repeated. */
export interface ChatCompletions {
	create(request: ChatCompletionRequest, options?: CallOptions): Promise<WithRequestId<ChatCompletion>>;
	/**
	 * The chunks as they come. The request is sent when reading begins; leaving the loop ends the call.
	 *
	 * @throws StreamError with the service's code when the call failed half-way; `stream_cut_off` when the reply is not whole.
	 */
	stream(request: ChatCompletionRequest, options?: CallOptions): AsyncIterable<ChatCompletionChunk>;
	/** What `model` may be; the first is the default. */
	models(options?: CallOptions): Promise<WithRequestId<ModelList>>;
}

export function chatCompletions(client: StemmaClient): ChatCompletions {
	async function* stream(request: ChatCompletionRequest, options?: CallOptions) {
		const answer = await client.open({
			...toCall({ ...request, stream: true }, options),
			accept: "text/event-stream",
		});
		for await (const { data } of readServerEvents(answer)) {
			if (data === "[DONE]") return;
			yield toChunk(data, answer.requestId);
		}
		throw new StreamError("The model's reply ended before it was whole.", {
			code: "stream_cut_off",
			requestId: answer.requestId,
		});
	}

	return {
		create: (request, options) => client.request(toCall(request, options)),
		stream,
		models: (options) => client.request({ method: "GET", path: "/v1/models", options }),
	};
}

const toCall = (json: object, options: CallOptions | undefined): ServiceRequest => ({
	method: "POST",
	path: "/v1/chat/completions",
	json,
	retry: "refused",
	options,
});

function toChunk(data: string, requestId: string): ChatCompletionChunk {
	const chunk = parseJson(data);
	if (isJsonObject(chunk) && isJsonObject(chunk.error)) {
		const { code, message, hint } = chunk.error;
		throw new StreamError(typeof message === "string" ? message : "The model's reply failed half-way.", {
			code: typeof code === "string" ? code : "stream_failed",
			hint: typeof hint === "string" ? hint : undefined,
			requestId,
		});
	}
	if (isJsonObject(chunk) && Array.isArray(chunk.choices)) return chunk as unknown as ChatCompletionChunk;
	throw new StreamError("The stream sent something that is no chunk.", { code: "stream_invalid", requestId });
}
