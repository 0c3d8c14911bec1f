import type { FoundPassage } from "@stemma/client";
import { DEFAULT_TOP_K } from "@stemma/core";
import { EMBEDDED_PROVIDER } from "@stemma/routing";
import type { Knowledge, ResolvedSearchRequest } from "../../knowledge/knowledge";
import type { SearchQuery } from "../../knowledge/repositories/passage-index";
import { isZeroVector } from "../../models/is-zero-vector";
import type { CallMeter } from "../../models/metering/call-meter";
import { meterEmbeddings } from "../../models/metering/metered-embeddings";
import type { Models } from "../../models/models";
import { toHistoryQueries } from "../queries/history-queries";
import type { RetrievalPlan } from "../queries/question-plan";
import type { QuestionQueries } from "../queries/question-queries";
import { minScoreUnavailableError } from "./min-score";
import { createScorer, type Scorer, scorePassages } from "./score-passages";

/** Request for passages by words and vectors, reranked where that is configured. */
export interface RetrieveRequest extends Omit<ResolvedSearchRequest, "query">, QuestionQueries {}

export interface RetrieveOptions {
	readonly knowledge: Pick<Knowledge, "search">;
	readonly models: Models;
	readonly plan: RetrievalPlan;
	readonly meter: CallMeter;
	readonly signal: AbortSignal;
}

export interface RetrievedPassages {
	/** Best first. */
	readonly passages: readonly FoundPassage[];
	/** Result of the stage `score`: true where any of the passages answers. Left out where it did not run. */
	readonly passesThreshold?: boolean;
	/** Some may have been found by their meaning, and share no word with the question. */
	readonly hasVectorHits: boolean;
}

/**
 * Finds passages by words, and by meaning where there are vectors, then has them judged.
 *
 * @throws DomainError `min_score_unavailable` where nothing judges; what vendors fail with.
 */
export async function retrieve(
	{ queries, rerankQuery, history, min_score, top_k = DEFAULT_TOP_K, ...search }: RetrieveRequest,
	options: RetrieveOptions,
): Promise<RetrievedPassages> {
	const { knowledge, models, plan, meter, signal } = options;
	const scorer = createScorer(models, plan, meter);
	if (min_score !== undefined && scorer === undefined) throw minScoreUnavailableError();
	const candidateCount = scorer === undefined ? top_k : scorer.candidateCount(top_k);
	const [query = ""] = queries;
	const embeddedQueries = await embedQueries(queries, options);
	const hasVectorHits = embeddedQueries.some(({ vector }) => vector !== undefined);
	const passages = await knowledge.search(
		{ ...search, query, top_k: candidateCount },
		[...embeddedQueries, ...toHistoryQueries(history)],
		signal,
	);
	if (scorer === undefined || passages.length === 0) return { passages, hasVectorHits };
	const scored = await scorePassages(rerankQuery, passages, scorer, signal);
	if (scored === undefined) {
		if (min_score !== undefined) throw minScoreUnavailableError();
		return { passages: passages.slice(0, top_k), hasVectorHits };
	}
	return {
		...checkThreshold(scored, scorer, min_score),
		passages: takeAboveMinScore(scored, top_k, min_score),
		hasVectorHits,
	};
}

const checkThreshold = (
	scored: readonly FoundPassage[],
	{ answerThreshold }: Scorer,
	minScore = answerThreshold,
) => ({
	passesThreshold: (scored[0]?.score ?? 0) >= minScore,
});

const takeAboveMinScore = (
	scored: readonly FoundPassage[],
	topK: number,
	minScore = 0,
): readonly FoundPassage[] => scored.filter(({ score }) => score >= minScore).slice(0, topK);

/** Queries with their vectors, where knowledge bases have some of the space that vectors are made in now. */
async function embedQueries(
	queries: readonly string[],
	{ models, plan: { embed, request }, meter, signal }: RetrieveOptions,
): Promise<readonly SearchQuery[]> {
	const { space } = models;
	if (embed === undefined || space === undefined) return queries.map((text) => ({ text }));
	const model = meterEmbeddings(models.embedding(embed, request.workspace), embed, meter);
	const { vectors } = await model.embed(queries, { signal }).catch((error: unknown) => {
		// The embedded model is an aid of the service itself: without it, words find passages as before.
		if (embed.provider !== EMBEDDED_PROVIDER || signal.aborted) throw error;
		return { vectors: [] };
	});
	return queries.map((text, index) => {
		const values = vectors[index];
		return values === undefined || isZeroVector(values) ? { text } : { text, vector: { space, values } };
	});
}
