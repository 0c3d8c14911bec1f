import type { ChatCallOptions } from "@stemma/core";
import { makeCall } from "../http/attempts";
import type { Reranker, RerankReply } from "../reranker";
import { emptyRerank } from "./empty-rerank";
import { type BatchReply, type RerankSettings, type RerankWire, sendBatch } from "./send-batch";
import { sumUsage } from "./sum-usage";
import { toUnitScores } from "./to-unit-scores";

/**
 * A reranker at an endpoint that takes so many texts at once. Longer lists go out in parts, one after the other: where
 * one fails, nothing more is paid for. What is too much for the endpoint is halved, until it is one text.
 */
export function createBatchReranker(wire: RerankWire, settings: RerankSettings): Reranker {
	/** Learned from what the endpoint refuses, so that later calls need not find out again. */
	let maxTexts = settings.batchSize;

	const rerank = (
		query: string,
		texts: readonly string[],
		{ signal }: ChatCallOptions = {},
	): Promise<RerankReply> => {
		if (texts.length === 0) return emptyRerank(signal);
		return makeCall(signal, async (callTimeout, attempts) => {
			const replies: BatchReply[] = [];
			let learned = maxTexts;
			for (let from = 0, size = maxTexts; from < texts.length; ) {
				const batch = texts.slice(from, from + size);
				const reply = await sendBatch(wire, settings, { query, texts: batch }, callTimeout, attempts);
				if (typeof reply === "string") {
					size = Math.ceil(batch.length / 2);
					if (reply === "count") learned = size;
				} else {
					replies.push(reply);
					maxTexts = Math.min(maxTexts, learned);
					attempts.usage = sumUsage(replies.map(({ usage }) => usage));
					from += batch.length;
				}
			}
			return { ...joinReplies(replies), attempts: attempts.count };
		});
	};

	const { model, vendorHost } = settings;
	return { provider: wire.provider, model, vendorHost, rerank };
}

/** Raw or not is seen over all parts: the scores of one list share one scale. */
function joinReplies(replies: readonly BatchReply[]): RerankReply {
	const scores = toUnitScores(replies.flatMap((reply) => reply.scores));
	const usage = sumUsage(replies.map((reply) => reply.usage));
	return { scores, ...(usage === undefined ? {} : { usage }) };
}
