import type { ChatRequest } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import { type CallerReceipts, createCallerReceipts } from "../answering/caller-receipts";
import { TITLE_PROMPT } from "../answering/prompts/title";
import { DomainError } from "../errors/domain-error";
import { meterModel } from "../models/metering/metered-model";
import { toModelRequest } from "../models/model-request";
import type { RequestScope } from "../request-scope";
import { firstWords } from "./first-words";
import type { StoredMessage } from "./stored-thread";
import { MAX_THREAD_TITLE_CHARACTERS } from "./thread-limits";

/** Messages that a title is made of, the first ones; the others are not read. Characters of each. */
const MESSAGES = 6;
const MESSAGE_CHARACTERS = 1_000;

/**
 * Makes a title of a thread with the model that answers for the caller, at the caller's cost. Without a model, and
 * where it fails, the first words of the first message are the title.
 *
 * @returns `null` where there are no messages.
 */
export async function generateTitle(scope: RequestScope, threadId: string): Promise<string | null> {
	const listed = await scope.workspace.store.threads.listMessages(threadId, { limit: MESSAGES });
	const messages = listed.slice(0, MESSAGES);
	const [first] = messages;
	if (first === undefined) return null;
	const receipts = createCallerReceipts(scope);
	const written = await askModel(scope, receipts, messages).catch(receipts.rejectForCaller);
	await receipts.waitUntilWritten();
	const title = readTitle(written ?? "");
	return title === "" ? firstWords(first.text) : title;
}

/** The text that the model wrote; none where there is no model for the caller, or where it fails. */
async function askModel(
	scope: RequestScope,
	{ meter }: CallerReceipts,
	messages: readonly StoredMessage[],
): Promise<string | undefined> {
	const { models } = scope.kernel;
	const request = await toModelRequest(scope, []);
	const [row] = models.plan(["answer"], request);
	if (row === undefined || row.payer === "none") return undefined;
	const model = meterModel(models.resolve(request), meter, "answer", TITLE_PROMPT);
	try {
		return (await model.generate(toRequest(messages), { signal: scope.signal })).text;
	} catch (error) {
		if (scope.signal.aborted || !isStemmaError(error) || error instanceof DomainError) throw error;
		return undefined;
	}
}

function toRequest(messages: readonly StoredMessage[]): ChatRequest {
	const conversation = messages.map(({ role, text }) => ({
		role,
		content: text.slice(0, MESSAGE_CHARACTERS),
	}));
	// Marks of chat templates, `<|im_end|>` and such, are none then.
	const content = JSON.stringify({ conversation }).replaceAll("<", "\\u003c");
	return { system: TITLE_PROMPT.text, messages: [{ role: "user", content }] };
}

/** One line, without what models put around it all the same: thoughts, quotes, a full stop. */
const readTitle = (text: string): string =>
	firstWords(
		(
			text
				.replace(/^[\s\S]*<\/think>/, "")
				.trim()
				.split("\n")[0] ?? ""
		)
			.replace(/^(?:title:\s*)?["'`“#*\s]+|["'`”*.\s]+$/gi, "")
			.trim(),
		MAX_THREAD_TITLE_CHARACTERS - 1,
	);
