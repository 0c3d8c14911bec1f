import type { Citation, ReceiptRow } from "@stemma/core";
import type { Generated } from "kysely";
import type { MessageError, StoredMessage, StoredThread } from "../../../threads/stored-thread";
import type { JsonColumn } from "../../json-column";

/** Thread in its table. */
export interface ThreadRow extends Omit<StoredThread, "metadata" | "active_run_id"> {
	readonly metadata: JsonColumn<StoredThread["metadata"]>;
}

/** Message in its table. */
export interface MessageRow extends Omit<StoredMessage, "citations" | "receipt" | "error"> {
	/** Order of creation in its thread. */
	readonly number: Generated<number>;
	readonly citations: JsonColumn<readonly Citation[]> | null;
	readonly receipt: JsonColumn<readonly ReceiptRow[]> | null;
	readonly error: JsonColumn<MessageError> | null;
	/** Null while the message is being answered, or waits for it. */
	readonly ended_at: number | null;
}

/** Tables of a workspace's threads. Times are epoch milliseconds, JSON is text. */
export interface ThreadTables {
	threads: ThreadRow;
	thread_messages: MessageRow;
}

/** A message has no foreign key to its run: runs may be deleted before. */
export const threadTablesSql = `
CREATE TABLE threads (
	id TEXT PRIMARY KEY,
	title TEXT,
	metadata TEXT NOT NULL,
	owner_kind TEXT NOT NULL,
	owner_id TEXT NOT NULL,
	agent_id TEXT,
	message_count INTEGER NOT NULL,
	characters INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX threads_by_owner ON threads (owner_id, id);
CREATE INDEX threads_by_update ON threads (updated_at);
CREATE TABLE thread_messages (
	number INTEGER PRIMARY KEY,
	id TEXT NOT NULL UNIQUE,
	thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
	parent_id TEXT,
	role TEXT NOT NULL,
	text TEXT NOT NULL,
	status TEXT NOT NULL,
	run_id TEXT,
	citations TEXT,
	refused TEXT,
	receipt TEXT,
	error TEXT,
	created_at INTEGER NOT NULL,
	ended_at INTEGER
) STRICT;
CREATE INDEX thread_messages_by_thread ON thread_messages (thread_id, number);
CREATE UNIQUE INDEX thread_messages_by_run ON thread_messages (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX thread_messages_unfinished ON thread_messages (thread_id, number) WHERE ended_at IS NULL;
`;

/** Stored answers that messages are. Answers may be deleted before. */
export const messageAnswersSql = "ALTER TABLE thread_messages ADD COLUMN answer_id TEXT;";
