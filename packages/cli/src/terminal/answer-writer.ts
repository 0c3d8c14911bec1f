import { type Terminal, withoutControls } from "./terminal";

/** Writes an answer as it comes in. */
export interface AnswerWriter {
	write(text: string): void;
	/** Ends the line, if one was begun: what follows is something else. */
	endLine(): void;
}

export function createAnswerWriter({ stdout }: Pick<Terminal, "stdout">): AnswerWriter {
	let isLineBegun = false;
	return {
		write(text) {
			const clean = withoutControls(text);
			if (clean === "") return;
			stdout.write(clean);
			isLineBegun = !clean.endsWith("\n");
		},
		endLine() {
			if (isLineBegun) stdout.write("\n");
			isLineBegun = false;
		},
	};
}
