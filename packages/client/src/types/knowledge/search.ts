import type { ConversationMessage, JsonObject, Place, ReceiptRow } from "@stemma/core";

/** Body of `POST /v1/search`. */
export interface SearchRequest {
	/** 1 to 10,000 characters. */
	readonly query: string;
	/**
	 * 1 to 100. Default: all that the credential may read, the 100 oldest at most; a client key's are those that it was
	 * created with. With exactly one of them, its model settings apply.
	 */
	readonly knowledge_base_ids?: readonly string[];
	/**
	 * The conversation before, oldest first: at most 100 messages of 100,000 characters. A model makes queries of it where one
	 * is configured, which is on the receipt; else the words of its last messages count, too.
	 */
	readonly history?: readonly ConversationMessage[];
	/** 1 to 100; default 8. */
	readonly top_k?: number;
	/** 0 to 1; only where a scoring stage runs, else 422 `min_score_unavailable`. */
	readonly min_score?: number;
	/** Metadata values that a document must have to be searched. */
	readonly filter?: JsonObject;
	/** Fields that Stemma's own callers add. */
	readonly stemma?: SearchContext;
}

/** A run that searches: its model scores the passages, where a model does. */
export interface SearchContext {
	/** Provider that replaces the configured one. A client key may name none. */
	readonly provider?: string;
	/** Model that replaces the configured one. A client key may name none. */
	readonly model?: string;
	/** All knowledge bases that the run reaches: they have a say in the model. Default: those that are searched. */
	readonly knowledge_base_ids?: readonly string[];
}

export interface SearchResult {
	/** Best first. */
	readonly passages: readonly FoundPassage[];
	/** The model calls that searching took. */
	readonly receipt: readonly ReceiptRow[];
	/** True where no knowledge base was named, and there are more than the 100 that were searched. */
	readonly more_knowledge_bases?: boolean;
}

/** A passage that repeats another one: where it is. */
export interface PassageCopy {
	/** `psg_…` */
	readonly passage_id: string;
	readonly document_id: string;
	readonly knowledge_base_id: string;
	/** Slug of the knowledge base: `handbook`. */
	readonly knowledge_base: string;
	/** Title of the document. */
	readonly title: string;
	/** Source of the document. */
	readonly source: string | null;
	readonly place: Place;
}

/** A passage that was found. */
export interface FoundPassage extends PassageCopy {
	/** The source, where it is an address on the web without a password. */
	readonly url?: string;
	readonly text: string;
	/** Relevance, comparable only between passages of the same response. */
	readonly score: number;
	/** Metadata of the document. */
	readonly metadata: JsonObject;
	/**
	 * Other passages with the same heading and text, at most 20 of those that the question found: they are not returned
	 * themselves. Left out where there are none.
	 */
	readonly also_in?: readonly PassageCopy[];
	/** Address of the document for 15 minutes, for client keys alone; see `document_url` of `Citation`. */
	readonly document_url?: string;
}
