import type { ChatCallOptions, TokenUsage } from "@stemma/core";

/** The seam between what needs vectors and what makes them: one object per provider format, endpoint and model. */
export interface EmbeddingModel {
	/** The API format, as in `ChatModel`. */
	readonly provider: string;
	readonly model: string;
	readonly vendorHost: string;
	/** One vector for each text, in their order, all of one length. */
	embed(texts: readonly string[], options?: ChatCallOptions): Promise<EmbeddingReply>;
}

export interface EmbeddingReply {
	readonly vectors: readonly (readonly number[])[];
	/** Left out when the vendor did not report it. */
	readonly usage?: TokenUsage;
	readonly attempts?: number;
}
