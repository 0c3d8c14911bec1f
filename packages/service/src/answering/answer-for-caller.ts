import type { Answer } from "@stemma/client";
import { storeAnswer } from "../feedback/store-answer";
import { toModelRequest } from "../models/model-request";
import type { RequestScope } from "../request-scope";
import { type AskOptions, ask } from "./ask";
import type { ResolvedAskRequest } from "./ask-request";
import { createCallerReceipts } from "./caller-receipts";
import { planQuestion, type QuestionPlan } from "./queries/question-plan";

/** Options of an answer for a caller. */
export interface AnswerForCallerOptions extends Pick<AskOptions, "signal" | "onEvent"> {
	/** Message of a thread that the answer is: one that is stored is deleted with it. */
	readonly messageId?: string;
	/** Called with the whole answer, with all receipts, before it is returned. */
	readonly onAnswer?: (answer: Answer) => Promise<void>;
}

/** Parts of a request that decide which models are called. */
type PlannedRequest = Pick<ResolvedAskRequest, "knowledge_base_ids" | "model">;

/**
 * Plans a question of a caller before anything is called or paid for: once an answer is streamed, it has no status of
 * its own any more.
 *
 * @throws DomainError for knowledge bases that do not exist, and for the choice of a model.
 */
export const planForCaller = (scope: RequestScope, request: PlannedRequest): Promise<QuestionPlan> =>
	createPlan(scope, request).catch(createCallerReceipts(scope).rejectForCaller);

async function createPlan(
	scope: RequestScope,
	{ knowledge_base_ids, model }: PlannedRequest,
): Promise<QuestionPlan> {
	const knowledgeBases = await scope.workspace.knowledge.getKnowledgeBaseModels(knowledge_base_ids);
	return planQuestion(scope.kernel.models, await toModelRequest(scope, knowledgeBases, model));
}

/**
 * Answers a planned question at its caller's cost, with as much of the bill as the caller sees.
 *
 * @throws DomainError as the caller sees it.
 */
export async function answerForCaller(
	scope: RequestScope,
	request: ResolvedAskRequest,
	plan: QuestionPlan,
	{ onAnswer, messageId, ...options }: AnswerForCallerOptions,
): Promise<Answer> {
	const { knowledge } = scope.workspace;
	const receipts = createCallerReceipts(scope);
	const { models, minCoverage } = scope.kernel;
	const answer = await ask(request, { ...options, knowledge, models, minCoverage, plan, receipts }).catch(
		receipts.rejectForCaller,
	);
	await receipts.waitUntilWritten();
	await onAnswer?.(answer);
	const visible = receipts.visibility === "answer" ? { ...answer, receipt: [] } : answer;
	return request.store === true ? storeAnswer(scope, { ...request, messageId }, visible) : visible;
}
