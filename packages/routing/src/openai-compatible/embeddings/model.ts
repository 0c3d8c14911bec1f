import type { ChatCallOptions, TokenUsage } from "@stemma/core";
import type { EmbeddingModel, EmbeddingReply } from "../../embedding-model";
import { type Attempts, makeCall } from "../../http/attempts";
import type { CallTimeout } from "../../http/call-timeout";
import { toProviderError, type VendorFailure } from "../../http/to-provider-error";
import { type EndpointRequest, sendRequest, toCacheKey } from "../send-request";
import { type BatchTooLarge, readBatchTooLarge, takeBatch } from "./batches";
import { type BatchReply, fromEmbeddings } from "./from-response";
import type { EmbeddingsSettings } from "./options";

/** Creates an embedding model on an endpoint in OpenAI's format; a call is split into batches. */
export function createEmbeddings(settings: EmbeddingsSettings): EmbeddingModel {
	const { model, vendorHost, dimensions } = settings;

	const embed = async (
		texts: readonly string[],
		{ signal }: ChatCallOptions = {},
	): Promise<EmbeddingReply> => {
		if (texts.length === 0) return { vectors: [], attempts: 0 };
		return makeCall(signal, async (callTimeout, attempts) => {
			const replies = await embedAll(texts, settings, callTimeout, attempts);
			const usage = sumUsage(replies);
			return {
				vectors: replies.flatMap(({ vectors }) => vectors),
				...(usage === undefined ? {} : { usage }),
				attempts: attempts.count,
			};
		});
	};

	return {
		provider: "openai-compatible",
		model,
		vendorHost,
		...(dimensions === undefined ? {} : { dimensions }),
		embed,
	};
}

/** Batch by batch; one that is refused for its size is halved. */
async function embedAll(
	texts: readonly string[],
	settings: EmbeddingsSettings,
	callTimeout: CallTimeout,
	attempts: Attempts,
): Promise<readonly BatchReply[]> {
	const replies: BatchReply[] = [];
	let learned: number | undefined;
	let size = Math.min(settings.batchSize, readCachedBatchSize(settings));
	for (let doneCount = 0; doneCount < texts.length; ) {
		const batch = takeBatch(texts, doneCount, size);
		const reply = await embedBatch(batch, settings, callTimeout, attempts);
		if ("isCountLimit" in reply) {
			size = Math.ceil(batch.length / 2);
			learned = reply.isCountLimit ? size : undefined;
			continue;
		}
		assertDimensions(reply, replies[0], settings);
		replies.push(reply);
		attempts.usage = sumUsage(replies);
		if (learned !== undefined) cacheBatchSize(settings, learned);
		learned = undefined;
		doneCount += batch.length;
	}
	return replies;
}

async function embedBatch(
	batch: readonly string[],
	settings: EmbeddingsSettings,
	callTimeout: CallTimeout,
	attempts: Attempts,
): Promise<BatchReply | BatchTooLarge> {
	let tooLarge: BatchTooLarge | undefined;
	const request: EndpointRequest = {
		...toEndpointRequest(batch, settings),
		onErrorResponse(parsedError) {
			tooLarge = batch.length > 1 ? readBatchTooLarge(parsedError) : undefined;
		},
	};
	try {
		const { body } = await sendRequest(request, settings, callTimeout, attempts);
		const reply = fromEmbeddings(await body.text(), batch.length);
		if ("failure" in reply) throw toProviderError(reply.failure, settings);
		return reply;
	} catch (error) {
		callTimeout.throwIfEnded();
		if (tooLarge === undefined) throw error;
		return tooLarge;
	}
}

const toEndpointRequest = (
	batch: readonly string[],
	{ model, dimensions }: EmbeddingsSettings,
): EndpointRequest => ({
	path: "/embeddings",
	accept: "application/json",
	toBody: ({ unsupported }) => ({
		model,
		// Vendors refuse a text of nothing.
		input: batch.map((text) => text || " "),
		...(typeof atob === "function" && !unsupported.has("encoding_format")
			? { encoding_format: "base64" }
			: {}),
		...(dimensions === undefined ? {} : { dimensions }),
	}),
});

/** @throws ProviderError unless the vectors are as long as was asked for, and as those of the batch before. */
function assertDimensions(
	{ vectors }: BatchReply,
	first: BatchReply | undefined,
	settings: EmbeddingsSettings,
): void {
	const { dimensions } = settings;
	const length = vectors[0]?.length;
	if (dimensions !== undefined && length !== dimensions)
		throw toProviderError(toLengthFailure(length), settings);
	if (first !== undefined && length !== first.vectors[0]?.length)
		throw toProviderError({ code: "bad_response" }, settings);
}

const toLengthFailure = (length: number | undefined): VendorFailure => ({
	code: "bad_request",
	field: "dimensions",
	hint: `Its vectors have ${length} numbers: set \`dimensions\` to that, or leave it out.`,
});

/** A sum of which a part is unknown is unknown. */
function sumUsage(replies: readonly BatchReply[]): TokenUsage | undefined {
	let inputTokens = 0;
	for (const { usage } of replies) {
		if (usage === undefined) return undefined;
		inputTokens += usage.inputTokens;
	}
	return { inputTokens, outputTokens: 0 };
}

const readCachedBatchSize = (settings: EmbeddingsSettings): number =>
	settings.capabilityCache.get(toCacheKey(settings))?.batchSize ?? Number.POSITIVE_INFINITY;

function cacheBatchSize(settings: EmbeddingsSettings, batchSize: number): void {
	const key = toCacheKey(settings);
	const known = settings.capabilityCache.get(key);
	const smaller = Math.min(batchSize, known?.batchSize ?? batchSize);
	settings.capabilityCache.set(key, { unsupported: known?.unsupported ?? [], batchSize: smaller });
}
