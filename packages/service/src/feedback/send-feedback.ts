import type { Deleted, Feedback, FeedbackRequest } from "@stemma/client";
import { clock, quote } from "@stemma/core/internal";
import { createId } from "../create-id";
import { DomainError } from "../errors/domain-error";
import type { RequestScope } from "../request-scope";
import { readResult, type StoredRun } from "../runs/stored-run";
import { isAnswerToken } from "./answer-token";
import type { StoredAnswer, StoredFeedback } from "./feedback-repository";
import { toFeedback } from "./feedback-view";
import { readFoundPassages } from "./found-passages";
import { toRunContent } from "./rated-content";

/**
 * Stores feedback on a run that the caller may read, with the question and the answer as they are now.
 *
 * @throws DomainError `run_not_ended`.
 */
export async function sendRunFeedback(
	scope: RequestScope,
	run: StoredRun,
	request: FeedbackRequest,
): Promise<Feedback> {
	const { runs } = scope.workspace.store;
	const result = run.ended_at === null ? undefined : await readResult(runs, run);
	if (result === undefined) throw runNotEnded();
	const inputs = await runs.findInputs(run.id);
	const passages = await readFoundPassages(runs, run.id);
	const { agent_id, agent_slug, agent_version } = run;
	return put(scope, request, {
		...{ subject: run.id, agent_id, agent_slug, agent_version },
		content: toRunContent(inputs?.input, result, passages),
	});
}

/** Stores feedback on an answer of `ask`. */
export const sendAnswerFeedback = (
	scope: RequestScope,
	{ id, content }: StoredAnswer,
	request: FeedbackRequest,
): Promise<Feedback> =>
	put(scope, request, { subject: id, agent_id: null, agent_slug: null, agent_version: null, content });

async function put(
	{ workspace, caller }: RequestScope,
	{ rating, comment, tags = [] }: FeedbackRequest,
	rated: Pick<StoredFeedback, "subject" | "agent_id" | "agent_slug" | "agent_version" | "content">,
): Promise<Feedback> {
	const now = clock.now();
	const stored = await workspace.store.feedback.put({
		...{ ...rated, id: createId("fb"), sent_by: caller.id },
		...{ rating, comment: comment ?? null, tags: [...new Set(tags)] },
		...{ created_at: now, updated_at: now },
	});
	return toFeedback(stored);
}

/** Deletes what the caller has sent on a run or an answer. @throws DomainError `feedback_not_found`. */
export async function deleteFeedback({ workspace, caller }: RequestScope, subject: string): Promise<Deleted> {
	const id = await workspace.store.feedback.delete(subject, caller.id);
	if (id !== undefined) return { id, deleted: true };
	throw new DomainError("feedback_not_found", `You have sent no feedback on ${quote(subject)}.`, {
		hint: "Feedback is deleted by the credential that sent it.",
	});
}

/**
 * Gets an answer that can be rated. A client key reaches those that it asked for, with their token.
 *
 * @throws DomainError `answer_not_found`.
 */
export async function getStoredAnswer(
	{ workspace, caller, kernel }: RequestScope,
	id: string,
	token: string | undefined,
): Promise<StoredAnswer> {
	const answer = await workspace.store.feedback.findAnswer(id);
	const isOwn =
		caller.kind === "client" ||
		(answer?.asked_by === caller.id &&
			(caller.kind === "user" || isAnswerToken(token, id, kernel.fingerprint)));
	if (answer !== undefined && isOwn) return answer;
	throw new DomainError("answer_not_found", `There is no stored answer ${quote(id)}.`, {
		hint:
			caller.kind !== "client_key"
				? "Ask with `store: true`: the answer has its `answer_id` then."
				: "A client key reaches the answers that it asked for with `store: true`, with the header stemma-answer-token.",
	});
}

const runNotEnded = (): DomainError =>
	new DomainError("run_not_ended", "The run has not ended: there is no answer to rate yet.", {
		hint: "Send the feedback when the run has ended.",
	});
