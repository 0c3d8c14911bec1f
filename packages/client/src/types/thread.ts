import type { Citation, ReceiptRow, RunError } from "@stemma/core";

/** Conversation that the service keeps: messages, each of which follows another one. */
export interface Thread {
	/** `thr_…` */
	readonly id: string;
	/** Title that it was given; else the first words of its first message, `null` before there is one. */
	readonly title: string | null;
	readonly metadata: Readonly<Record<string, string>>;
	/** The client, client key or user that created it. */
	readonly owner: { readonly kind: "client" | "client_key" | "user"; readonly id: string };
	/** Agent that it was created for. */
	readonly agent_id: string | null;
	readonly created_at: string;
	/** Time of the last change: to its title, its metadata or a message. */
	readonly updated_at: string;
	/** Messages of all branches. */
	readonly message_count: number;
	/** Run that answers a message now, or waits for a person. */
	readonly active_run_id: string | null;
}

/** Thread that was just created. */
export interface CreatedThread extends Thread {
	/** Token that a client key needs for each call with the thread. Shown once, and to client keys alone. */
	readonly token?: string;
}

/** Body of `POST /v1/threads`. */
export interface ThreadCreate {
	/** 1 to 200 characters. Default: the first words of the first message. */
	readonly title?: string;
	/** Up to 16 entries: keys of up to 64 characters, values of up to 512. */
	readonly metadata?: Readonly<Record<string, string>>;
	/** Id or slug of the agent that the thread is for, as a note: other agents may answer in it, too. */
	readonly agent_id?: string;
}

/** Changes to a thread; what is left out stays as it is. */
export interface ThreadUpdate {
	readonly title?: string;
	/** Replaces all of it. */
	readonly metadata?: Readonly<Record<string, string>>;
}

/** Message of a thread. */
export interface ThreadMessage {
	/** `msg_…` */
	readonly id: string;
	readonly thread_id: string;
	/** The message that it follows; `null` for the first of a branch. Answers follow the message that they answer. */
	readonly parent_id: string | null;
	readonly role: "user" | "assistant";
	/** Text; of an answer that is not complete, what is stored of it: none while it is being written. */
	readonly text: string;
	/** `queued`: it waits until the answers before it have ended. `waiting`: its run waits for a person. */
	readonly status: "queued" | "in_progress" | "waiting" | "completed" | "failed" | "cancelled";
	/** Run that answers; left out for messages of users, and for answers of `/v1/ask`. */
	readonly run_id?: string;
	/** Token of the run; only for client keys. */
	readonly run_token?: string;
	/** Stored answer, by which an answer of `/v1/ask` with `store: true` is rated. */
	readonly answer_id?: string;
	/** Token of the stored answer; only for client keys. */
	readonly answer_token?: string;
	readonly citations?: readonly Citation[];
	/** Reason why a question was refused, as in an `Answer`. */
	readonly refused?: "no_relevant_passages" | "no_answer_in_passages";
	/** Calls of models that were made for it, and who paid. Not for client keys. */
	readonly receipt?: readonly ReceiptRow[];
	/** Error of an answer that failed. */
	readonly error?: RunError;
	readonly created_at: string;
}

/** Messages of a thread, or of one of its branches. */
export interface ThreadMessageList {
	readonly messages: readonly ThreadMessage[];
	/** False where all were asked for. */
	readonly has_more: boolean;
	/** Cursor to pass as `after` for the next page; `null` on the last. */
	readonly next: string | null;
}

/** Thread with its messages, as it is exported. */
export interface ThreadExport {
	readonly thread: Thread;
	readonly messages: readonly ThreadMessage[];
}

/** Place of a message in a thread: fields of requests that start a run or ask a question. */
export interface ThreadPlace {
	/** Thread that the message is appended to; the messages before it come from there. */
	readonly thread_id?: string;
	/** Answer that the message follows; `null` for the first of a new branch. Default: the newest message. */
	readonly parent_id?: string | null;
	/** Treatment where another message of the thread is being answered. Default `queue`: this one waits for its turn. */
	readonly if_active?: "queue" | "reject" | "interrupt";
}

/** Answer that is written again, beside the one that is there. */
export interface Regeneration {
	readonly thread_id: string;
	/** Id of the answer. */
	readonly regenerate_of: string;
	readonly if_active?: ThreadPlace["if_active"];
}

/** Thread and message that something was appended as; left out where there is no thread. */
export interface ThreadReference {
	readonly thread_id?: string;
	/** Id of the answer. */
	readonly message_id?: string;
}
