import { clock } from "@stemma/core/internal";
import type { TextMessage } from "../answering/ask-request";
import { createId } from "../create-id";
import type { RequestScope } from "../request-scope";
import { assertTurn, type IfActive } from "./assert-turn";
import { firstWords } from "./first-words";
import { getThread } from "./get-thread";
import type { NewQuestion, NewTurn, StoredQuestion, TurnRequestRecord } from "./new-turn";
import type { StoredMessage } from "./stored-thread";
import { messageNotFound, notAnAnswer, notOneMessage, threadNotFound } from "./thread-errors";
import { MAX_BRANCH_MESSAGES, MAX_THREAD_MESSAGE_CHARACTERS } from "./thread-limits";
import { toHistory } from "./to-history";

/** Place in a thread that a request names for a message and its answer. */
export interface TurnRequest {
	readonly thread_id: string;
	/** The header `stemma-thread-token`. */
	readonly token: string | undefined;
	/** Default: the newest message. */
	readonly parent_id?: string | null | undefined;
	/** Answer that is written again; there is no new message then. */
	readonly regenerate_of?: string | undefined;
	/** Default `queue`. */
	readonly if_active?: IfActive | undefined;
	/**
	 * Called where `interrupt` would cancel runs, when the message is appended; what it throws appends nothing. Default:
	 * they may be cancelled.
	 */
	readonly assertMayCancelRuns?: (() => void) | undefined;
	/** Request that may be sent again. Default: it cannot. */
	readonly request?: TurnRequestRecord | undefined;
}

/** Message that is about to be appended to a thread and answered. */
export interface PreparedTurn extends Pick<TurnRequest, "assertMayCancelRuns" | "request"> {
	readonly threadId: string;
	/** Id of the answer. */
	readonly answerId: string;
	readonly question: NewQuestion | StoredQuestion;
	/** Text of the question. */
	readonly text: string;
	readonly ifActive: IfActive;
}

/**
 * Prepares a turn of a thread that the caller may use.
 *
 * @param text - of the message; left out where an answer is written again.
 * @throws DomainError `thread_not_found`, `message_not_found`, `invalid_request`.
 */
export async function prepareTurn(
	scope: RequestScope,
	{ thread_id, token, parent_id, regenerate_of, if_active: ifActive = "queue", ...turn }: TurnRequest,
	text: string | undefined,
): Promise<PreparedTurn> {
	const { id: threadId } = await getThread(scope, thread_id, token);
	const { assertMayCancelRuns, request } = turn;
	const base = { threadId, answerId: createId("msg"), ifActive, assertMayCancelRuns, request };
	if (regenerate_of !== undefined) {
		const question = await findQuestion(scope, threadId, regenerate_of);
		return { ...base, question: { kind: "stored", id: question.id }, text: question.text };
	}
	if (text === undefined || text === "" || text.length > MAX_THREAD_MESSAGE_CHARACTERS) throw notOneMessage();
	const id = createId("msg");
	return { ...base, question: { kind: "new", id, text, parentId: parent_id, title: firstWords(text) }, text };
}

/** Finds the message that an answer answers. */
async function findQuestion(
	{ workspace }: RequestScope,
	threadId: string,
	answerId: string,
): Promise<StoredMessage> {
	const { threads } = workspace.store;
	const answer = await threads.findMessage(threadId, answerId);
	if (answer === undefined) throw messageNotFound(answerId, threadId, "regenerate_of");
	if (answer.role === "user" || answer.parent_id === null) throw notAnAnswer();
	const question = await threads.findMessage(threadId, answer.parent_id);
	if (question === undefined) throw messageNotFound(answerId, threadId, "regenerate_of");
	return question;
}

/** @param runId - run that answers; `null` for an answer without one. */
export const toNewTurn = (
	{ threadId, answerId, question, ifActive, assertMayCancelRuns, request }: PreparedTurn,
	runId: string | null,
): NewTurn => ({
	threadId,
	answerId,
	question,
	runId,
	request,
	at: clock.now(),
	assertAllowed(facts, question) {
		assertTurn({ threadId, question }, ifActive, facts);
		if (ifActive === "interrupt" && facts.unfinishedRuns > 0) assertMayCancelRuns?.();
	},
});

/** Parts of a workspace by which its threads are answered. */
export interface ThreadWorkspace extends Pick<RequestScope["workspace"], "threads"> {
	readonly store: Pick<RequestScope["workspace"]["store"], "threads">;
}

/**
 * Waits until it is the turn of an answer, then reads what was said before its question.
 *
 * @throws the reason of the signal; DomainError `thread_not_found` where it was deleted meanwhile.
 */
export async function readHistoryInTurn(
	{ threads, store }: ThreadWorkspace,
	{ threadId, answerId, question, ifActive }: PreparedTurn,
	signal: AbortSignal,
): Promise<readonly TextMessage[]> {
	const place = { threadId, messageId: answerId };
	if (ifActive === "interrupt") await threads.interrupt(place);
	await threads.waitForPredecessors(place, signal);
	const branch = await store.threads.listBranch(threadId, question.id, MAX_BRANCH_MESSAGES + 1);
	if (branch.length === 0) throw threadNotFound(threadId, "client");
	return toHistory(branch.slice(0, -1));
}
