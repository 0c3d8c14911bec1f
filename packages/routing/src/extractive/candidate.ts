import type { MarkedSentence } from "./marked-sentences";
import type { SourcePassage } from "./parse-passages";
import { splitSentences, type TextRange } from "./split-sentences";
import { toTerms } from "./terms";

/** A sentence that may be quoted. */
export interface Candidate {
	/** Text of the sentence, exactly as in its source. */
	readonly text: string;
	readonly marks: string;
	readonly terms: ReadonlySet<string>;
	/** Source of the sentence: a passage, or another agent's text, as a quotation or not. */
	readonly source: CandidateSource;
}

export type CandidateSource =
	| {
			readonly kind: "passage";
			readonly passage: SourcePassage;
			/** Position in the passage at which the sentence begins. */
			readonly at: number;
			/** Terms of the sentence's surroundings: title, headings, the sentence before. */
			readonly context: ReadonlySet<string>;
	  }
	| { readonly kind: "statement"; readonly isQuotation: boolean };

const LIST_MARK = /^(?:[-*+•]|\d{1,3}[.)])\s+/;
/** A sentence that announces a list is quoted with as much of it as fits. */
const MAX_LIST_CHARACTERS = 300;

/** The sentences of a passage. */
export function toCandidates(passage: SourcePassage): Candidate[] {
	const marks = `[${passage.n}]`;
	const headingTerms = toTerms(`${passage.document} ${passage.heading}`);
	let previousTerms: ReadonlySet<string> = new Set();
	return joinAnnouncedLists(passage.text, splitSentences(passage.text)).map(({ start, end }) => {
		const text = passage.text.slice(start, end).replace(LIST_MARK, "");
		const terms = toTerms(text);
		const context = new Set([...headingTerms, ...previousTerms]);
		previousTerms = terms;
		return { text, marks, terms, source: { kind: "passage", passage, at: start, context } };
	});
}

/** Each sentence; one that ends in a colon together with what follows it. */
function joinAnnouncedLists(text: string, ranges: readonly TextRange[]): TextRange[] {
	return ranges.map((range, index) => {
		if (!/[:：]$/.test(text.slice(range.start, range.end))) return range;
		const followingRanges = ranges
			.slice(index + 1)
			.filter(({ end }) => end - range.start <= MAX_LIST_CHARACTERS);
		const firstOther = followingRanges.findIndex(
			({ start }, position) => position > 0 && !LIST_MARK.test(text.slice(start)),
		);
		const last = firstOther === -1 ? followingRanges.at(-1) : followingRanges[firstOther - 1];
		return { start: range.start, end: last?.end ?? range.end };
	});
}

/** Converts a sentence that another agent wrote to a candidate. */
export function toStatement({ text, marks, isQuotation }: MarkedSentence): Candidate {
	return { text, marks, terms: toTerms(text), source: { kind: "statement", isQuotation } };
}
