import type { ReceiptRow, Stage } from "@stemma/core";
import { EMBEDDED_PROVIDER, type StageRow } from "@stemma/routing";
import type { ModelRequest, Models } from "../../models/models";
import { planRewrite } from "../../models/plan-rewrite";
import type { TextMessage } from "../ask-request";

/** Plan of a search: who is called and who pays. A stage that is left out makes no call. */
export interface RetrievalPlan {
	/** Request that decided. */
	readonly request: ModelRequest;
	readonly rewrite: StageRow | undefined;
	readonly embed: StageRow | undefined;
	readonly score: StageRow | undefined;
}

/** Plan of a question, made before its first call and passed to each stage. */
export interface QuestionPlan extends RetrievalPlan {
	/** Left out where the built-in model answers, which quotes whatever it is given. */
	readonly answer: StageRow | undefined;
}

/** Search that is planned. */
export interface PlannedSearch {
	/** Knowledge bases that are searched. Default: those of the request. */
	readonly searchedKnowledgeBases?: ModelRequest["knowledgeBases"];
	/** The passages are to have a score at least. */
	readonly min_score?: number | undefined;
	/** Messages before the question, which a model makes queries of. */
	readonly history?: readonly TextMessage[] | undefined;
}

/**
 * Plans a question.
 *
 * @throws DomainError with the code of the refusal.
 */
export function planQuestion(models: Models, request: ModelRequest): QuestionPlan {
	const rows = models.plan(["rewrite", "embed", "score", "answer"], request);
	return {
		request,
		rewrite: findCall(rows, "rewrite"),
		embed: findCall(rows, "embed"),
		score: findCall(rows, "score"),
		answer: findCall(rows, "answer"),
	};
}

/**
 * Plans a search. Passages are scored where a vendor is configured for scoring alone, or where there is a `min_score`. A
 * question with messages before it is rewritten where a model may be called for that.
 *
 * @throws DomainError with the code of the refusal.
 */
export function planSearch(
	models: Models,
	request: ModelRequest,
	{ searchedKnowledgeBases = request.knowledgeBases, min_score, history = [] }: PlannedSearch,
): RetrievalPlan {
	const needsScores = min_score !== undefined || models.hasReranker;
	return {
		request,
		rewrite: history.length === 0 ? undefined : planRewrite(models, request).row,
		score: needsScores ? findCall(models.plan(["score"], request), "score") : undefined,
		embed: findCall(models.plan(["embed"], { ...request, knowledgeBases: searchedKnowledgeBases }), "embed"),
	};
}

const findCall = (rows: readonly StageRow[], stage: Stage): StageRow | undefined =>
	rows.find((row) => row.stage === stage && (row.payer !== "none" || row.provider === EMBEDDED_PROVIDER));

/** Asserts that each call that was made was planned, and is paid by whom the plan says. */
export function assertPlanned(plan: QuestionPlan, receipt: readonly ReceiptRow[]): void {
	for (const { stage, payer } of receipt) {
		const planned = stage === "index" ? undefined : plan[stage];
		if (planned !== undefined && planned.payer === payer) continue;
		if (planned === undefined && payer === "none") continue;
		throw new Error(`A call of the stage "${stage}" is paid by "${payer}", which was not planned.`);
	}
}
