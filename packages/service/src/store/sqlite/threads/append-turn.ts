import type { Kysely } from "kysely";
import type { NewTurn, TurnFacts } from "../../../threads/new-turn";
import type { WorkspaceTables } from "../../workspace-tables";
import type { MessageRow } from "./thread-tables";

type Transaction = Kysely<WorkspaceTables>;

/** Appends a message and its answer to a thread, in the transaction that stores what answers it. */
export async function appendTurn(transaction: Transaction, turn: NewTurn): Promise<void> {
	const { threadId, question, answerId, runId, at } = turn;
	const parentId = await resolveParent(transaction, turn);
	const facts = await readFacts(transaction, threadId, parentId);
	turn.assertAllowed(facts);
	const base = { thread_id: threadId, ...NO_OUTCOME, created_at: at };
	if (question.kind === "new")
		await insertMessage(transaction, {
			...base,
			id: question.id,
			parent_id: parentId,
			role: "user",
			text: question.text,
			status: "completed",
			run_id: null,
			ended_at: at,
		});
	await insertMessage(transaction, {
		...base,
		id: answerId,
		parent_id: question.id,
		role: "assistant",
		text: "",
		status: facts.unfinished > 0 ? "queued" : "in_progress",
		run_id: runId,
		ended_at: null,
	});
	await updateThread(transaction, turn);
}

const NO_OUTCOME = { citations: null, refused: null, receipt: null, error: null } as const;

type NewMessage = Omit<MessageRow, "number">;

const insertMessage = async (transaction: Transaction, message: NewMessage): Promise<void> => {
	await transaction.insertInto("thread_messages").values(message).execute();
};

/** Finds the parent of a new question, or the question that is answered again. */
async function resolveParent(
	transaction: Transaction,
	{ threadId, question }: NewTurn,
): Promise<string | null> {
	if (question.kind === "stored") return question.id;
	if (question.parentId !== undefined) return question.parentId;
	const newest = await transaction
		.selectFrom("thread_messages")
		.select("id")
		.where("thread_id", "=", threadId)
		.orderBy("number", "desc")
		.limit(1)
		.executeTakeFirst();
	return newest?.id ?? null;
}

async function readFacts(
	transaction: Transaction,
	threadId: string,
	parentId: string | null,
): Promise<TurnFacts> {
	const thread = await transaction
		.selectFrom("threads")
		.select(["message_count", "characters"])
		.where("id", "=", threadId)
		.executeTakeFirst();
	const parent =
		parentId === null
			? undefined
			: await transaction
					.selectFrom("thread_messages")
					.select(["id", "role"])
					.where("id", "=", parentId)
					.where("thread_id", "=", threadId)
					.executeTakeFirst();
	const { unfinished } = await transaction
		.selectFrom("thread_messages")
		.select(({ fn }) => fn.countAll<number>().as("unfinished"))
		.where("thread_id", "=", threadId)
		.where("ended_at", "is", null)
		.executeTakeFirstOrThrow();
	return { thread, parent, unfinished };
}

async function updateThread(transaction: Transaction, { threadId, question, at }: NewTurn): Promise<void> {
	const isNew = question.kind === "new";
	await transaction
		.updateTable("threads")
		.set(({ eb, fn, val }) => ({
			message_count: eb("message_count", "+", isNew ? 2 : 1),
			updated_at: at,
			...(isNew && {
				characters: eb("characters", "+", question.text.length),
				title: fn.coalesce("title", val(question.title)),
			}),
		}))
		.where("id", "=", threadId)
		.execute();
}
