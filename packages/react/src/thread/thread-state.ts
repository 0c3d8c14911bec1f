import type { Approval, Citation, ReceiptRow, RunError } from "@stemma/client";
import type { RunHandle } from "../run-state";

/**
 * Handle of a thread, for example to show it again after a reload. Keep it like a secret: with the token, a client key
 * reads and continues the thread.
 */
export interface ThreadHandle {
	/** `thr_…` */
	readonly thread_id: string;
	/** Client keys cannot do without; other credentials have none. */
	readonly thread_token?: string | undefined;
}

/** Status of a message: `sending` until the service has it; a user's message is then `completed`. */
export type ChatMessageStatus =
	| "sending"
	| "queued"
	| "in_progress"
	| "waiting"
	| "completed"
	| "failed"
	| "cancelled";

/** Error of a message or a thread: `code` to branch on, `message` and `hint` to show. */
export type ChatError = Pick<RunError, "code" | "message"> & { readonly hint?: string | undefined };

/** Handle of a stored answer, by which it is rated. */
export interface AnswerHandle {
	/** `ans_…` */
	readonly answer_id: string;
	/** Client keys cannot do without; other credentials have none. */
	readonly answer_token?: string | undefined;
}

/** One message of a thread. */
export interface ChatMessage {
	/** Stable on this page, before the service has the message, too: the `key` for React. */
	readonly key: string;
	/** `msg_…`, once the service has the message. */
	readonly id: string | undefined;
	/** Key of the message that this one follows; `null` where it begins the conversation. */
	readonly parentKey: string | null;
	readonly role: "user" | "assistant";
	/** Text so far of an answer, and at last the whole of it. Stays after a cancel. */
	readonly text: string;
	readonly status: ChatMessageStatus;
	/** The sources of an answer, once it is complete. */
	readonly citations: readonly Citation[];
	/** Receipt: what was paid and by whom; empty for client keys. */
	readonly receipt: readonly ReceiptRow[];
	/** Approvals that an answer is `waiting` for. Empty for client keys. */
	readonly approvals: readonly Approval[];
	readonly error: ChatError | undefined;
	/** The connection to the answer was lost: `retry` continues it where it was. */
	readonly canReconnect: boolean;
	/** Run that writes or wrote an answer. */
	readonly run: RunHandle | undefined;
	/** Stored answer that is rated where there is no run: that of an answer from knowledge bases. */
	readonly answer: AnswerHandle | undefined;
	/** Thumb that was given on this page. */
	readonly rating: "up" | "down" | undefined;
}

/** A thread as a tree of messages, with the branch that is shown. */
export interface ThreadState {
	/** `idle` where there is no thread yet; `failed` where it could not be read. */
	readonly status: "idle" | "loading" | "ready" | "failed";
	/** Error of a thread that is `failed`. */
	readonly error: ChatError | undefined;
	readonly handle: ThreadHandle | undefined;
	/** All messages by their key, oldest first, parents before children. */
	readonly messages: ReadonlyMap<string, ChatMessage>;
	/** Key of the child that is shown, by the key of its parent; the newest one where nothing is chosen. */
	readonly selected: ReadonlyMap<string | null, string>;
}

/** State while events are applied: its maps are copies. */
export interface ThreadDraft extends ThreadState {
	readonly messages: Map<string, ChatMessage>;
	readonly selected: Map<string | null, string>;
}

export const NO_THREAD: ThreadState = {
	status: "idle",
	error: undefined,
	handle: undefined,
	messages: new Map(),
	selected: new Map(),
};

const NONE: readonly never[] = [];

/** Creates a message that the service does not have yet. */
export const createMessage = (
	fields: Pick<ChatMessage, "key" | "parentKey" | "role"> & Partial<ChatMessage>,
): ChatMessage => ({
	id: undefined,
	text: "",
	status: "sending",
	citations: NONE,
	receipt: NONE,
	approvals: NONE,
	error: undefined,
	canReconnect: false,
	run: undefined,
	answer: undefined,
	rating: undefined,
	...fields,
});

/** Checks for a status that changes no more by itself. */
export const isFinal = (status: ChatMessageStatus): boolean =>
	status === "completed" || status === "failed" || status === "cancelled";
