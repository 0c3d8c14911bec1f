import type { Answer, AskEvent, Citation, FoundPassage, ReceiptRow, StemmaError } from "@stemma/client";
import { toStemmaError } from "./to-stemma-error";

/** One question and its answer as they are now. */
export interface AskState {
	/** `idle` before a question; `running` from the question on, before the service has answered, too. */
	readonly status: "idle" | "running" | "completed" | "failed" | "cancelled";
	/** The answer so far, and at last the whole of it. Stays after a cancel. */
	readonly text: string;
	/** All that was found for the question, best first; there before the text. */
	readonly passages: readonly FoundPassage[];
	/** The sources of the answer, once it is complete. */
	readonly citations: readonly Citation[];
	/** Receipt: what was paid and by whom, once the answer is complete; empty for client keys. */
	readonly receipt: readonly ReceiptRow[];
	/** The whole answer, once it is complete. Where `refused` is set, no passage that was found fits the question. */
	readonly answer: Answer | undefined;
	/** Error of a question whose `status` is `failed`: `code` to branch on, `message` and `hint` to show. */
	readonly error: StemmaError | undefined;
}

const NONE: readonly never[] = [];

export const IDLE_ASK: AskState = {
	status: "idle",
	text: "",
	passages: NONE,
	citations: NONE,
	receipt: NONE,
	answer: undefined,
	error: undefined,
};

export const reduceAsk = (state: AskState, events: readonly AskEvent[]): AskState =>
	events.reduce(reduceOne, state);

function reduceOne(state: AskState, event: AskEvent): AskState {
	switch (event.type) {
		case "ask.passages":
			return { ...state, passages: event.passages };
		case "text.delta":
			return { ...state, text: state.text + event.text };
		case "text.reset":
			return { ...state, text: "" };
		default:
			return state;
	}
}

export function endAsk(state: AskState, answer: Answer): AskState {
	const { answer: text, passages, citations, receipt } = answer;
	return { ...state, status: "completed", text, passages, citations, receipt, answer };
}

export const failAsk = (state: AskState, error: unknown): AskState => ({
	...state,
	status: "failed",
	error: toStemmaError(error),
});
