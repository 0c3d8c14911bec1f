import { createCoverageReader, toQueryTerms } from "@stemma/core/internal";
import { foldText } from "@stemma/documents";
import { computeCoverage as computePassageCoverage, type PassageTexts } from "@stemma/routing/extractive";
import type { CoverageInput } from "../../../../knowledge/repositories/passage-index";
import { toInverseDocumentFrequency, toLeadWeight } from "../../../../knowledge/search/few-passages";
import { toJointFactors } from "../../../../knowledge/search/joint-pairs";
import type { QueryWord } from "../../../../knowledge/search/query-words";
import type { JobFile } from "../../../job-file";
import { findKnowledgeBases } from "../find-knowledge-bases";
import { countPassagesWithWord, findSearchedIndexes, type SearchedIndex } from "./searched-indexes";

/** Maximum terms of a question that are compared; only the first ones of a longer one count. */
const MAX_TERMS = 24;

/** Computes the share of a question that passages cover; 0 where there is none. */
export function computeCoverage(
	file: JobFile,
	{ question, knowledgeBases, passages, lead }: CoverageInput,
): number {
	const numbers = findKnowledgeBases(file, knowledgeBases).filter((number) => number !== undefined);
	const indexes = findSearchedIndexes(file, numbers);
	const terms = toQueryTerms(foldText(question)).slice(0, MAX_TERMS);
	const readCoverage = createCoverageReader(terms);
	const total = countAllPassages(file, numbers);
	const counted = terms.map(({ word }) => ({
		word,
		count: countPassagesOf(file, indexes, { text: word, isPrefix: false }),
	}));
	const factors = toJointFactors(counted);
	const weights = terms.map(
		({ importance }, term) =>
			importance * (factors[term] ?? 1) * toInverseDocumentFrequency(counted[term]?.count ?? 0, total),
	);
	const texts = passages.flatMap(({ document_id, ordinal }) => readPassageTexts(file, document_id, ordinal));
	return computePassageCoverage(texts, readCoverage, weights, { score: lead, weight: toLeadWeight(total) });
}

const FIND_TEXTS =
	"SELECT title, heading, text FROM documents JOIN passages ON passages.number = first_passage + ? WHERE documents.id = ?";

interface PassageRow {
	readonly title: string;
	readonly heading: string | null;
	readonly text: string;
}

/** Reads all that a passage is found by; none where its document is gone. */
function readPassageTexts(file: JobFile, documentId: string, ordinal: number): PassageTexts[] {
	const row = file.prepare<PassageRow>(FIND_TEXTS).get(ordinal, documentId);
	if (row === undefined) return [];
	const { title, heading, text } = row;
	return [{ document: foldText(title), heading: foldText(heading ?? ""), text: foldText(text) }];
}

/** Maximum passages that are counted for a word: beyond it a word is common, and counting further takes time. */
const MAX_COUNTED_PASSAGES = 5000;
const COUNT_ALL =
	"SELECT coalesce(sum(passage_count), 0) AS count FROM knowledge_bases WHERE number IN (SELECT value FROM json_each(?))";

const countAllPassages = (file: JobFile, knowledgeBases: readonly number[]): number =>
	Number(file.prepare(COUNT_ALL).get(JSON.stringify(knowledgeBases))?.count ?? 0);

const countPassagesOf = (file: JobFile, indexes: readonly SearchedIndex[], word: QueryWord): number =>
	indexes.reduce((sum, index) => sum + countPassagesWithWord(file, index, word, MAX_COUNTED_PASSAGES), 0);
