import type { MarkedSentence } from "./marked-sentences";
import type { SourcePassage } from "./parse-passages";
import { splitSentences, type TextRange } from "./split-sentences";
import { toTerms } from "./terms";

/** A sentence that may be quoted. */
export interface Candidate {
	/** As it stands in its source. */
	readonly text: string;
	readonly marks: string;
	readonly terms: ReadonlySet<string>;
	/** Where it is from: a passage, or what another agent wrote, as a quotation or not. */
	readonly source: CandidateSource;
}

export type CandidateSource =
	| {
			readonly kind: "passage";
			readonly passage: SourcePassage;
			/** Where it begins in the passage. */
			readonly at: number;
			/** What its surroundings are about: title, headings, the sentence before. */
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

/** What another agent wrote. */
export function toStatement({ text, marks, isQuotation }: MarkedSentence): Candidate {
	return { text, marks, terms: toTerms(text), source: { kind: "statement", isQuotation } };
}
