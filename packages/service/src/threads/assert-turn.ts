import type { NewTurn, TurnFacts } from "./new-turn";
import {
	messageNotFound,
	parentIsQuestion,
	threadActive,
	threadNotFound,
	threadQueueFull,
	tooManyMessages,
	tooMuchText,
} from "./thread-errors";
import { MAX_QUEUED_MESSAGES, MAX_THREAD_CHARACTERS, MAX_THREAD_MESSAGES } from "./thread-limits";

/** Treatment of a message that arrives while another one of its thread is being answered. */
export type IfActive = "queue" | "reject" | "interrupt";

/**
 * Asserts that a turn may be appended to a thread as it is now.
 *
 * @throws DomainError `thread_not_found`, `message_not_found`, `invalid_request`, `thread_active`, `thread_queue_full`,
 * `thread_full`.
 */
export function assertTurn(
	{ threadId, question }: Pick<NewTurn, "threadId" | "question">,
	ifActive: IfActive,
	{ thread, parent, unfinished }: TurnFacts,
): void {
	if (thread === undefined) throw threadNotFound(threadId, "client");
	if (question.kind === "stored") {
		if (parent === undefined) throw messageNotFound(question.id, threadId, "regenerate_of");
	} else if (parent === undefined) {
		if (question.parentId != null) throw messageNotFound(question.parentId, threadId, "parent_id");
	} else if (parent.role === "user") throw parentIsQuestion();
	if (unfinished > 0 && ifActive === "reject") throw threadActive();
	if (unfinished > MAX_QUEUED_MESSAGES && ifActive !== "interrupt") throw threadQueueFull();
	const text = question.kind === "new" ? question.text : "";
	if (thread.message_count + 2 > MAX_THREAD_MESSAGES) throw tooManyMessages();
	if (thread.characters + text.length > MAX_THREAD_CHARACTERS) throw tooMuchText();
}
