import type { ThreadMessage } from "@stemma/client";
import { toAnswerHandle } from "./answer-stream";
import { type ChatMessage, createMessage, isFinal, type ThreadDraft } from "./thread-state";

/**
 * Merges messages of the service into a thread, oldest first. A message that this page has sent and that has no id yet is
 * recognised: by the id of its answer, or by its place and its text.
 */
export function mergeMessages(draft: ThreadDraft, loaded: readonly ThreadMessage[]): void {
	identifyQuestions(draft, loaded);
	const keys = new Map<string, string>();
	for (const { id, key } of draft.messages.values()) if (id !== undefined) keys.set(id, key);
	const unsent = [...draft.messages.values()].filter(({ id }) => id === undefined);
	for (const message of loaded) {
		const parentKey = message.parent_id === null ? null : (keys.get(message.parent_id) ?? message.parent_id);
		const key = keys.get(message.id) ?? takeMatching(unsent, message, parentKey) ?? message.id;
		keys.set(message.id, key);
		const stored = toChatMessage(message, key, parentKey);
		draft.messages.set(key, mergeMessage(draft.messages.get(key), stored));
	}
}

/** Gives a message its id. Another message with this id was the same one: what follows it now follows this one. */
export function identifyMessage(draft: ThreadDraft, key: string, id: string): void {
	const message = draft.messages.get(key);
	if (message === undefined || message.id === id) return;
	draft.messages.set(key, { ...message, id });
	for (const other of draft.messages.values())
		if (other.id === id && other.key !== key) replaceMessage(draft, other, message);
}

function replaceMessage(draft: ThreadDraft, old: ChatMessage, message: ChatMessage): void {
	draft.messages.delete(old.key);
	draft.selected.delete(old.key);
	for (const child of draft.messages.values())
		if (child.parentKey === old.key) draft.messages.set(child.key, { ...child, parentKey: message.key });
	if (draft.selected.get(old.parentKey) === old.key) draft.selected.set(message.parentKey, message.key);
	const isOtherParent = message.parentKey !== null && message.parentKey !== old.parentKey;
	const parent = draft.messages.get(old.parentKey ?? "");
	if (isOtherParent && parent?.id !== undefined) identifyMessage(draft, message.parentKey ?? "", parent.id);
}

/** Gives sent questions the ids that their answers name. */
function identifyQuestions(draft: ThreadDraft, loaded: readonly ThreadMessage[]): void {
	const byId = new Map([...draft.messages.values()].map((message) => [message.id, message]));
	for (const { id, parent_id } of loaded) {
		const question = draft.messages.get(byId.get(id)?.parentKey ?? "");
		if (parent_id !== null && question !== undefined && question.id === undefined)
			identifyMessage(draft, question.key, parent_id);
	}
}

/** Takes the sent message that a loaded one is, if there is one, out of a list. */
function takeMatching(
	unsent: ChatMessage[],
	{ role, text }: ThreadMessage,
	parentKey: string | null,
): string | undefined {
	const index = unsent.findIndex(
		(message) =>
			message.parentKey === parentKey &&
			message.role === role &&
			(role === "assistant" || message.text === text),
	);
	return index < 0 ? undefined : unsent.splice(index, 1)[0]?.key;
}

/** An answer that this page reads is ahead of what was stored, until that is final. */
function mergeMessage(shown: ChatMessage | undefined, stored: ChatMessage): ChatMessage {
	if (shown === undefined) return stored;
	const { key, parentKey, run = stored.run, answer = stored.answer, rating } = shown;
	const isAhead = shown.id !== undefined && !isFinal(stored.status) && shown.status !== "sending";
	const isIdle = shown.status === "queued" || shown.status === "waiting";
	if (isAhead) return { ...shown, run, status: isIdle ? stored.status : shown.status };
	const receipt = stored.receipt.length > 0 ? stored.receipt : shown.receipt;
	// Of an answer that was stopped, the page may have more.
	const text = stored.text === "" ? shown.text : stored.text;
	return { ...stored, key, parentKey, text, run, answer, rating, receipt };
}

function toChatMessage(message: ThreadMessage, key: string, parentKey: string | null): ChatMessage {
	const { id, role, text, status, run_id, run_token, citations, receipt, error } = message;
	return createMessage({
		...{ key, id, parentKey, role, text, status, error, answer: toAnswerHandle(message) },
		...(citations && { citations }),
		...(receipt && { receipt }),
		...(run_id !== undefined && { run: { run_id, run_token } }),
	});
}
