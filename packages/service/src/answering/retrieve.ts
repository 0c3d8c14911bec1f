import type { FoundPassage } from "@stemma/client";
import { DEFAULT_TOP_K } from "@stemma/core";
import type { ChosenSearch, Knowledge } from "../knowledge/knowledge";
import type { SearchQuery } from "../knowledge/search-job";
import type { CallMeter } from "../models/metered-model";
import { meterEmbeddings } from "../models/metered-vendor";
import type { ModelRequest, Models } from "../models/models";
import { minScoreUnavailable } from "./min-score";
import { findScorer, type Scorer, scorePassages } from "./score-passages";

export interface RetrieveRequest extends Omit<ChosenSearch, "query"> {
	/** One, or what a question was made into. */
	readonly queries: readonly string[];
	/** What passages are judged by. Default: the first query. */
	readonly judged?: string;
	/**
	 * When passages are judged: `always` where anything can; `wanted` where a vendor does nothing else, or where there is a
	 * `min_score`.
	 */
	readonly scoring: "always" | "wanted";
}

export interface RetrieveOptions {
	readonly knowledge: Pick<Knowledge, "search">;
	readonly models: Models;
	/** What decides who is called. */
	readonly request: ModelRequest;
	/** The knowledge bases that are searched, where these are not those that decide. */
	readonly embedded?: ModelRequest["knowledgeBases"];
	readonly meter: CallMeter;
	readonly signal: AbortSignal;
}

export interface RetrievedPassages {
	/** Best first. */
	readonly passages: readonly FoundPassage[];
	/** By the stage `score`: whether any of them answers. Left out where none ran. */
	readonly isGoodEnough?: boolean;
	/** Some may have been found by their meaning, and share no word with the question. */
	readonly isByMeaning: boolean;
}

/**
 * Finds passages by words, and by meaning where there are vectors, then has them judged.
 *
 * @throws ApiError `min_score_unavailable` where nothing judges; what vendors fail with.
 */
export async function retrieve(
	{ queries, judged, scoring, min_score, top_k = DEFAULT_TOP_K, ...search }: RetrieveRequest,
	options: RetrieveOptions,
): Promise<RetrievedPassages> {
	const { knowledge, models, request, meter, signal } = options;
	const isWanted = scoring === "always" || min_score !== undefined || models.hasReranker;
	const scorer = isWanted ? findScorer(models, request, meter) : undefined;
	if (min_score !== undefined && scorer === undefined) throw minScoreUnavailable();
	const wanted = scorer === undefined ? top_k : scorer.candidates(top_k);
	const [query = ""] = queries;
	const embedded = await embedQueries(queries, options);
	const isByMeaning = embedded.some(({ vector }) => vector !== undefined);
	const passages = await knowledge.search({ ...search, query, top_k: wanted }, embedded, signal);
	if (scorer === undefined || passages.length === 0) return { passages, isByMeaning };
	const scored = await scorePassages(judged ?? query, passages, scorer, signal);
	if (scored === undefined) {
		if (min_score !== undefined) throw minScoreUnavailable();
		return { passages: passages.slice(0, top_k), isByMeaning };
	}
	return { ...judge(scored, scorer, min_score), passages: cut(scored, top_k, min_score), isByMeaning };
}

const judge = (scored: readonly FoundPassage[], { enough }: Scorer, minScore = enough) => ({
	isGoodEnough: (scored[0]?.score ?? 0) >= minScore,
});

const cut = (scored: readonly FoundPassage[], topK: number, minScore = 0): readonly FoundPassage[] =>
	scored.filter(({ score }) => score >= minScore).slice(0, topK);

/** Queries with their vectors, where knowledge bases have some of the space that vectors are made in now. */
async function embedQueries(
	queries: readonly string[],
	{ models, request, embedded = request.knowledgeBases, meter, signal }: RetrieveOptions,
): Promise<readonly SearchQuery[]> {
	const row = models
		.plan(["embed"], { ...request, knowledgeBases: embedded })
		.find(({ payer }) => payer !== "none");
	const { space } = models;
	if (row === undefined || space === undefined) return queries.map((text) => ({ text }));
	const model = meterEmbeddings(models.embedding(row, request.workspace), row, meter);
	const { vectors } = await model.embed(queries, { signal });
	return queries.map((text, index) => {
		const vector = vectors[index];
		return vector === undefined ? { text } : { text, vector: { space, values: vector } };
	});
}
