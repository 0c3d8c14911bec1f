import type { ChatCallOptions, TokenUsage } from "@stemma/core";

/**
 * The seam between what ranks passages and what judges them. It rejects for what is no answer: with the reason of an
 * aborted signal, else with an error that has `attempts` on it where a vendor was called. Such a call may have cost
 * something too: whoever keeps receipts writes one for it, with the `usage` of the error, or estimated where it has none.
 */
export interface Reranker {
	/** The API format, as in `ChatModel`. */
	readonly provider: string;
	readonly model: string;
	readonly vendorHost: string;
	/** Scores how well each text answers the query. */
	rerank(query: string, texts: readonly string[], options?: ChatCallOptions): Promise<RerankReply>;
}

export interface RerankReply {
	/**
	 * 0 to 1, one for each text, in their order. They compare within one reply; whether they do between replies depends on
	 * the model. Undefined where an answer came that is no judgement, as a chat model may write one: the texts keep the
	 * order that they had, and the call is on the receipt like any other.
	 */
	readonly scores: readonly number[] | undefined;
	/** Token usage of all requests together. Left out when the vendor did not report it. */
	readonly usage?: TokenUsage;
	/**
	 * Number of requests that were sent, default 1: retries, and the parts of a list that is too long for one. 0 where
	 * there was nothing to judge: no call, no receipt.
	 */
	readonly attempts?: number;
}
