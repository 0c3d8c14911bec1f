import { type Coverage, type CoverageReader, toFoldedWords } from "@stemma/core/internal";
import type { MarkedSentence } from "./marked-sentences";
import type { SourcePassage } from "./parse-passages";
import { maxOf } from "./passage-coverage";
import { toPassageUnits } from "./passage-units";
import type { TextRange } from "./split-sentences";
import { toTerms } from "./terms";

/** A sentence that may be quoted. */
export interface Candidate {
	/** Text of the sentence, exactly as in its source. */
	readonly text: string;
	readonly marks: string;
	readonly terms: ReadonlySet<string>;
	/** Shares of the question's terms in the sentence. */
	readonly coverage: Coverage;
	/** Source of the sentence: a passage, or another agent's text, as a quotation or not. */
	readonly source: CandidateSource;
}

export type CandidateSource = PassageSource | { readonly kind: "statement"; readonly isQuotation: boolean };

/** Place of a sentence in its passage. */
export interface PassageSource extends TextRange {
	readonly kind: "passage";
	readonly passage: SourcePassage;
	/** Announcement of the sentence: the line before its list, its question, or its heading; empty where there is none. */
	readonly introduction: string;
	readonly introductionCoverage: Coverage;
	/** Shares of the question's terms in the sentence itself; its coverage has those of the question that it replies to. */
	readonly ownCoverage: Coverage;
	/** Shares of the question's terms in the sentence's surroundings: title, headings, the sentences beside it. */
	readonly contextCoverage: Coverage;
}

/** The sentences of a passage. */
export function toCandidates(passage: SourcePassage, readCoverage: CoverageReader): Candidate[] {
	const marks = `[${passage.n}]`;
	const headingCoverage = readCoverage(toFoldedWords(`${passage.document} ${passage.heading}`));
	const units = toPassageUnits(passage).map((unit) => ({
		...unit,
		coverage: readCoverage(toFoldedWords(unit.text)),
	}));
	return units.map(({ text, start, end, introduction, isReply, coverage }, index) => {
		const introductionCoverage = readCoverage(toFoldedWords(introduction));
		const besides = [headingCoverage, introductionCoverage, units[index - 1]?.coverage ?? []];
		return {
			text,
			marks,
			terms: toTerms(text),
			coverage: isReply ? maxOf([coverage, introductionCoverage]) : coverage,
			source: {
				kind: "passage",
				passage,
				start,
				end,
				introduction,
				ownCoverage: coverage,
				introductionCoverage,
				contextCoverage: maxOf(besides),
			},
		};
	});
}

/** Converts a sentence that another agent wrote to a candidate. */
export function toStatement(
	{ text, marks, isQuotation }: MarkedSentence,
	readCoverage: CoverageReader,
): Candidate {
	const coverage = readCoverage(toFoldedWords(text));
	return { text, marks, terms: toTerms(text), coverage, source: { kind: "statement", isQuotation } };
}
