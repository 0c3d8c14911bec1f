import type { PageRequest } from "../pagination";
import type { NewTurn } from "./new-turn";
import type { MessageOutcome, NewThread, StoredMessage, StoredThread } from "./stored-thread";

/** Filter and page for a list of threads. */
export interface ThreadListOptions extends PageRequest {
	/** Text in the title or in a message, in any case. */
	readonly query?: string | undefined;
	/** Id of the client, client key or user that created them. */
	readonly owner?: string | undefined;
	/** Ids of agents whose threads are left out. Default none. */
	readonly withoutAgents?: readonly string[];
}

/** Numbers of threads that are there. */
export interface ThreadCounts {
	readonly workspace: number;
	/** Threads of the owner of the new one. */
	readonly owner: number;
}

/** Changes to a thread; what is left out stays as it is. */
export type ThreadChange = Partial<Pick<StoredThread, "title" | "metadata">>;

/** Answer that is in progress, or waits for its turn. */
export type UnfinishedMessage = Pick<StoredMessage, "id" | "run_id">;

/** Page of a list of messages: those behind a message, in the order of the list. */
export type MessagePage = Partial<PageRequest>;

/** Conversation threads of one workspace, with their messages. */
export interface ThreadRepository {
	/** @param check - called with the numbers of threads where nobody else can write; what it throws adds nothing. */
	insert(thread: NewThread, check: (counts: ThreadCounts) => void): Promise<void>;
	find(id: string): Promise<StoredThread | undefined>;
	/** Lists threads, newest first; one more than `limit`, where there are more. */
	list(options: ThreadListOptions): Promise<readonly StoredThread[]>;
	/** Changes a thread; `undefined` where there is none. */
	update(id: string, change: ThreadChange, now: number): Promise<StoredThread | undefined>;
	/**
	 * Deletes a thread with its messages and their runs, in several transactions; the thread goes with the last of them.
	 *
	 * @returns `active` where a message is unfinished: nothing was deleted then.
	 */
	delete(id: string): Promise<"deleted" | "missing" | "active">;
	/**
	 * Appends a message and its answer, which is in progress, or queued behind those that are unfinished. Returns the id of
	 * the message that is answered: that of the same request, where it was sent before.
	 */
	appendTurn(turn: NewTurn): Promise<string>;
	/**
	 * Lists the messages of a thread, of all branches, in the order in which they were created.
	 *
	 * @param page - default all; with a limit, one more, where there are more.
	 */
	listMessages(threadId: string, page?: MessagePage): Promise<readonly StoredMessage[]>;
	/**
	 * Lists a message and its ancestors, root first; none where the thread has no such message.
	 *
	 * @param limit - default all; else the last ones.
	 * @param page - of these, as in `listMessages`.
	 */
	listBranch(
		threadId: string,
		messageId: string,
		limit?: number,
		page?: MessagePage,
	): Promise<readonly StoredMessage[]>;
	findMessage(threadId: string, messageId: string): Promise<StoredMessage | undefined>;
	/** Finds the message that a run answers. */
	findRunMessage(runId: string): Promise<Pick<StoredMessage, "id" | "thread_id"> | undefined>;
	/**
	 * Lists the unfinished answers of a thread, oldest first.
	 *
	 * @param beforeId - those alone that were created before this message.
	 */
	listUnfinished(threadId: string, beforeId?: string): Promise<readonly UnfinishedMessage[]>;
	/** Starts an answer that waited for its turn. Those of runs start with their runs. */
	startMessage(messageId: string): Promise<void>;
	/** Ends an answer, once: returns false where it has ended before, or is gone. Those of runs end with their runs. */
	endMessage(messageId: string, outcome: MessageOutcome, now: number): Promise<boolean>;
	/** Ends the answers without a run that the process before has left unfinished. */
	endInterrupted(outcome: MessageOutcome, now: number): Promise<void>;
}
