import type { AgentCallOptions } from "@stemma/engine";

/** What the listener of a call was told of its text. */
export interface TextSoFar {
	add(text: string): void;
	reset(): void;
	/** Tells whatever is missing for the text to be this one. */
	become(text: string): void;
}

export function createTextSoFar({
	onText,
	onReset,
}: Pick<AgentCallOptions, "onText" | "onReset">): TextSoFar {
	let told = "";

	function add(text: string): void {
		if (text === "") return;
		told += text;
		onText(text);
	}

	function reset(): void {
		if (told === "") return;
		told = "";
		onReset();
	}

	return {
		add,
		reset,
		become(text) {
			if (!text.startsWith(told)) reset();
			add(text.slice(told.length));
		},
	};
}
