import { createInstructionReader } from "./instruction-reader";
import { createNoAnswerReader } from "./no-answer-reader";

/** Reads the text of a model as it comes, and gives what a user sees of it. */
export interface AnswerReader {
	push(text: string): string;
	/** Gives what was held back, at the end. */
	flush(): string;
	/** The text so far was not the answer. */
	reset(): void;
}

/** Creates a reader that takes out marks of a refusal and repeated instructions. */
export function createAnswerReader(): AnswerReader {
	const marks = createNoAnswerReader();
	const instructions = createInstructionReader();
	return {
		push: (text) => instructions.push(marks.push(text)),
		flush: () => instructions.push(marks.flush()) + instructions.flush(),
		reset() {
			marks.reset();
			instructions.reset();
		},
	};
}
