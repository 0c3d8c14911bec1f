import type { Answer } from "@stemma/client";
import { clock } from "@stemma/core/internal";
import { type AnswerForCallerOptions, answerForCaller } from "../answering/answer-for-caller";
import type { AskProgress, ResolvedAskRequest } from "../answering/ask-request";
import type { QuestionPlan } from "../answering/queries/question-plan";
import { toDomainError } from "../errors/to-domain-error";
import type { RequestScope } from "../request-scope";
import { type PreparedTurn, readHistoryInTurn, toNewTurn } from "./prepare-turn";
import type { MessageOutcome } from "./stored-thread";
import type { AppendedAnswer } from "./thread-turns";

/** Question that was appended to a thread, with the place of its answer. */
export interface AppendedQuestion {
	readonly turn: PreparedTurn;
	readonly answer: AppendedAnswer;
}

/**
 * Appends a question to its thread; one that the same request has appended before is answered once more.
 *
 * @throws DomainError `thread_active`, `thread_queue_full`, `thread_full`: nothing was appended then.
 */
export async function appendQuestion(
	{ workspace }: Pick<RequestScope, "workspace">,
	turn: PreparedTurn,
): Promise<AppendedQuestion> {
	const answer = await workspace.threads.append(toNewTurn(turn, null));
	return { turn: { ...turn, question: { kind: "stored", id: answer.questionId } }, answer };
}

/**
 * Answers a question that was appended to a thread: waits for its turn, answers it with what was said before, and stores
 * the end of the answer, whatever it is.
 *
 * @throws DomainError as the caller sees it.
 */
export async function answerInThread(
	scope: RequestScope,
	request: Omit<ResolvedAskRequest, "question" | "history">,
	{ question, plan }: { readonly question: AppendedQuestion; readonly plan: QuestionPlan },
	{ signal, onEvent }: AnswerForCallerOptions,
): Promise<Answer> {
	const { turn, answer } = question;
	const { threads } = scope.workspace.store;
	const { threadId: thread_id, answerId: message_id, text } = turn;
	const signals = AbortSignal.any([signal, answer.signal]);
	let isEnded = false;
	const end = async (outcome: MessageOutcome): Promise<void> => {
		await threads.endMessage(message_id, outcome, clock.now());
		isEnded = true;
	};
	const draft = createDraft(onEvent);
	try {
		const history = await readHistoryInTurn(scope.workspace, turn, signals);
		await threads.startMessage(message_id);
		const answered = await answerForCaller(scope, { ...request, question: text, history }, plan, {
			signal: signals,
			messageId: message_id,
			onEvent: draft.onEvent,
			onAnswer: (whole) => end(toOutcome(whole)),
		});
		return { ...answered, thread_id, message_id };
	} catch (error) {
		const written = draft.text();
		await end(signals.aborted ? { status: "cancelled", text: written } : toFailure(error, written));
		throw error;
	} finally {
		if (isEnded) answer.close();
		else answer.abandon();
	}
}

/** Text of an answer as far as it is written. */
function createDraft(onEvent: AnswerForCallerOptions["onEvent"]) {
	let text = "";
	return {
		text: () => text,
		onEvent(event: AskProgress): void {
			if (event.type === "text.delta") text += event.text;
			else if (event.type === "text.reset") text = "";
			onEvent?.(event);
		},
	};
}

const toOutcome = ({ answer, citations, refused, receipt }: Answer): MessageOutcome => ({
	status: "completed",
	text: answer,
	citations,
	receipt,
	...(refused !== undefined && { refused }),
});

function toFailure(error: unknown, text: string): MessageOutcome {
	const { code, message, hint } = toDomainError(error);
	return { status: "failed", text, error: { code, message, ...(hint !== undefined && { hint }) } };
}
