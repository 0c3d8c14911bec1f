import { createCoverageReader, sumCovered, toFoldedWords, toQueryTerms } from "@stemma/core/internal";
import { foldText } from "@stemma/documents";
import type { CoverageInput } from "../../../../knowledge/repositories/passage-index";
import type { QueryWord } from "../../../../knowledge/search/query-words";
import type { JobFile } from "../../../job-file";
import { findKnowledgeBases } from "../find-knowledge-bases";
import { countPassagesWithWord, findSearchedIndexes, type SearchedIndex } from "./searched-indexes";

/** Maximum terms of a question that are compared; only the first ones of a longer one count. */
const MAX_TERMS = 24;

/** Computes the share of a question that its best passage covers; 0 where there is none. */
export function computeCoverage(
	file: JobFile,
	{ question, knowledgeBases, passages }: CoverageInput,
): number {
	const numbers = findKnowledgeBases(file, knowledgeBases).filter((number) => number !== undefined);
	const indexes = findSearchedIndexes(file, numbers);
	const terms = toQueryTerms(foldText(question)).slice(0, MAX_TERMS);
	const readCoverage = createCoverageReader(terms);
	const weights = terms.map(({ word }) =>
		inverseDocumentFrequency(file, numbers, indexes, { text: word, isPrefix: false }),
	);
	const total = weights.reduce((sum, weight) => sum + weight, 0);
	const shares = passages
		.flatMap(({ document_id, ordinal }) => readPassageTexts(file, document_id, ordinal) ?? [])
		.map((text) => sumCovered(readCoverage(toFoldedWords(foldText(text))), weights) / total);
	return total === 0 ? 0 : Math.max(0, ...shares);
}

const FIND_TEXTS =
	"SELECT title, heading, text FROM documents JOIN passages ON passages.number = first_passage + ? WHERE documents.id = ?";

interface PassageTexts {
	readonly title: string;
	readonly heading: string | null;
	readonly text: string;
}

/** Reads all that a passage is found by. */
function readPassageTexts(file: JobFile, documentId: string, ordinal: number): string | undefined {
	const row = file.prepare<PassageTexts>(FIND_TEXTS).get(ordinal, documentId);
	return row && `${row.title}\n${row.heading ?? ""}\n${row.text}`;
}

/** Maximum passages that are counted for a word: beyond it a word is common, and counting further takes time. */
const MAX_COUNTED_PASSAGES = 5000;
const COUNT_ALL =
	"SELECT coalesce(sum(passage_count), 0) AS count FROM knowledge_bases WHERE number IN (SELECT value FROM json_each(?))";

/** Inverse document frequency, as in BM25. */
function inverseDocumentFrequency(
	file: JobFile,
	knowledgeBases: readonly number[],
	indexes: readonly SearchedIndex[],
	word: QueryWord,
): number {
	const all = Number(file.prepare(COUNT_ALL).get(JSON.stringify(knowledgeBases))?.count ?? 0);
	const counts = indexes.map((index) => countPassagesWithWord(file, index, word, MAX_COUNTED_PASSAGES));
	const count = counts.reduce((sum, each) => sum + each, 0);
	return Math.log(1 + (Math.max(0, all - count) + 0.5) / (count + 0.5));
}
