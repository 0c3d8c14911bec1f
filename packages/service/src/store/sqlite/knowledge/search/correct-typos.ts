import type { QueryWord } from "../../../../knowledge/search/query-words";
import { toTypoVariants } from "../../../../knowledge/search/typo-variants";
import type { JobFile } from "../../../job-file";
import { countPassagesWithWord, type SearchedIndex } from "./searched-indexes";

/** Looking up the neighbours of a word takes about a millisecond an index; in more of them, words stay as they are. */
const MAX_INDEXES = 8;
/** Words of a query that are corrected: most have none. */
const MAX_CORRECTED_WORDS = 4;
/** Neighbours that a word is replaced by. */
const MAX_CORRECTIONS = 3;
const MAX_COUNTED_PASSAGES = 100;

/**
 * Replaces the words that no passage of the searched indexes has by those at edit distance 1 that passages have, the most
 * common first. A word without such neighbours stays.
 */
export function correctTypos(
	file: JobFile,
	indexes: readonly SearchedIndex[],
	words: readonly QueryWord[],
): QueryWord[] {
	if (indexes.length > MAX_INDEXES) return [...words];
	let corrected = 0;
	const replaced = words.flatMap((word) => {
		if (corrected >= MAX_CORRECTED_WORDS || word.isPrefix || word.isOptional) return [word];
		if (indexes.some((index) => countPassagesWithWord(file, index, word, 1) > 0)) return [word];
		const corrections = findCorrections(file, indexes, word.text);
		corrected += 1;
		return corrections.length === 0 ? [word] : corrections;
	});
	return [...new Map(replaced.map((word) => [word.text, word])).values()];
}

function findCorrections(file: JobFile, indexes: readonly SearchedIndex[], word: string): QueryWord[] {
	const variants = toTypoVariants(word);
	if (variants.length === 0) return [];
	const counts = new Map<string, number>();
	for (const index of indexes)
		for (const variant of filterIndexed(file, index, variants)) {
			const found = countPassagesWithWord(file, index, toWord(variant), MAX_COUNTED_PASSAGES);
			counts.set(variant, (counts.get(variant) ?? 0) + found);
		}
	return [...counts]
		.sort(([, a], [, b]) => b - a)
		.slice(0, MAX_CORRECTIONS)
		.map(([variant]) => toWord(variant));
}

const toWord = (text: string): QueryWord => ({ text, isPrefix: false });

/** Filters the words that a passage of the index has, in one statement. */
function filterIndexed(file: JobFile, index: SearchedIndex, words: readonly string[]): string[] {
	const { table, toExpression } = index;
	const expressions = JSON.stringify(words.map((text) => [text, toExpression([toWord(text)])]));
	return file
		.prepare<{ readonly text: string }>(
			`SELECT value ->> 0 AS text FROM json_each(?) WHERE EXISTS (SELECT 1 FROM ${table} WHERE ${table} MATCH value ->> 1)`,
		)
		.all(expressions)
		.map(({ text }) => text);
}
