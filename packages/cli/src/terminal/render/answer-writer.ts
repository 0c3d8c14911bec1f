import type { Terminal } from "../terminal";
import { createVisibleStream } from "../text/visible-stream";

/** Writes an answer as it comes in. */
export interface AnswerWriter {
	write(text: string): void;
	/** Ends the line, if one was begun: what follows is something else. */
	endLine(): void;
}

export function createAnswerWriter({ stdout }: Pick<Terminal, "stdout">): AnswerWriter {
	let isLineOpen = false;
	const visible = createVisibleStream();
	const print = (text: string): void => {
		if (text === "") return;
		stdout.write(text);
		isLineOpen = !text.endsWith("\n");
	};
	return {
		write: (text) => print(visible.add(text)),
		endLine() {
			print(visible.end());
			if (isLineOpen) stdout.write("\n");
			isLineOpen = false;
		},
	};
}
