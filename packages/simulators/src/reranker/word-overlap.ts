/**
 * How well a text answers a query, between 0 and 1 and never at either: by the share of the query's words that are in
 * it, and among equals by how short it is. The same pair has the same score wherever it stands.
 */
export function scoreByWords(query: string, text: string): number {
	const wanted = toWords(query);
	const found = toWords(text);
	const shared = [...wanted].filter((word) => found.has(word)).length;
	const share = wanted.size === 0 ? 0 : shared / wanted.size;
	return 0.05 + 0.85 * share + 0.05 / (1 + found.size);
}

const toWords = (text: string): ReadonlySet<string> =>
	new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
