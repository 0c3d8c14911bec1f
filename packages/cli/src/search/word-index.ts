import { type Passage, STOP_WORDS, takeDistinct } from "@stemma/documents";
import MiniSearch from "minisearch";
import { toTerms, toWords, toWordTerms } from "./terms";

/** Finds passages by their words. */
export interface WordIndex {
	/**
	 * The passages that hold words of the query, best first, each content once. Words are compared without case, accents and English
	 * endings; Chinese, Japanese and Korean by pairs of characters.
	 */
	search(query: string, options: { readonly topK: number }): Hit[];
}

export interface Hit {
	readonly passage: Passage;
	/** BM25+: compares hits of one query of one index, and nothing else. */
	readonly score: number;
}

/** Measured on questions about a mixed folder: headings and titles are short, which makes their words count anyway. */
const BOOST = { text: 1, heading: 1, title: 1 };

/** An index in memory over the words of passages, their headings and titles. */
export function createWordIndex(passages: readonly Passage[]): WordIndex {
	const index = new MiniSearch({
		fields: Object.keys(BOOST),
		tokenize: toTerms,
		processTerm: (term) => term,
		searchOptions: { boost: BOOST, tokenize: toQueryTerms },
	});
	index.addAll(
		passages.map(({ title, text, place }, id) => ({ id, title, text, heading: place.heading ?? "" })),
	);
	return {
		search(query, { topK }) {
			const found = index.search(query).flatMap(({ id, score }) => {
				const passage = passages[id];
				return passage === undefined ? [] : [{ ...passage, score }];
			});
			return takeDistinct(found, topK).passages.map(({ score, ...passage }) => ({ passage, score }));
		},
	};
}

/** The terms of a query without English stop words, unless it has only those; each once. */
function toQueryTerms(query: string): string[] {
	const words = toWords(query);
	const telling = words.filter((word) => !STOP_WORDS.has(word));
	return [...new Set((telling.length === 0 ? words : telling).flatMap(toWordTerms))];
}
