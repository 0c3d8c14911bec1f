import type { ThreadMessage } from "@stemma/client";
import type { Citation, ReceiptRow } from "@stemma/core";
import type { Caller } from "../auth/caller";

/** Thread as it is stored; times are epoch milliseconds. */
export interface StoredThread {
	/** `thr_…` */
	readonly id: string;
	readonly title: string | null;
	readonly metadata: Readonly<Record<string, string>>;
	readonly owner_kind: Caller["kind"];
	/** `cl_…`, `ck_…` or `usr_…` */
	readonly owner_id: string;
	/** Agent that the thread was created for. */
	readonly agent_id: string | null;
	readonly message_count: number;
	/** Characters of all messages. */
	readonly characters: number;
	readonly created_at: number;
	readonly updated_at: number;
	/** Run that answers a message now, or waits for a person. */
	readonly active_run_id: string | null;
}

/** Thread to be stored. */
export type NewThread = Omit<StoredThread, "message_count" | "characters" | "updated_at" | "active_run_id">;

/** Message of a thread as it is stored; times are epoch milliseconds. */
export interface StoredMessage {
	/** `msg_…` */
	readonly id: string;
	readonly thread_id: string;
	/** The message before; `null` for the first of a branch. */
	readonly parent_id: string | null;
	readonly role: "user" | "assistant";
	readonly text: string;
	readonly status: ThreadMessage["status"];
	/** Run that answers; `null` for messages of users, and for answers of `/v1/ask`. */
	readonly run_id: string | null;
	readonly citations: readonly Citation[] | null;
	readonly refused: ThreadMessage["refused"] | null;
	readonly receipt: readonly ReceiptRow[] | null;
	readonly error: MessageError | null;
	/** Stored answer that can be rated, of an answer of `/v1/ask`. */
	readonly answer_id: string | null;
	readonly created_at: number;
}

/** Error of an answer that failed. */
export interface MessageError {
	readonly code: string;
	readonly message: string;
	readonly hint?: string;
}

/** End of an answer. */
export interface MessageOutcome extends Pick<StoredMessage, "text"> {
	readonly status: "completed" | "failed" | "cancelled";
	readonly citations?: readonly Citation[];
	readonly refused?: NonNullable<StoredMessage["refused"]>;
	readonly receipt?: readonly ReceiptRow[];
	readonly error?: MessageError;
}

/** Outcome of an answer that the process before has left unfinished. */
export const INTERRUPTED: MessageOutcome = {
	status: "failed",
	text: "",
	error: {
		code: "interrupted",
		message: "The service stopped while the message was being answered.",
		hint: "Let it be answered again, with `regenerate_of`.",
	},
};
