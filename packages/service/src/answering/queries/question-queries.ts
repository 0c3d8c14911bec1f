import { isStemmaError } from "@stemma/core/errors";
import { DomainError } from "../../errors/domain-error";
import type { CallMeter } from "../../models/metering/call-meter";
import { meterModel } from "../../models/metering/metered-model";
import type { Models } from "../../models/models";
import { resolveRewrite } from "../../models/plan-rewrite";
import type { TextMessage } from "../ask-request";
import { REWRITE_PROMPT } from "../prompts/rewrite";
import type { RetrievalPlan } from "./question-plan";
import { isStandaloneQuestion, type RewriteInput, rewriteQuestion } from "./rewrite-question";

/** Queries that a question is searched for by. */
export interface QuestionQueries {
	/** Queries that a model made of the question, and the question itself behind them; else the question alone. */
	readonly queries: readonly string[];
	/** Query that passages are scored against. */
	readonly rerankQuery: string;
	/** Messages before, where no model made queries of them: their words are searched for as well. */
	readonly history?: readonly TextMessage[] | undefined;
}

export interface QuestionQueriesOptions {
	readonly models: Pick<Models, "resolve">;
	readonly plan: Pick<RetrievalPlan, "request" | "rewrite">;
	readonly meter: CallMeter;
	readonly signal: AbortSignal;
}

/**
 * Makes the queries of a question with its conversation: for answers, searches and knowledge nodes alike. Where the model
 * that rewrites fails or writes no query, the words of the last messages count instead.
 *
 * @throws DomainError `budget_exhausted`; nothing that the model fails with.
 */
export async function createQuestionQueries(
	input: RewriteInput,
	options: QuestionQueriesOptions,
): Promise<QuestionQueries> {
	const { question, history } = input;
	const rewritten = isStandaloneQuestion(input) ? [] : await rewrite(input, options);
	const [first = question] = rewritten;
	if (rewritten.length === 0) return { queries: [question], rerankQuery: question, history };
	return {
		// The question itself is searched for as well: what the model wrote may miss it altogether.
		queries: [...new Set([...rewritten, question])],
		rerankQuery: first === question ? question : `${question}\n${first}`,
	};
}

async function rewrite(
	input: RewriteInput,
	{ models, plan, meter, signal }: QuestionQueriesOptions,
): Promise<readonly string[]> {
	if (plan.rewrite === undefined) return [];
	const resolved = resolveRewrite(models, plan.request, plan.rewrite);
	const model = meterModel(resolved, withFailureNote(meter, signal), "rewrite", REWRITE_PROMPT);
	try {
		return await rewriteQuestion(input, model, signal);
	} catch (error) {
		if (signal.aborted || !isStemmaError(error) || error instanceof DomainError) throw error;
		return [];
	}
}

const FAILURE_NOTE =
	"The call failed: the question was searched for as it is, with the words of the last messages.";

/** The meter, whose rows of failed calls say what was done in their place. */
const withFailureNote = (meter: CallMeter, signal: AbortSignal): CallMeter => ({
	...meter,
	onReceipt(row, call) {
		const isReplaced = call?.isFailed === true && !signal.aborted;
		meter.onReceipt(isReplaced ? { ...row, reason: `${row.reason} ${FAILURE_NOTE}` } : row, call);
	},
});
