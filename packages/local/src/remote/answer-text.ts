import type { AgentCallOptions } from "@stemma/engine";
import { type A2aAnswer, type TextChange, writeText } from "./a2a-answer";
import { createTextSoFar } from "./text-so-far";

/** Text of an answer, reported to the listener of a call as it changes. */
export interface AnswerText {
	update(change: TextChange): void;
	/** Reports what was left for later. */
	end(): void;
}

/** Characters that may be written again for each character that came, and at least. */
const REWRITTEN_PER_CHARACTER = 8;
const MIN_REWRITTEN = 100_000;

/**
 * A change other than more text at the end takes the whole text to be written again. An agent that makes many of them would
 * cost the square of its text: beyond a share of what came, they wait for later changes, or for the end.
 */
export function createAnswerText(
	answer: A2aAnswer,
	listener: Pick<AgentCallOptions, "onText" | "onReset">,
): AnswerText {
	const text = createTextSoFar(listener);
	let rewritten = 0;
	let isStale = false;

	function rewrite(): void {
		rewritten += answer.received;
		isStale = false;
		text.become(writeText(answer));
	}

	return {
		update(change) {
			if (change === "changed") isStale = true;
			else if (!isStale) text.add(change.added);
			if (isStale && rewritten <= MIN_REWRITTEN + REWRITTEN_PER_CHARACTER * answer.received) rewrite();
		},
		end() {
			if (isStale) rewrite();
		},
	};
}
