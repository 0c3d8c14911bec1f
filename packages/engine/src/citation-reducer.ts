import type { Citation } from "@stemma/core";
import { isSupported } from "./citation-support";
import type { RetrievedPassage } from "./ports";

/** Turns text with run-wide citation numbers into text with the answer's own, as it streams. */
export interface CitationReducer {
	/** The part of the answer that can be sent now. An open `[` is held back until it is clear what it is. */
	push(text: string): string;
	/** What was held back, at the end of the text. */
	flush(): string;
	/** Nothing was given out and nothing is held back. */
	readonly isUntouched: boolean;
	/** All that was given out so far. */
	readonly text: string;
	/** The passages cited so far, numbered from 1 by first appearance. */
	readonly citations: readonly Citation[];
}

/** A finished mark with the blanks before it, or what tells code from prose. */
const TOKEN = /(?<![\t ])([\t ]*)\[\s*(\d{1,6}(?:\s*[,;]\s*\d{1,6})*)\s*\]|`+|\n/g;
const LONGEST_MARK = 64;
const SENTENCE_END = /[.!?](?=\s)|[。！？]|\n/g;
const LONGEST_SENTENCE = 1000;

/**
 * Numbers are mapped to 1..k by first appearance; marks with unknown numbers are dropped, with the blanks before them.
 * Marks in code (between backticks) are left alone, and so is all text while nothing was retrieved. Text that was given
 * out is never changed.
 *
 * @param passageAt - the passage with that run-wide number.
 */
export function createCitationReducer(
	passageAt: (number: number) => RetrievedPassage | undefined,
	hasPassages: () => boolean,
): CitationReducer {
	let held = "";
	let given = "";
	let code = "";
	const numbers = new Map<number, number>();
	const citations: Citation[] = [];

	function cite(number: number, passage: RetrievedPassage): string {
		const n = numbers.get(number) ?? citations.length + 1;
		numbers.set(number, n);
		const supported =
			citations[n - 1]?.support === "supported" || isSupported(lastSentence(given), passage.text);
		const { passage_id, document_id, title, place, text } = passage;
		const support = supported ? "supported" : "weak";
		citations[n - 1] = { n, passage_id, document_id, title, place, text, support };
		return `[${n}]`;
	}

	function replaceMark(blanks: string, list: string): string {
		const cited = list.split(/[,;]/).flatMap((part) => {
			const passage = passageAt(Number(part));
			return passage === undefined ? [] : [cite(Number(part), passage)];
		});
		return cited.length === 0 ? "" : blanks + cited.join("");
	}

	/** Backticks open code, and as many of them close it; inline code ends with its line at the latest. */
	function trackCode(token: string): void {
		if (token === "\n") code = code.length >= 3 ? code : "";
		else if (code === "") code = token;
		else if (code === token) code = "";
	}

	function process(text: string): string {
		const start = given.length;
		let from = 0;
		for (const { 0: token, 1: blanks, 2: list, index } of text.matchAll(TOKEN)) {
			given += text.slice(from, index);
			from = index + token.length;
			if (list === undefined) trackCode(token);
			given += list === undefined || code !== "" ? token : replaceMark(blanks ?? "", list);
		}
		given += text.slice(from);
		return given.slice(start);
	}

	function push(text: string): string {
		if (!hasPassages()) {
			given += text;
			return text;
		}
		const all = held + text;
		const end = findUnfinished(all);
		held = all.slice(end);
		return process(all.slice(0, end));
	}

	return {
		push,
		flush() {
			const rest = held;
			held = "";
			return process(rest);
		},
		get isUntouched() {
			return given === "" && held === "";
		},
		get text() {
			return given;
		},
		get citations() {
			return citations;
		},
	};
}

/** Where the end of the text begins that may still become a mark, or a run of backticks. */
function findUnfinished(text: string): number {
	const bracket = text.lastIndexOf("[");
	const open =
		bracket !== -1 && text.length - bracket < LONGEST_MARK && /^\[[\d\s,;]*$/.test(text.slice(bracket));
	let end = open ? bracket : text.length;
	if (!open) while (end > 0 && text[end - 1] === "`") end--;
	if (end === text.length || open) while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
	return end;
}

/** The sentence that a mark at the end of `text` stands in or right behind, without earlier marks. */
function lastSentence(text: string): string {
	const tail = text
		.slice(-LONGEST_SENTENCE)
		.replace(/(\[\d+\])+/g, "")
		.trimEnd();
	let start = 0;
	for (const end of tail.matchAll(SENTENCE_END)) if (end.index + 1 < tail.length) start = end.index + 1;
	return tail.slice(start);
}
