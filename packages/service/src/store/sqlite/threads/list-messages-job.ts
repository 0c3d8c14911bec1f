import type { Selectable } from "kysely";
import type { MessagePage } from "../../../threads/thread-repository";
import type { JobFile } from "../../job-file";
import type { MessageRow } from "./thread-tables";

/** Messages of a thread to be listed. */
export interface MessageSelection {
	readonly threadId: string;
	/** Default all. */
	readonly page?: MessagePage | undefined;
}

/** Branch of a thread to be listed: a message and its ancestors. */
export interface BranchSelection extends MessageSelection {
	readonly messageId: string;
	/** Last messages of the branch. Default all. */
	readonly limit?: number | undefined;
}

/** Number of messages that is never reached. */
export const NO_LIMIT = 1_000_000_000;

/** Condition of a page: the messages behind one of the same thread. Takes the id of that message and of the thread. */
const IS_BEHIND = "number > (SELECT number FROM thread_messages WHERE id = ? AND thread_id = ?)";

/** Lists messages of a thread, in the order in which they were created. */
export function listThreadMessages(
	file: JobFile,
	{ threadId, page = {} }: MessageSelection,
): readonly Selectable<MessageRow>[] {
	const { condition, values } = toCondition(page, threadId);
	return file
		.prepare<Selectable<MessageRow>>(
			`SELECT * FROM thread_messages WHERE thread_id = ?${condition} ORDER BY number LIMIT ?`,
		)
		.all(threadId, ...values);
}

/** Condition of a page, and its values with the number of messages to be read. */
const toCondition = ({ after, limit }: MessagePage, threadId: string) => ({
	condition: after === undefined ? "" : ` AND ${IS_BEHIND}`,
	values: [...(after === undefined ? [] : [after, threadId]), limit === undefined ? NO_LIMIT : limit + 1],
});

/** Lists a message and its last ancestors, root first; none where the thread has no such message. */
export function listThreadBranch(
	file: JobFile,
	{ threadId, messageId, limit = NO_LIMIT, page = {} }: BranchSelection,
): readonly Selectable<MessageRow>[] {
	const { condition, values } = toCondition(page, threadId);
	return file
		.prepare<Selectable<MessageRow>>(
			`WITH RECURSIVE branch (number, parent_id, depth) AS (
				SELECT number, parent_id, 1 FROM thread_messages WHERE id = ? AND thread_id = ?
				UNION ALL
				SELECT parent.number, parent.parent_id, depth + 1
				FROM branch JOIN thread_messages AS parent ON parent.id = branch.parent_id
				WHERE parent.thread_id = ? AND parent.number < branch.number AND depth < ?
			)
			SELECT thread_messages.* FROM branch JOIN thread_messages USING (number)
			WHERE true${condition} ORDER BY number LIMIT ?`,
		)
		.all(messageId, threadId, threadId, limit, ...values);
}
