import type { IdempotencyRecord } from "../store/idempotency-repository";
import type { StoredMessage, StoredThread } from "./stored-thread";

/** Message of a user and the place of its answer, which are appended to a thread together. */
export interface NewTurn {
	readonly threadId: string;
	readonly question: NewQuestion | StoredQuestion;
	/** `msg_…` of the answer. */
	readonly answerId: string;
	/** Run that answers; `null` for an answer without one. */
	readonly runId: string | null;
	/** Epoch milliseconds. */
	readonly at: number;
	/** Request that may be sent again: its question is appended once. */
	readonly request?: TurnRequestRecord | undefined;
	/**
	 * Called where nobody else can write, before anything is added, with the question that is answered; what it throws adds
	 * nothing.
	 */
	assertAllowed(facts: TurnFacts, question: NewTurn["question"]): void;
}

/** Request with an `Idempotency-Key`, as it is stored together with its question. */
export interface TurnRequestRecord {
	/** Record that names the question. */
	toRecord(questionId: string): IdempotencyRecord;
	/** @throws DomainError `idempotency_conflict` for a stored request that is another one. */
	assertSame(stored: IdempotencyRecord): void;
}

/** Message to be appended. */
export interface NewQuestion {
	readonly kind: "new";
	/** `msg_…` */
	readonly id: string;
	readonly text: string;
	/** The message before it; `null` for the first of a new branch. Default: the newest message. */
	readonly parentId: string | null | undefined;
	/** Title of a thread that has none. */
	readonly title: string;
}

/** Message that is there, and is answered again. */
export interface StoredQuestion {
	readonly kind: "stored";
	readonly id: string;
}

/** Facts about a thread that decide whether a turn may be appended. */
export interface TurnFacts {
	/** Left out where there is no such thread, or none any more. */
	readonly thread: Pick<StoredThread, "message_count" | "characters"> | undefined;
	/** Parent of the new question, or the question that is answered again. */
	readonly parent: Pick<StoredMessage, "id" | "role"> | undefined;
	/** Number of messages that are being answered, or wait for it. */
	readonly unfinished: number;
	/** Number of those that runs answer. */
	readonly unfinishedRuns: number;
}
