import type { Selectable } from "kysely";
import type { JobFile } from "../../job-file";
import type { MessageRow } from "./thread-tables";

/** Messages of a thread to be listed. */
export interface MessageSelection {
	readonly threadId: string;
	/** Default all. */
	readonly limit?: number | undefined;
}

/** Branch of a thread to be listed: a message and its ancestors. */
export interface BranchSelection extends MessageSelection {
	readonly messageId: string;
}

/** Number of messages that is never reached. */
const NO_LIMIT = 1_000_000_000;

/** Lists the first messages of a thread, in the order in which they were created. */
export const listThreadMessages = (
	file: JobFile,
	{ threadId, limit = NO_LIMIT }: MessageSelection,
): readonly Selectable<MessageRow>[] =>
	file
		.prepare<Selectable<MessageRow>>(
			"SELECT * FROM thread_messages WHERE thread_id = ? ORDER BY number LIMIT ?",
		)
		.all(threadId, limit);

/** Lists a message and its last ancestors, root first; none where the thread has no such message. */
export const listThreadBranch = (
	file: JobFile,
	{ threadId, messageId, limit = NO_LIMIT }: BranchSelection,
): readonly Selectable<MessageRow>[] =>
	file
		.prepare<Selectable<MessageRow>>(
			`WITH RECURSIVE branch (number, parent_id, depth) AS (
				SELECT number, parent_id, 1 FROM thread_messages WHERE id = ? AND thread_id = ?
				UNION ALL
				SELECT parent.number, parent.parent_id, depth + 1
				FROM branch JOIN thread_messages AS parent ON parent.id = branch.parent_id
				WHERE parent.thread_id = ? AND parent.number < branch.number AND depth < ?
			)
			SELECT thread_messages.* FROM branch JOIN thread_messages USING (number) ORDER BY number`,
		)
		.all(messageId, threadId, threadId, limit);
