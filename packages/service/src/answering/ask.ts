import type { Answer, FoundPassage } from "@stemma/client";
import { DEFAULT_TOP_K, type ReceiptRow, type RunUsage } from "@stemma/core";
import { DomainError } from "../errors/domain-error";
import type { Knowledge } from "../knowledge/knowledge";
import type { ReceiptCollector } from "../models/metering/call-meter";
import type { Models } from "../models/models";
import { answerFromPassages, type PassageAnswer } from "./answer-from-passages";
import type { AskProgress, ResolvedAskRequest } from "./ask-request";
import { assertPlanned, type QuestionPlan } from "./queries/question-plan";
import { createQuestionQueries } from "./queries/question-queries";
import { findWarnings } from "./reply/answer-warnings";
import { describeNoAnswer } from "./reply/describe-no-answer";
import { reachesMinCoverage } from "./retrieval/coverage-threshold";
import { retrieveTraced } from "./retrieval/retrieve-traced";

/** Options of an answer to a question. */
export interface AskOptions {
	readonly knowledge: Pick<Knowledge, "search" | "computeCoverage">;
	readonly models: Models;
	/** Share of the question, 0 to 1, that the passages must cover by their words where nothing else scored them. */
	readonly minCoverage: number;
	readonly plan: QuestionPlan;
	/** Has the rows of all calls, also of an answer that failed. */
	readonly receipts: ReceiptCollector;
	readonly signal: AbortSignal;
	/** Gets the passages and the text as it comes in; not the end. */
	readonly onEvent?: (event: AskProgress) => void;
}

/** Answers a question from knowledge bases, with citations; says so where nothing that was found fits. */
export async function ask(request: ResolvedAskRequest, options: AskOptions): Promise<Answer> {
	try {
		return await answerQuestion(request, options);
	} catch (error) {
		if (options.signal.aborted) throw questionCancelledError();
		throw error;
	}
}

const questionCancelledError = (): DomainError =>
	new DomainError("cancelled", "The question was cancelled before it was answered.", { hint: "Ask again." });

async function answerQuestion(request: ResolvedAskRequest, options: AskOptions): Promise<Answer> {
	const { plan, receipts } = options;
	const { meter, rows } = receipts;
	const searched = await createQuestionQueries(request, { ...options, meter });
	const { knowledge_base_ids, top_k = DEFAULT_TOP_K, min_score, filter } = request;
	const { passages, passesThreshold, hasVectorHits } = await retrieveTraced(
		{
			...searched,
			knowledge_base_ids,
			top_k,
			...(min_score !== undefined && { min_score }),
			...(filter !== undefined && { filter }),
		},
		{ ...options, meter },
	);
	options.onEvent?.({ type: "ask.passages", passages });
	// What shares no word with a question may answer it; a model that reads it will tell.
	const deferRelevanceToModel = hasVectorHits && passages.length > 0 && plan.answer !== undefined;
	if (
		!(
			passesThreshold ??
			(deferRelevanceToModel || (await isCoveredByWords(searched.queries, request, passages, options)))
		)
	)
		return answerNotFound(request.question, passages, rows, options);
	const retrievalRows = [...rows];
	const result = await answerFromPassages(request, passages, {
		...options,
		meter,
		modelRequest: plan.request,
	});
	if (result.status !== "completed") throw questionCancelledError();
	assertPlanned(plan, [...retrievalRows, ...result.receipt]);
	return toAnswer(request.question, result, { passages, retrievalRows, options });
}

interface AnswerParts {
	readonly passages: readonly FoundPassage[];
	readonly retrievalRows: readonly ReceiptRow[];
	readonly options: AskOptions;
}

function toAnswer(
	question: string,
	result: PassageAnswer,
	{ passages, retrievalRows, options }: AnswerParts,
): Answer {
	const { plan, onEvent } = options;
	const written = typeof result.output === "string" ? result.output : JSON.stringify(result.output);
	const isEmpty = result.hadInstructions && !/[\p{L}\p{N}]/u.test(written);
	if (isEmpty) onEvent?.({ type: "text.delta", text: ONLY_INSTRUCTIONS });
	const answer = isEmpty ? written + ONLY_INSTRUCTIONS : written;
	return {
		answer,
		citations: result.citations,
		...(result.unknown_citations !== undefined && { unknown_citations: result.unknown_citations }),
		...(result.hasNoAnswer && { refused: "no_answer_in_passages" as const }),
		...(plan.answer !== undefined && toWarnings(question, answer, result)),
		passages,
		receipt: [...retrievalRows, ...result.receipt],
		usage: addUsage(result.usage, retrievalRows),
		// The built-in model cites all that it quotes.
		...(plan.answer === undefined && result.citations.length === 0 && NOT_FOUND),
	};
}

/** Warnings about the answer of a model, where there are any. */
function toWarnings(
	question: string,
	answer: string,
	{ citations, hasNoAnswer, hadInstructions }: PassageAnswer,
): Pick<Answer, "warnings"> {
	const hasCitations = citations.length > 0;
	const warnings = findWarnings({ question, answer, hasCitations, hasNoAnswer, hadInstructions });
	return warnings === undefined ? {} : { warnings };
}

/** Checks by their words whether one of the passages can answer; used where nothing scored them. */
async function isCoveredByWords(
	queries: readonly string[],
	{ knowledge_base_ids }: ResolvedAskRequest,
	passages: readonly FoundPassage[],
	{ knowledge, minCoverage }: AskOptions,
): Promise<boolean> {
	for (const question of queries)
		if (
			await reachesMinCoverage(knowledge, {
				question,
				knowledgeBases: knowledge_base_ids,
				passages,
				minCoverage,
			})
		)
			return true;
	return false;
}

/** Text of an answer of which nothing was left. */
const ONLY_INSTRUCTIONS = "The model repeated its instructions and gave no answer. Ask again.";

const NOT_FOUND = { refused: "no_relevant_passages" } as const;

const NO_USAGE: RunUsage = { input_tokens: 0, output_tokens: 0, model_calls: 0, steps: 0 };

const addUsage = (usage: RunUsage, rows: readonly ReceiptRow[]): RunUsage => ({
	...usage,
	input_tokens: rows.reduce((sum, { input_tokens }) => sum + input_tokens, usage.input_tokens),
	output_tokens: rows.reduce((sum, { output_tokens }) => sum + output_tokens, usage.output_tokens),
	model_calls: usage.model_calls + rows.length,
});

function answerNotFound(
	question: string,
	passages: readonly FoundPassage[],
	receipt: readonly ReceiptRow[],
	{ onEvent }: AskOptions,
): Answer {
	const text = describeNoAnswer(question, passages);
	onEvent?.({ type: "text.delta", text });
	return {
		answer: text,
		citations: [],
		passages,
		receipt: [...receipt],
		usage: addUsage(NO_USAGE, receipt),
		...NOT_FOUND,
	};
}
