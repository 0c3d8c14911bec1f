import { isJsonObject } from "@stemma/core/internal";
import { createSseReader } from "@stemma/core/sse";
import type { CallOptions, WithRequestId } from "./call-options";
import type { OpenAnswer, ServiceRequest, StemmaClient } from "./client";
import { LINGER_MS, startDeadline } from "./deadline";
import { StreamError, TimeoutError } from "./errors";
import { readPiece } from "./event-source";
import { createInvalidAnswerError } from "./invalid-answer";
import { mergeTimeouts } from "./options";
import { path } from "./path";
import { whenAborted } from "./platform";
import { parseJson } from "./read-api-error";
import { readStreamError } from "./read-stream-error";
import type {
	ChatCompletion,
	ChatCompletionChunk,
	ChatCompletionRequest,
	ListedModel,
	ModelList,
} from "./types/chat";
import type { ResolvedModels, ResolveModelsRequest } from "./types/resolve-models";

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
		const { progressMs } = mergeTimeouts(client.timeouts, options.timeouts);
		const answer = await client.open({
			...toCall({ ...request, stream: true }, options),
			accept: "text/event-stream",
		});
		const { requestId } = answer;
		const reader = createSseReader();
		let since = Date.now();
		let isWhole = false;
		try {
			if (answer.isJson)
				throw createInvalidAnswerError("The answer is JSON, not a stream of chunks.", {
					status: 200,
					requestId,
				});
			for (let piece = await answer.read(); piece !== undefined; piece = await answer.read()) {
				const events = readPiece(reader, piece, answer);
				for (const { data } of events) {
					isWhole = data === "[DONE]";
					if (isWhole) return;
					yield toChunk(client, data, requestId);
				}
				// What the reader of the chunks takes its time for does not count, nor do signs of life that are no events.
				if (events.length > 0) since = Date.now();
				else if (Date.now() - since > progressMs) throw new TimeoutError("progressMs", progressMs);
			}
			throw new StreamError("The model's reply ended before it was whole.", {
				code: "stream_cut_off",
				requestId,
			});
		} finally {
			if (isWhole) void readOn(answer);
			else answer.close();
		}
	}

	function stream(
		request: ChatCompletionRequest,
		options: CallOptions = {},
	): AsyncIterable<ChatCompletionChunk> {
		return {
			[Symbol.asyncIterator]: () => startReading((signal) => read(request, { ...options, signal }), options),
		};
	}

	return {
		create: (request, options) => client.request(toCall(request, options)),
		stream,
		models: (options) => client.request({ method: "GET", path: "/v1/models", options }),
		resolveModels: (json, options) =>
			client.request({ method: "POST", path: "/v1/models/resolve", json, options }),
		model: (id, options) => client.request({ method: "GET", path: path`/v1/models/${id}`, options }),
	};
}

/** A generator that is left while it waits would go on waiting: leaving ends what it waits for. */
function startReading<Chunk>(
	read: (signal: AbortSignal) => AsyncGenerator<Chunk, void>,
	{ signal }: CallOptions,
): AsyncIterator<Chunk, void> {
	const leaving = new AbortController();
	const unlisten = whenAborted(signal, (reason) => leaving.abort(reason));
	const chunks = read(leaving.signal);
	let isLeft = false;

	async function next(): Promise<IteratorResult<Chunk, void>> {
		try {
			const result = await chunks.next();
			if (result.done === true) unlisten();
			return result;
		} catch (error) {
			unlisten();
			if (isLeft) return { done: true, value: undefined };
			throw error;
		}
	}

	return {
		next,
		async return() {
			isLeft = true;
			unlisten();
			leaving.abort();
			void chunks.return().catch(() => undefined);
			return { done: true, value: undefined };
		},
	};
}

const toCall = (json: object, options: CallOptions | undefined): ServiceRequest => ({
	method: "POST",
	path: "/v1/chat/completions",
	json,
	retry: "refused",
	options,
});

/** To the end of the body, which comes now. */
async function readOn({ read, close }: OpenAnswer): Promise<void> {
	const lingering = startDeadline(LINGER_MS, close);
	while ((await read().catch(close)) !== undefined);
	lingering.stop();
	close();
}

function toChunk(client: StemmaClient, data: string, requestId: string): ChatCompletionChunk {
	const chunk = parseJson(data);
	if (isJsonObject(chunk) && isJsonObject(chunk.error)) throw readStreamError(client, chunk.error, requestId);
	if (isJsonObject(chunk) && Array.isArray(chunk.choices)) return chunk as unknown as ChatCompletionChunk;
	throw new StreamError("The stream sent something that is no chunk.", { code: "stream_invalid", requestId });
}
