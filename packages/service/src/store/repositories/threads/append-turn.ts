import type { Kysely } from "kysely";
import type { NewTurn, TurnFacts } from "../../../threads/new-turn";
import type { MessageRow } from "../../sqlite/threads/thread-tables";
import type { WorkspaceTables } from "../../workspace-tables";
import { findRequest, replaceRecord } from "../idempotency-repository";

type Transaction = Kysely<WorkspaceTables>;

/**
 * Appends a message and its answer to a thread, in the transaction that stores what answers it. Returns the id of the
 * message that is answered.
 */
export async function appendTurn(transaction: Transaction, turn: NewTurn): Promise<string> {
	const { threadId, answerId, runId, at } = turn;
	const question = await resolveQuestion(transaction, turn);
	const parentId = await resolveParent(transaction, threadId, question);
	const facts = await readFacts(transaction, threadId, parentId);
	turn.assertAllowed(facts, question);
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
	await updateThread(transaction, { threadId, question, at });
	return question.id;
}

/** Finds the question that the same request has appended before; else notes the request with its question. */
async function resolveQuestion(
	transaction: Transaction,
	{ threadId, question, request, at }: NewTurn,
): Promise<NewTurn["question"]> {
	if (question.kind === "stored" || request === undefined) return question;
	const record = request.toRecord(question.id);
	const stored = await findRequest(transaction, record, at);
	if (stored !== undefined) request.assertSame(stored);
	const appendedId = stored?.reference && (await findQuestionId(transaction, threadId, stored.reference));
	if (appendedId) return { kind: "stored", id: appendedId };
	await replaceRecord(transaction, record);
	return question;
}

/** Finds the question that a message is, or that it answers. */
async function findQuestionId(
	transaction: Transaction,
	threadId: string,
	messageId: string,
): Promise<string | undefined> {
	const question = await transaction
		.selectFrom("thread_messages")
		.select("id")
		.where("thread_id", "=", threadId)
		.where("role", "=", "user")
		.where(({ eb, or, selectFrom }) =>
			or([
				eb("id", "=", messageId),
				eb(
					"id",
					"=",
					selectFrom("thread_messages as answer")
						.select("answer.parent_id")
						.where("answer.id", "=", messageId),
				),
			]),
		)
		.executeTakeFirst();
	return question?.id;
}

const NO_OUTCOME = { citations: null, refused: null, receipt: null, error: null, answer_id: null } as const;

type NewMessage = Omit<MessageRow, "number">;

const insertMessage = async (transaction: Transaction, message: NewMessage): Promise<void> => {
	await transaction.insertInto("thread_messages").values(message).execute();
};

/** Finds the parent of a new question, or the question that is answered again. */
async function resolveParent(
	transaction: Transaction,
	threadId: string,
	question: NewTurn["question"],
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
	const parent = parentId === null ? undefined : await findMessage(transaction, threadId, parentId);
	const unfinished = await transaction
		.selectFrom("thread_messages")
		.select(({ fn }) => [
			fn.countAll<number>().as("unfinished"),
			fn.count<number>("run_id").as("unfinishedRuns"),
		])
		.where("thread_id", "=", threadId)
		.where("ended_at", "is", null)
		.executeTakeFirstOrThrow();
	return { thread, parent, ...unfinished };
}

const findMessage = (transaction: Transaction, threadId: string, id: string) =>
	transaction
		.selectFrom("thread_messages")
		.select(["id", "role"])
		.where("id", "=", id)
		.where("thread_id", "=", threadId)
		.executeTakeFirst();

async function updateThread(
	transaction: Transaction,
	{ threadId, question, at }: Pick<NewTurn, "threadId" | "question" | "at">,
): Promise<void> {
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
