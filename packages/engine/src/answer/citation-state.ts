import type { Citation } from "@stemma/core";

/** Text with run-wide citation numbers on its way to text with the answer's own. Plain data. */
export interface CitationState {
	/** All that was given out so far. */
	text: string;
	/** The passages cited so far, numbered from 1 by first appearance. */
	readonly citations: Citation[];
	/** Run-wide numbers by the answer's own, from 1. */
	readonly numbers: number[];
	/** Text that may still become a mark. */
	held: string;
	/** Marks in `text` whose claims are not yet compared with what they cite: each number with its offset. */
	marks: CitedMark[];
	/** Offset in `text` at which the text begins that these marks stand in. */
	textStart: number;
	/** Numbers of the model that no passage has, each once: at most 100. */
	readonly unknown: number[];
	/** The run of backticks or tildes that opened the code that the text is in; empty for prose. */
	code: string;
	/** A backtick or a tilde while the text ends with a run of them, which may still grow; else empty. */
	fence: string;
	/** Characters of that run so far. */
	fenceLength: number;
	/** Claims that were or will be compared with the passage that they cite. */
	compared: number;
}

/** A mark in the answer: its number there, and where it begins. */
export interface CitedMark {
	readonly n: number;
	readonly at: number;
}

export function createCitationState(): CitationState {
	return {
		text: "",
		citations: [],
		numbers: [],
		held: "",
		marks: [],
		textStart: 0,
		unknown: [],
		code: "",
		fence: "",
		fenceLength: 0,
		compared: 0,
	};
}
