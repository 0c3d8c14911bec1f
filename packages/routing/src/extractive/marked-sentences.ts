import { splitSentences } from "./split-sentences";

/** Sentence that another agent wrote and backed with citation marks. */
export interface MarkedSentence {
	/** Text without its citation marks and the quotation marks around it. */
	readonly text: string;
	/** `[3]`, or several of them. */
	readonly marks: string;
	/** True where the sentence was given as a quotation. */
	readonly isQuotation: boolean;
}

const MARK = /\[(\d{1,6}(?:\s*[,;]\s*\d{1,6})*)\]/g;
const QUOTATION = /^\s*"(.+)"\s*((?:\[\d{1,6}\]\s*)+)$/;
const MAX_LENGTH = 200_000;
/** A mark with the blanks before it, or blanks alone: a search for marks would begin anew at each of many blanks. */
const BLANKS_AND_MARK = /(?:\s+|(?=\[))(\[\d[\d\s,;]*\])?/g;

/** The sentences of a text that carry citation marks, in order. Questions carry none. */
export function readMarkedSentences(text: string): MarkedSentence[] {
	return text.slice(0, MAX_LENGTH).split("\n").flatMap(readLine);
}

function readLine(line: string): MarkedSentence[] {
	const [, quotation, marks] = QUOTATION.exec(line) ?? [];
	if (quotation !== undefined && marks !== undefined && !/"\s*\[\d/.test(quotation))
		return [{ text: quotation, marks: marks.replace(/\s/g, ""), isQuotation: true }];
	return withTrailingMarks(line).flatMap((sentence) => {
		const marks = [...sentence.matchAll(MARK)].map(([mark]) => mark).join("");
		const text = sentence.replace(BLANKS_AND_MARK, (blanks, mark) => (mark ? "" : blanks)).trim();
		if (marks === "" || text === "" || /[?？]$/.test(text)) return [];
		return [{ text, marks, isQuotation: false }];
	});
}

/** Marks behind a full stop belong to the sentence before them. */
function withTrailingMarks(line: string): string[] {
	const sentences: string[] = [];
	for (const { start, end } of splitSentences(line)) {
		const sentence = line.slice(start, end);
		const [leading = ""] = /^(?:\[\d{1,6}(?:\s*[,;]\s*\d{1,6})*\]\s*)+/.exec(sentence) ?? [];
		if (leading !== "" && sentences.length > 0) sentences[sentences.length - 1] += ` ${leading.trim()}`;
		const rest = sentences.length > 0 ? sentence.slice(leading.length) : sentence;
		if (rest !== "") sentences.push(rest);
	}
	return sentences;
}
