import { quote } from "@stemma/core/internal";
import type { Caller } from "../auth/caller";
import { DomainError } from "../errors/domain-error";
import {
	MAX_QUEUED_MESSAGES,
	MAX_THREAD_CHARACTERS,
	MAX_THREAD_MESSAGE_CHARACTERS,
	MAX_THREAD_MESSAGES,
} from "./thread-limits";

/** Error of a thread that does not exist for the caller. */
export const threadNotFound = (id: string, callerKind: Caller["kind"]): DomainError =>
	new DomainError("thread_not_found", `There is no thread ${quote(id)}.`, {
		hint:
			callerKind !== "client_key"
				? "GET /v1/threads lists the threads that you can use."
				: "A client key reaches the threads that it created, with the header stemma-thread-token.",
		param: "thread_id",
	});

/** Error of an answer that a later message of its thread, or the deletion of the thread, has ended. */
export const answerInterrupted = (): DomainError =>
	new DomainError("cancelled", "The answer was interrupted.", {
		hint: "A later message of the thread interrupted it, or the thread was deleted. Ask again if you still need it.",
	});

/** @param param - field that names the message. */
export const messageNotFound = (id: string, threadId: string, param: string): DomainError =>
	new DomainError("message_not_found", `The thread ${quote(threadId)} has no message ${quote(id)}.`, {
		hint: "GET /v1/threads/:id/messages lists the messages of the thread.",
		param,
	});

/** @param param - field that is invalid. */
export const invalidField = (param: string, problem: string, hint?: string): DomainError =>
	new DomainError("invalid_request", `"${param}" ${problem}`, { param, hint });

export const parentIsQuestion = (): DomainError =>
	invalidField(
		"parent_id",
		"names a message of a user.",
		"Name the answer that the message follows, or null for the first message of a new branch. To answer a message again, send `regenerate_of` with the id of its answer.",
	);

export const notAnAnswer = (): DomainError =>
	invalidField("regenerate_of", "names a message of a user.", "Name the answer that is to be written again.");

export const threadActive = (): DomainError =>
	new DomainError("thread_active", "A message of this thread is being answered.", {
		hint: 'Wait until it is answered, or send `if_active` with "queue" or "interrupt".',
	});

export const threadQueueFull = (): DomainError =>
	new DomainError(
		"thread_queue_full",
		`${MAX_QUEUED_MESSAGES} messages of this thread wait for their turn.`,
		{
			hint: 'Wait until some of them are answered, or send `if_active: "interrupt"`.',
			retryAfterSeconds: 5,
		},
	);

const START_ANOTHER = "Start another thread, or delete this one.";

export const tooManyMessages = (): DomainError =>
	new DomainError(
		"thread_full",
		`A thread holds at most ${MAX_THREAD_MESSAGES.toLocaleString("en")} messages.`,
		{ hint: START_ANOTHER },
	);

export const tooMuchText = (): DomainError =>
	new DomainError(
		"thread_full",
		`The messages of a thread hold at most ${MAX_THREAD_CHARACTERS.toLocaleString("en")} characters.`,
		{ hint: START_ANOTHER },
	);

export const tooManyThreads = (maximum: number): DomainError =>
	new DomainError(
		"too_many_threads",
		`The workspace has ${maximum.toLocaleString("en")} threads, the maximum.`,
		{
			hint: "Delete threads that are not needed. The operator of the service can raise limits.threads, or set limits.retention.thread_days.",
			details: { maximum },
		},
	);

export const tooManyThreadsOfKey = (maximum: number): DomainError =>
	new DomainError(
		"too_many_threads",
		`The client key has ${maximum.toLocaleString("en")} threads, the maximum of one key.`,
		{ hint: "Delete threads that are not needed, or create another client key.", details: { maximum } },
	);

export const notOneMessage = (): DomainError =>
	invalidField(
		"input",
		`must be the text of one message, of 1 to ${MAX_THREAD_MESSAGE_CHARACTERS.toLocaleString("en")} characters, where there is a "thread_id".`,
		"The messages before it come from the thread.",
	);
