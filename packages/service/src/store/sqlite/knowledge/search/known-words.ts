import type { QueryWord } from "../../../../knowledge/search/query-words";
import type { JobFile } from "../../../job-file";
import type { SearchedIndex } from "./searched-indexes";

/** A word that counts as it is spelled. */
export const toWord = (text: string): QueryWord => ({ text, isPrefix: false });

/** Filters the words that a passage of any of the indexes has, in one statement for each index. */
export function filterKnown(
	file: JobFile,
	indexes: readonly SearchedIndex[],
	words: readonly QueryWord[],
): QueryWord[] {
	if (words.length === 0) return [];
	const known = new Set(indexes.flatMap((index) => listPositions(file, index, words)));
	return words.filter((_, position) => known.has(position));
}

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

/** Checks whether all passages with one word have another one, as where both are forms of one word to the index. */
export function isWithin(
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
