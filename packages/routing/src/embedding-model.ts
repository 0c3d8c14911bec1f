import type { ChatCallOptions, TokenUsage } from "@stemma/core";

/** The seam between what needs vectors and what makes them: one object per provider format, endpoint and model. */
export interface EmbeddingModel {
	/** The API format, as in `ChatModel`. */
	readonly provider: string;
	readonly model: string;
	readonly vendorHost: string;
	/** The length of the vectors, where it was asked for; left out, it is the model's own. */
	readonly dimensions?: number;
	/**
	 * One vector for each text, in their order, all of one length, with finite numbers alone. As many calls as the vendor's
	 * limits ask for, one after the other; none for no texts.
	 */
	embed(texts: readonly string[], options?: ChatCallOptions): Promise<EmbeddingReply>;
}

export interface EmbeddingReply {
	readonly vectors: readonly Float32Array[];
	/** Token usage of all calls together; left out when the vendor did not report it for each. */
	readonly usage?: TokenUsage;
	/** Number of calls to vendors, with retries. Default 1. */
	readonly attempts?: number;
}
