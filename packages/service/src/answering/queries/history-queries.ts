import type { SearchQuery } from "../../knowledge/repositories/passage-index";
import type { TextMessage } from "../ask-request";

/** Messages that count, from the last back: what a question refers to is near. */
const MAX_MESSAGES = 4;
/** Longer ones are answers that go on; what they are about is said first. */
const MAX_MESSAGE_CHARACTERS = 400;
/** Weight of the last question and its answer beside the question itself; that of each pair before is half of it. */
const LAST_TURN_WEIGHT = 0.8;
const TURN_FACTOR = 0.5;

/**
 * Queries for what was said before a question, in order that "and how did that end?" finds what it is about where no model
 * rewrites it. Weights were chosen on one half of 80 follow-up questions.
 */
export function toHistoryQueries(history: readonly TextMessage[] = []): readonly SearchQuery[] {
	const last = history.slice(-MAX_MESSAGES).toReversed();
	return last.map(({ role, content }, index) => {
		const turnsBack = last.slice(0, index + 1).filter((message) => message.role === "user").length;
		const turn = role === "user" ? turnsBack - 1 : turnsBack;
		return {
			text: content.slice(0, MAX_MESSAGE_CHARACTERS),
			weight: LAST_TURN_WEIGHT * TURN_FACTOR ** turn,
		};
	});
}
