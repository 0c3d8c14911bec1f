import { isJsonObject } from "@stemma/core/internal";
import { createSseReader } from "@stemma/core/sse";
import type { ServiceRequest, StemmaClient } from "../../client";
import { StreamError, TimeoutError } from "../../errors/errors";
import { createInvalidResponseError } from "../../errors/invalid-response";
import { parseJson } from "../../errors/read-api-error";
import { readStreamError } from "../../errors/read-stream-error";
import { drainResponse } from "../../http/drain-response";
import { DRAIN_TIMEOUT_MS } from "../../http/idle-timer";
import { path } from "../../http/path";
import { whenAborted } from "../../http/platform";
import type { CallOptions, WithRequestId } from "../../options/call-options";
import { mergeTimeouts } from "../../options/client-options";
import { readSseEvents } from "../../streams/event-source";
import type {
	ChatCompletion,
	ChatCompletionChunk,
	ChatCompletionRequest,
	ListedModel,
	ModelList,
} from "../../types/chat";
import type { ResolvedModels, ResolveModelsRequest } from "../../types/resolve-models";

/** The service's models, as OpenAI's API has them. Calls end with their connection; one that may have begun is not repeated. */
export interface ChatCompletions {
	create(request: ChatCompletionRequest, options?: CallOptions): Promise<WithRequestId<ChatCompletion>>;
	/**
	 * The chunks as they come. The request is sent when reading begins; leaving the loop ends the call.
	 *
	 * @throws StreamError with the service's code when the call failed half-way; `stream_cut_off` when the reply is not whole.
	 */
	stream(request: ChatCompletionRequest, options?: CallOptions): AsyncIterable<ChatCompletionChunk>;
	/** Lists the values that `model` can have; `default` comes first. Models that would be refused are left out. */
	models(options?: CallOptions): Promise<WithRequestId<ModelList>>;
	/**
	 * Resolves the models of all nodes of a run at once: who answers, and who pays. The service decides as for its own runs;
	 * nothing is called, and nothing costs.
	 *
	 * @throws ApiError the service's refusal: `details.refusals` lists every refused node, as `ModelRefusal`.
	 */
	resolveModels(request: ResolveModelsRequest, options?: CallOptions): Promise<WithRequestId<ResolvedModels>>;
	/** One of them, by its id. */
	model(id: string, options?: CallOptions): Promise<WithRequestId<ListedModel>>;
}

export function chatCompletions(client: StemmaClient): ChatCompletions {
	async function* read(request: ChatCompletionRequest, options: CallOptions) {
		const { eventTimeoutMs } = mergeTimeouts(client.timeouts, options.timeouts);
		const response = await client.open({
			...toServiceRequest({ ...request, stream: true }, options),
			accept: "text/event-stream",
		});
		const { requestId } = response;
		const reader = createSseReader();
		let lastEventAt = Date.now();
		let isComplete = false;
		try {
			if (response.isJson)
				throw createInvalidResponseError("The answer is JSON, not a stream of chunks.", requestId);
			for (let chunk = await response.read(); chunk !== undefined; chunk = await response.read()) {
				const events = readSseEvents(reader, chunk, response);
				for (const { data } of events) {
					isComplete = data === "[DONE]";
					if (isComplete) return;
					yield toChunk(client, data, requestId);
				}
				// What the reader of the chunks takes its time for does not count, nor do signs of life that are no events.
				if (events.length > 0) lastEventAt = Date.now();
				else if (Date.now() - lastEventAt > eventTimeoutMs)
					throw new TimeoutError("eventTimeoutMs", eventTimeoutMs);
			}
			throw new StreamError("The model's reply ended before it was complete.", {
				code: "stream_cut_off",
				requestId,
			});
		} finally {
			if (isComplete) void drainResponse(response, DRAIN_TIMEOUT_MS);
			else response.close();
		}
	}

	function stream(
		request: ChatCompletionRequest,
		options: CallOptions = {},
	): AsyncIterable<ChatCompletionChunk> {
		return {
			[Symbol.asyncIterator]: () =>
				toAbortableIterator((signal) => read(request, { ...options, signal }), options),
		};
	}

	return {
		create: (request, options) => client.request(toServiceRequest(request, options)),
		stream,
		models: (options) => client.request({ method: "GET", path: "/v1/models", options }),
		resolveModels: (json, options) =>
			client.request({ method: "POST", path: "/v1/models/resolve", json, options }),
		model: (id, options) => client.request({ method: "GET", path: path`/v1/models/${id}`, options }),
	};
}

/** A generator that is left while it waits would go on waiting: leaving ends what it waits for. */
function toAbortableIterator<Chunk>(
	read: (signal: AbortSignal) => AsyncGenerator<Chunk, void>,
	{ signal }: CallOptions,
): AsyncIterator<Chunk, void> {
	const abortController = new AbortController();
	const removeAbortListener = whenAborted(signal, (reason) => abortController.abort(reason));
	const chunks = read(abortController.signal);
	let isClosed = false;

	async function next(): Promise<IteratorResult<Chunk, void>> {
		try {
			const result = await chunks.next();
			if (result.done === true) removeAbortListener();
			return result;
		} catch (error) {
			removeAbortListener();
			if (isClosed) return { done: true, value: undefined };
			throw error;
		}
	}

	return {
		next,
		async return() {
			isClosed = true;
			removeAbortListener();
			abortController.abort();
			void chunks.return().catch(() => undefined);
			return { done: true, value: undefined };
		},
	};
}

const toServiceRequest = (json: object, options: CallOptions | undefined): ServiceRequest => ({
	method: "POST",
	path: "/v1/chat/completions",
	json,
	retry: "if-not-started",
	options,
});

const isChunk = (value: unknown): value is ChatCompletionChunk =>
	isJsonObject(value) && Array.isArray(value.choices);

function toChunk(client: StemmaClient, data: string, requestId: string): ChatCompletionChunk {
	const chunk = parseJson(data);
	if (isJsonObject(chunk) && isJsonObject(chunk.error)) throw readStreamError(client, chunk.error, requestId);
	if (isChunk(chunk)) return chunk;
	throw new StreamError("The stream sent something that is not a chunk.", {
		code: "stream_invalid",
		requestId,
	});
}
