import type { CoverageInput } from "../../../../knowledge/repositories/passage-index";
import { MAX_COUNTED_PASSAGES } from "../../../../knowledge/search/max-score";
import {
	computeQuestionCoverage,
	type StoredTexts,
	toCoverageTerms,
} from "../../../../knowledge/search/question-coverage";
import { toWord } from "../../../../knowledge/search/word-questions";
import type { JobFile } from "../../../job-file";
import { findKnowledgeBases } from "../find-knowledge-bases";
import { countPassagesOf } from "./known-words";
import { findSearchedIndexes } from "./searched-indexes";

/** Computes the share of a question that passages cover; 0 where there is none. */
export function computeCoverage(
	file: JobFile,
	{ question, knowledgeBases, passages, lead }: CoverageInput,
): number {
	const numbers = findKnowledgeBases(file, knowledgeBases).filter((number) => number !== undefined);
	const indexes = findSearchedIndexes(file, numbers);
	const terms = toCoverageTerms(question);
	const counts = terms.map(({ word }) => countPassagesOf(file, indexes, toWord(word), MAX_COUNTED_PASSAGES));
	const texts = passages.flatMap(({ document_id, ordinal }) => readTexts(file, document_id, ordinal) ?? []);
	const total = countAllPassages(file, numbers);
	return computeQuestionCoverage(terms, { counts, total, lead }, texts);
}

const FIND_TEXTS =
	"SELECT title, heading, text FROM documents JOIN passages ON passages.number = first_passage + ? WHERE documents.id = ?";

/** Reads all that a passage is found by; none where its document is gone. */
const readTexts = (file: JobFile, documentId: string, ordinal: number): StoredTexts | undefined =>
	file.prepare<StoredTexts>(FIND_TEXTS).get(ordinal, documentId);

const COUNT_ALL =
	"SELECT coalesce(sum(passage_count), 0) AS count FROM knowledge_bases WHERE number IN (SELECT value FROM json_each(?))";

const countAllPassages = (file: JobFile, knowledgeBases: readonly number[]): number =>
	Number(file.prepare(COUNT_ALL).get(JSON.stringify(knowledgeBases))?.count ?? 0);
