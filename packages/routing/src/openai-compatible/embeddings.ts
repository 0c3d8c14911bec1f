import type { ChatCallOptions, TokenUsage } from "@stemma/core";
import type { EmbeddingModel, EmbeddingReply } from "../embedding-model";
import { type Attempts, makeCall } from "../http/attempts";
import type { CallWatch } from "../http/call-watch";
import { toProviderError, type VendorFailure } from "../http/to-provider-error";
import { ask, type Question, toMemoryKey } from "./ask";
import { type Oversize, readOversize, takeBatch } from "./embedding-batches";
import type { EmbeddingsSettings } from "./embeddings-options";
import { type BatchReply, fromEmbeddings } from "./from-embeddings";

export function createEmbeddings(settings: EmbeddingsSettings): EmbeddingModel {
	const { model, vendorHost, dimensions } = settings;

	const embed = async (
		texts: readonly string[],
		{ signal }: ChatCallOptions = {},
	): Promise<EmbeddingReply> => {
		if (texts.length === 0) return { vectors: [], attempts: 0 };
		return makeCall(signal, async (watch, attempts) => {
			const replies = await embedAll(texts, settings, watch, attempts);
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
	watch: CallWatch,
	attempts: Attempts,
): Promise<readonly BatchReply[]> {
	const replies: BatchReply[] = [];
	let learnt: number | undefined;
	let size = Math.min(settings.batchSize, recallBatchSize(settings));
	for (let done = 0; done < texts.length; ) {
		const batch = takeBatch(texts, done, size);
		const reply = await embedBatch(batch, settings, watch, attempts);
		if ("isCount" in reply) {
			size = Math.ceil(batch.length / 2);
			learnt = reply.isCount ? size : undefined;
			continue;
		}
		demandLength(reply, replies[0], settings);
		replies.push(reply);
		attempts.usage = sumUsage(replies);
		if (learnt !== undefined) rememberBatchSize(settings, learnt);
		learnt = undefined;
		done += batch.length;
	}
	return replies;
}

async function embedBatch(
	batch: readonly string[],
	settings: EmbeddingsSettings,
	watch: CallWatch,
	attempts: Attempts,
): Promise<BatchReply | Oversize> {
	let oversize: Oversize | undefined;
	const question: Question = {
		...toQuestion(batch, settings),
		onRefusal(refusal) {
			oversize = batch.length > 1 ? readOversize(refusal) : undefined;
		},
	};
	try {
		const { body } = await ask(question, settings, watch, attempts);
		const reply = fromEmbeddings(await body.text(), batch.length);
		if ("failure" in reply) throw toProviderError(reply.failure, settings);
		return reply;
	} catch (error) {
		watch.throwIfEnded();
		if (oversize === undefined) throw error;
		return oversize;
	}
}

const toQuestion = (batch: readonly string[], { model, dimensions }: EmbeddingsSettings): Question => ({
	path: "/embeddings",
	accept: "application/json",
	toBody: ({ refused }) => ({
		model,
		// Vendors refuse a text of nothing.
		input: batch.map((text) => text || " "),
		...(typeof atob === "function" && !refused.has("encoding_format") ? { encoding_format: "base64" } : {}),
		...(dimensions === undefined ? {} : { dimensions }),
	}),
});

/** @throws ProviderError unless the vectors are as long as was asked for, and as those of the batch before. */
function demandLength(
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

const recallBatchSize = (settings: EmbeddingsSettings): number =>
	settings.memory.recall(toMemoryKey(settings))?.batchSize ?? Number.POSITIVE_INFINITY;

function rememberBatchSize(settings: EmbeddingsSettings, batchSize: number): void {
	const key = toMemoryKey(settings);
	const known = settings.memory.recall(key);
	const smaller = Math.min(batchSize, known?.batchSize ?? batchSize);
	settings.memory.learn(key, { refused: known?.refused ?? [], batchSize: smaller });
}
