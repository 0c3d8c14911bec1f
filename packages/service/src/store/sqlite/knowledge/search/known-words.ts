import type { QueryWord } from "../../../../knowledge/search/query-words";
import type { WordAnswer, WordQuestion } from "../../../../knowledge/search/word-questions";
import type { JobFile } from "../../../job-file";
import { countPassagesWithWord, type SearchedIndex } from "./searched-indexes";

/** Answers a question about the words of these indexes. */
export function answerWordQuestion(
	file: JobFile,
	indexes: readonly SearchedIndex[],
	question: WordQuestion,
): WordAnswer {
	if (question.kind === "known")
		return indexes.flatMap((index) => listPositions(file, index, question.words));
	if (question.kind === "counts")
		return question.words.map((word) => countPassagesOf(file, indexes, word, question.max));
	return isWithin(file, indexes, question.word, question.other) ? [1] : [0];
}

/** Counts the passages with a word, at most `max` of each index. */
export const countPassagesOf = (
	file: JobFile,
	indexes: readonly SearchedIndex[],
	word: QueryWord,
	max: number,
): number => indexes.reduce((sum, index) => sum + countPassagesWithWord(file, index, word, max), 0);

/** Lists the positions of the words that a passage of an index has, in one statement. */
function listPositions(
	file: JobFile,
	{ table, toExpression }: SearchedIndex,
	words: readonly QueryWord[],
): number[] {
	const expressions = JSON.stringify(words.map((word) => toExpression([word])));
	return file
		.prepare<{ readonly key: number }>(
			`SELECT key FROM json_each(?) WHERE EXISTS (SELECT 1 FROM ${table} WHERE ${table} MATCH value)`,
		)
		.all(expressions)
		.map(({ key }) => key);
}

function isWithin(
	file: JobFile,
	indexes: readonly SearchedIndex[],
	word: QueryWord,
	other: QueryWord,
): boolean {
	return indexes.every(({ table, toExpression }) => {
		const expression = `(${toExpression([word])}) NOT (${toExpression([other])})`;
		const found = file
			.prepare(`SELECT 1 AS found FROM ${table} WHERE ${table} MATCH ? LIMIT 1`)
			.get(expression);
		return found === undefined;
	});
}
