import { NO_ANSWER_MARK } from "../prompts/answer";

/** Reads the mark of a refusal out of an answer as it comes. */
export interface NoAnswerReader {
	/** Gives what can be shown of the next piece: without marks, and without what may become one. */
	push(text: string): string;
	/** Gives what was held back, at the end. */
	flush(): string;
	/** The text so far was not the answer. */
	reset(): void;
}

const MARK = new RegExp(`${NO_ANSWER_MARK.replace(/[[\]-]/g, "\\$&")}[\\t ]*\\n*`, "gi");
const MAX_HELD = NO_ANSWER_MARK.length + 8;

/** A text without marks of a refusal. */
export const removeNoAnswerMarks = (text: string): string => text.replace(MARK, "");

/** Quotes and signs of Markdown that models put around the mark. */
const DECORATION = /^[\s*_"'`>#]+/;

/**
 * Checks whether a model refused: its answer begins with the mark, or has it further on and cites nothing. A mark beside
 * citations is only taken out.
 */
export function isRefusal(text: string, hasCitations: boolean): boolean {
	const lower = text.toLowerCase();
	return (
		lower.replace(DECORATION, "").startsWith(NO_ANSWER_MARK) ||
		(!hasCitations && lower.includes(NO_ANSWER_MARK))
	);
}

export function createNoAnswerReader(): NoAnswerReader {
	let held = "";
	/** A mark was taken out, and the blanks behind it may still come. */
	let isBehindMark = false;
	function push(text: string): string {
		const all = held + text;
		const start = findOpenMark(all);
		held = all.slice(start);
		const shown = removeNoAnswerMarks(all.slice(0, start));
		const output = isBehindMark ? shown.trimStart() : shown;
		isBehindMark = (isBehindMark && output === "") || endsWithMark(all.slice(0, start));
		return output;
	}
	return {
		push,
		flush() {
			const rest = held;
			held = "";
			return rest;
		},
		reset() {
			held = "";
			isBehindMark = false;
		},
	};
}

const endsWithMark = (text: string): boolean => text.trimEnd().toLowerCase().endsWith(NO_ANSWER_MARK);

/** Start of the beginning of a mark that a text ends with. */
function findOpenMark(text: string): number {
	const start = text.lastIndexOf("[");
	const end = text.slice(start).toLowerCase();
	const isOpen =
		start !== -1 && end.length < MAX_HELD && NO_ANSWER_MARK.startsWith(end) && end !== NO_ANSWER_MARK;
	return isOpen ? start : text.length;
}
