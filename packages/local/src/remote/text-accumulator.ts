import type { AgentCallOptions } from "@stemma/engine";

/** Text of a call that its listener has received so far. */
export interface TextAccumulator {
	add(text: string): void;
	reset(): void;
	/** Tells whatever is missing for the text to be this one. */
	replaceWith(text: string): void;
}

export function createTextAccumulator({
	onText,
	onReset,
}: Pick<AgentCallOptions, "onText" | "onReset">): TextAccumulator {
	let emitted = "";

	function add(text: string): void {
		if (text === "") return;
		emitted += text;
		onText(text);
	}

	function reset(): void {
		if (emitted === "") return;
		emitted = "";
		onReset();
	}

	return {
		add,
		reset,
		replaceWith(text) {
			if (!text.startsWith(emitted)) reset();
			add(text.slice(emitted.length));
		},
	};
}
