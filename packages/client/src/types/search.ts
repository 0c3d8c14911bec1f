import type { JsonObject, Place, ReceiptRow } from "@stemma/core";

export interface SearchRequest {
	/** 1 to 10,000 characters. */
	readonly query: string;
	/** 1 to 100. */
	readonly knowledge_base_ids: readonly string[];
	/** 1 to 100; default 8. */
	readonly top_k?: number;
	/** 0 to 1; only where a scoring stage runs, else 422 `min_score_unavailable`. */
	readonly min_score?: number;
	/** Only documents whose metadata has these values. */
	readonly filter?: JsonObject;
}

export interface SearchResult {
	/** Best first. */
	readonly passages: readonly FoundPassage[];
	/** The model calls that searching took. */
	readonly receipt: readonly ReceiptRow[];
}

/** A passage that was found. */
export interface FoundPassage {
	/** `psg_…` */
	readonly passage_id: string;
	readonly document_id: string;
	readonly knowledge_base_id: string;
	/** The document's. */
	readonly title: string;
	/** The document's. */
	readonly source: string | null;
	readonly place: Place;
	readonly text: string;
	/** Compares passages of one answer, and nothing else. */
	readonly score: number;
	/** The document's. */
	readonly metadata: JsonObject;
}
