import type { Kysely } from "kysely";
import type { FeedbackRepository, StoredFeedback } from "../../../feedback/feedback-repository";
import type { Database } from "../../database";
import { parseColumn } from "../../json-column";
import type { FeedbackRow } from "../../sqlite/feedback/list-feedback-job";
import type { WorkspaceTables } from "../../workspace-tables";

/** Feedback of a workspace. */
export const createFeedbackRepository = ({
	read,
	readJob,
	write,
}: Pick<Database<WorkspaceTables>, "read" | "readJob" | "write">): FeedbackRepository => ({
	async put(feedback) {
		const row = toRow(feedback);
		const { rating, comment, tags, updated_at, content } = row;
		const change = { rating, comment, tags, updated_at, content };
		const stored = await write
			.insertInto("feedback")
			.values(({ selectFrom }) => ({
				...row,
				limits: selectFrom("runs").select("limits").where("id", "=", row.subject),
			}))
			.onConflict((conflict) => conflict.columns(["subject", "sent_by"]).doUpdateSet(change))
			.returning(["id", "created_at"])
			.executeTakeFirstOrThrow();
		return { ...feedback, ...stored };
	},
	async delete(subject, sentBy) {
		const deleted = await write
			.deleteFrom("feedback")
			.where("subject", "=", subject)
			.where("sent_by", "=", sentBy)
			.returning("id")
			.executeTakeFirst();
		return deleted?.id;
	},
	list: async (selection) => (await readJob("listFeedback", selection)).map(toStoredFeedback),
	insertAnswer: ({ content, ...answer }, messageId) =>
		write.transaction().execute(async (transaction) => {
			if (messageId !== undefined && !(await linkMessage(transaction, messageId, answer.id))) return;
			await transaction
				.insertInto("answers")
				.values({ ...answer, content: JSON.stringify(content) })
				.execute();
		}),
	async findAnswer(id) {
		const row = await read
			.selectFrom("answers")
			.select(["id", "asked_by", "created_at", "content"])
			.where("id", "=", id)
			.executeTakeFirst();
		return row && { ...row, content: parseColumn(row.content) };
	},
	async listAnswers(askedBy, { limit, after }) {
		const rows = await read
			.selectFrom("answers")
			.select(["id", "asked_by", "created_at", "content"])
			.where("asked_by", "=", askedBy)
			.$if(after !== undefined, (query) => query.where("id", "<", after ?? ""))
			.orderBy("id", "desc")
			.limit(limit + 1)
			.execute();
		return rows.map((row) => ({ ...row, content: parseColumn(row.content) }));
	},
});

/** Notes at a message of a thread that it is a stored answer. Returns false where the message is gone. */
async function linkMessage(
	transaction: Kysely<WorkspaceTables>,
	messageId: string,
	answer_id: string,
): Promise<boolean> {
	const { numUpdatedRows } = await transaction
		.updateTable("thread_messages")
		.set({ answer_id })
		.where("id", "=", messageId)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

const toRow = ({ tags, content, ...feedback }: StoredFeedback): FeedbackRow => ({
	...feedback,
	tags: JSON.stringify(tags),
	content: JSON.stringify(content),
});

const toStoredFeedback = ({ tags, content, ...row }: FeedbackRow): StoredFeedback => ({
	...row,
	tags: parseColumn(tags),
	content: parseColumn(content),
});
