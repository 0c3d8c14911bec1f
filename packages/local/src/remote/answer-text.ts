import type { AgentCallOptions } from "@stemma/engine";
import { type A2aAnswer, type TextChange, toText } from "./a2a-answer";
import { createTextAccumulator } from "./text-accumulator";

/** Text of an answer, reported to the listener of a call as it changes. */
export interface AnswerText {
	update(change: TextChange): void;
	/** Reports what was left for later. */
	end(): void;
}

/** Characters that may be written again for each character that came, and at least. */
const MAX_REWRITES_PER_CHARACTER = 8;
const MIN_REWRITE_BUDGET = 100_000;

/**
 * Creates the text of an answer. Every change other than added text writes the whole text again, so many of them would cost
 * the square of the text. Beyond a share of what was received, they wait for later changes, or for the end.
 */
export function createAnswerText(
	answer: A2aAnswer,
	listener: Pick<AgentCallOptions, "onText" | "onReset">,
): AnswerText {
	const text = createTextAccumulator(listener);
	let rewritten = 0;
	let isStale = false;

	function rewrite(): void {
		rewritten += answer.received;
		isStale = false;
		text.replaceWith(toText(answer));
	}

	return {
		update(change) {
			if (change === "changed") isStale = true;
			else if (!isStale) text.add(change.added);
			if (isStale && rewritten <= MIN_REWRITE_BUDGET + MAX_REWRITES_PER_CHARACTER * answer.received)
				rewrite();
		},
		end() {
			if (isStale) rewrite();
		},
	};
}
