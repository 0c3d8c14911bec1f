import type { ChatCallOptions, TokenUsage } from "@stemma/core";

/** The seam between what ranks passages and what judges them. */
export interface Reranker {
	/** The API format, as in `ChatModel`. */
	readonly provider: string;
	readonly model: string;
	readonly vendorHost: string;
	/** How well each text answers the query. */
	rerank(query: string, texts: readonly string[], options?: ChatCallOptions): Promise<RerankReply>;
}

export interface RerankReply {
	/** 0 to 1, one for each text, in their order. */
	readonly scores: readonly number[];
	/** Left out when the vendor did not report it. */
	readonly usage?: TokenUsage;
	readonly attempts?: number;
}
