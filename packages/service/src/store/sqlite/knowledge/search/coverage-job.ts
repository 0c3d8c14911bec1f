import type { Coverage, CoverageInput } from "../../../../knowledge/repositories/passage-index";
import { type QueryWord, toQueryWords } from "../../../../knowledge/search/query-words";
import type { JobFile } from "../../../job-file";
import { findKnowledgeBases } from "../find-knowledge-bases";
import { countPassagesWithWord, passageContainsWord } from "./index-queries";

/** Maximum words of a question that are compared; only the first words of a longer one count. */
const MAX_WORDS = 24;

/** Asks the word index itself, so that words are compared as they are when passages are searched. */
export function computeCoverage(
	file: JobFile,
	{ question, knowledgeBases, passages }: CoverageInput,
): Coverage {
	const numbers = findKnowledgeBases(file, knowledgeBases).filter((number) => number !== undefined);
	const rows = passages.flatMap(({ document_id, ordinal }) => findRow(file, document_id, ordinal) ?? []);
	const words = toQueryWords(question)
		.slice(0, MAX_WORDS)
		.map((word) => ({
			weight: inverseDocumentFrequency(file, numbers, word),
			foundIn: new Set(rows.filter((row) => passageContainsWord(file, numbers, word, row))),
		}));
	const coveredShare = (weight: (word: (typeof words)[number]) => number): number => {
		const total = words.reduce((sum, word) => sum + weight(word), 0);
		const coveredWeights = rows.map((row) =>
			words.reduce((sum, word) => sum + (word.foundIn.has(row) ? weight(word) : 0), 0),
		);
		return total === 0 ? 0 : Math.max(0, ...coveredWeights) / total;
	};
	return { wordShare: coveredShare(() => 1), idfShare: coveredShare(({ weight }) => weight) };
}

const FIND_ROW = "SELECT first_passage + ? AS number FROM documents WHERE id = ?";

function findRow(file: JobFile, documentId: string, ordinal: number): number | undefined {
	return file.prepare<{ readonly number: number }>(FIND_ROW).get(ordinal, documentId)?.number;
}

/** Maximum passages that are counted for a word: beyond it a word is common, and counting further takes time. */
const MAX_COUNTED_PASSAGES = 5000;
const COUNT_ALL =
	"SELECT coalesce(sum(passage_count), 0) AS count FROM knowledge_bases WHERE number IN (SELECT value FROM json_each(?))";

/** Inverse document frequency, as in BM25. */
function inverseDocumentFrequency(file: JobFile, knowledgeBases: readonly number[], word: QueryWord): number {
	const all = Number(file.prepare(COUNT_ALL).get(JSON.stringify(knowledgeBases))?.count ?? 0);
	const count = countPassagesWithWord(file, knowledgeBases, word, MAX_COUNTED_PASSAGES);
	return Math.log(1 + (Math.max(0, all - count) + 0.5) / (count + 0.5));
}
