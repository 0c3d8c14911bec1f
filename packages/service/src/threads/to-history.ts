import type { Json } from "@stemma/core";
import type { TextMessage } from "../answering/ask-request";
import type { StoredMessage } from "./stored-thread";
import { MAX_BRANCH_CHARACTERS } from "./thread-limits";

/**
 * Conversation that a model gets: the messages of a branch, oldest first. Answers without text, which failed or were
 * cancelled before they began, are left out. Where the branch is too long, its last messages count.
 */
export function toHistory(branch: readonly Pick<StoredMessage, "role" | "text">[]): readonly TextMessage[] {
	const history: TextMessage[] = [];
	let characters = 0;
	for (const { role, text } of branch.toReversed()) {
		characters += text.length;
		if (characters > MAX_BRANCH_CHARACTERS) break;
		if (text !== "") history.push({ role, content: text });
	}
	return history.reverse();
}

/** Input of a run that answers a question with what was said before. */
export const toRunInput = (question: string, history: readonly TextMessage[]): Json =>
	history.length === 0
		? question
		: {
				messages: [
					...history.map(({ role, content }) => ({ role, content })),
					{ role: "user", content: question },
				],
			};
