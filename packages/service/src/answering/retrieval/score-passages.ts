import type { FoundPassage } from "@stemma/client";
import { visibleText } from "@stemma/core/internal";
import type { Reranker } from "@stemma/routing";
import { createModelReranker } from "../../models/create-model";
import type { CallMeter } from "../../models/metering/call-meter";
import { meterReranker } from "../../models/metering/metered-embeddings";
import { meterModel } from "../../models/metering/metered-model";
import type { Models } from "../../models/models";
import { SCORE_PROMPT } from "../prompts/score";
import type { RetrievalPlan } from "../queries/question-plan";

/** Reranker and the interpretation of its scores. */
export interface Scorer {
	readonly reranker: Reranker;
	/** Passages that are judged for each that is wanted. */
	readonly candidateCount: (topK: number) => number;
	/** Passages below have nothing to do with the question. */
	readonly minScore: number;
	/** Minimum score of the best passage; below it the documents do not answer the question. */
	readonly answerThreshold: number;
}

/** A model is shown each of them, at its price. */
const MODEL_SCORING = {
	candidateCount: (topK: number) => Math.max(topK, Math.min(Math.ceil(1.5 * topK), 20)),
	// On its scale from 0 to 4: 1 is about the subject, 2 answers a part.
	minScore: 0.25,
	answerThreshold: 0.5,
};

/** Vendors differ in their scales, so that little is enough: a needless refusal is worse than a call in vain. */
const RERANKER_SCORING = {
	candidateCount: (topK: number) => Math.min(100, Math.max(3 * topK, 24)),
	minScore: 0,
	answerThreshold: 0.02,
};

/** Creates the scorer that was planned; `undefined` where no call is made. */
export function createScorer(
	models: Models,
	{ score: row, request }: RetrievalPlan,
	meter: CallMeter,
): Scorer | undefined {
	if (row === undefined) return undefined;
	const vendor = models.reranker(row);
	if (vendor !== undefined) return { reranker: meterReranker(vendor, row, meter), ...RERANKER_SCORING };
	const resolved = { ...models.resolve(request), reason: row.reason };
	return {
		reranker: createModelReranker(meterModel(resolved, meter, "score", SCORE_PROMPT)),
		...MODEL_SCORING,
	};
}

/** Passages by their scores, best first, without those that have nothing to do with the query. */
export async function scorePassages(
	query: string,
	passages: readonly FoundPassage[],
	{ reranker, minScore }: Scorer,
	signal: AbortSignal,
): Promise<readonly FoundPassage[] | undefined> {
	const texts = passages.map(({ title, place, text }) =>
		visibleText([title, place.heading, text].filter(Boolean).join("\n")),
	);
	const { scores } = await reranker.rerank(query, texts, { signal });
	// An answer came that is no judgement.
	if (scores === undefined) return undefined;
	return passages
		.map((passage, index) => ({ ...passage, score: scores[index] ?? 0 }))
		.filter(({ score }) => score >= minScore)
		.sort((a, b) => b.score - a.score);
}
