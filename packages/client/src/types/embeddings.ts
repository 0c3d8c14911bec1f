import type { ReceiptRow } from "@stemma/core";

/** Request for embeddings, in OpenAI's shape. */
export interface EmbeddingsRequest {
	/** `default`, or the model of the deployment. */
	readonly model: string;
	/** 1 to 2,048 texts. */
	readonly input: string | readonly string[];
	/** Default `float`. */
	readonly encoding_format?: "float" | "base64";
	/** The deployment's alone may be named. */
	readonly dimensions?: number;
}

export interface Embeddings {
	readonly object: "list";
	readonly model: string;
	/** Embeddings, in the order of the texts. */
	readonly data: readonly {
		readonly object: "embedding";
		readonly index: number;
		/** Numbers, or base64 of 32-bit floats, the least significant byte first. */
		readonly embedding: readonly number[] | string;
	}[];
	readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number };
	readonly stemma?: { readonly receipt: readonly ReceiptRow[] };
}
