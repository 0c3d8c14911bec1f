import type { FoundPassage } from "@stemma/client";
import type { JsonObject } from "@stemma/core";
import type { EmbeddingSpace } from "@stemma/routing";

/** Search in knowledge bases, by words and vectors. */
export interface SearchInput {
	/** Queries of the search, at least one; the scores of their hits are added. */
	readonly queries: readonly SearchQuery[];
	/** Ids. */
	readonly knowledgeBases: readonly string[];
	readonly topK: number;
	/** Metadata that the documents must have. */
	readonly filter?: JsonObject | undefined;
}

/** One way to ask for what is looked for. */
export interface SearchQuery {
	readonly text: string;
	/** Left out: by words alone. */
	readonly vector?: QueryVector | undefined;
	/** Weight of its scores beside those of the other queries. Default 1. */
	readonly weight?: number;
}

/** Knowledge bases of another space, or of none, are searched by words alone. */
export interface QueryVector {
	readonly space: EmbeddingSpace;
	readonly values: Float32Array;
}

export type SearchOutput =
	| { readonly passages: readonly FoundPassage[] }
	/** This knowledge base does not exist. */
	| { readonly missing: string };

/** Question whose words are looked for in passages. */
export interface CoverageInput {
	readonly question: string;
	/** Ids. */
	readonly knowledgeBases: readonly string[];
	readonly passages: readonly { readonly document_id: string; readonly ordinal: number }[];
	/** Score of the first passage in the search less that of the second, 0 to 1. */
	readonly lead: number;
}

/** Words and vectors of the passages of one workspace: one index, because a search sees both at one moment. */
export interface PassageIndex {
	/**
	 * Finds passages by their words and vectors, best first; of those that repeat each other, the best.
	 *
	 * @param signal - takes a search that still waits for its turn out of the queue.
	 */
	search(input: SearchInput, signal?: AbortSignal): Promise<SearchOutput>;
	/**
	 * Computes the share of a question, 0 to 1, that the passages cover by their words, where a word counts by how rare it is in
	 * the knowledge bases. How far the first passage is ahead of the others is added; in a few passages it counts less.
	 */
	computeCoverage(input: CoverageInput): Promise<number>;
}
