import type { Citation } from "@stemma/client";
import type { RunHandle } from "@stemma/react";

/** A question that has its answer. */
export interface Turn {
	readonly question: string;
	readonly text: string;
	readonly citations: readonly Citation[];
	/** False for half an answer: it was cancelled, or failed. */
	readonly isComplete: boolean;
}

/** What is left of the page after a reload. */
export interface Conversation {
	readonly turns: readonly Turn[];
	/** The last one; its answer is that of the run. */
	readonly question?: string;
	readonly handle?: RunHandle;
}

export const EMPTY: Conversation = { turns: [] };

const KEY = "conversation";

/** Of this tab: the handle lets one read the run, and goes when the tab is closed. */
export function loadConversation(): Conversation {
	const saved = sessionStorage.getItem(KEY);
	return saved === null ? EMPTY : JSON.parse(saved);
}

export const saveConversation = (conversation: Conversation): void =>
	sessionStorage.setItem(KEY, JSON.stringify(conversation));

/** What the agent is told: the conversation so far, without half answers, and the question. */
export const toInput = (turns: readonly Turn[], question: string) => ({
	messages: [
		...turns
			.filter(({ isComplete }) => isComplete)
			.flatMap((turn) => [
				{ role: "user", content: turn.question },
				{ role: "assistant", content: turn.text },
			]),
		{ role: "user", content: question },
	],
});
