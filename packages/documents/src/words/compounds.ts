/** Words that signs join, such as `ERR_CONN_42`, `v2.3.1`, `12(3)`, `e-mail`, `10,000`. */
const JOINED = /[\p{L}\p{N}]+(?:[_.:/-][\p{L}\p{N}]+|\([\p{L}\p{N}]{1,4}\)|,\d{3}(?!\d))+/gu;
/** Words with a capital letter inside, such as `maxOldSpaceSize`, `HTTPServer`. */
const CAMEL_CASE = /[\p{L}\p{N}]*\p{Ll}\p{Lu}[\p{L}\p{N}]*|\p{Lu}{2,}\p{Ll}[\p{L}\p{N}]*/gu;
const CAMEL_BOUNDARY = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const GROUPED_NUMBER = /\b\d{1,3}(?:,\d{3})+(?!\d)/g;
const NUMBER_GAP = /\d[^\p{L}\p{N}]+\d/u;
/** Plain words with a hyphen are no compound: their parts say what they mean. */
const IDENTIFIER = /[\d_]/;
/** Longer ones are addresses and paths, whose parts say more than the whole. */
const MAX_COMPOUND_CHARACTERS = 48;

/**
 * Numbers in groups as one word, which the index does not see: `10,000` is `10000`. Parts of words in camel case are left
 * out: they make passages with code look longer than they are, which was measured to cost more than it gains.
 */
export const findGroupedNumbers = (text: string): string[] =>
	(text.match(GROUPED_NUMBER) ?? []).map((number) => number.replaceAll(",", ""));

const splitCamelCase = (word: string): string[] => word.split(CAMEL_BOUNDARY);

/**
 * Other spellings of the compounds of a query, as a phrase of their parts and as one word: `max_old_space_size`,
 * `maxOldSpaceSize` and `max-old-space-size` find each other. Numbers stay apart: `v2.3.1` is not `v23.1`.
 */
export function findCompoundSpellings(query: string): string[] {
	const joined = (query.match(JOINED) ?? []).filter(
		(word) => word.length <= MAX_COMPOUND_CHARACTERS && IDENTIFIER.test(word),
	);
	const camelCase = (query.match(CAMEL_CASE) ?? []).map((word) => splitCamelCase(word).join(" "));
	return [
		...joined.flatMap((word) => {
			const phrase = word.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
			const isGrouped = /^\d{1,3}(?:,\d{3})+$/.test(word);
			return NUMBER_GAP.test(word) && !isGrouped ? [phrase] : [phrase, phrase.replaceAll(" ", "")];
		}),
		...camelCase,
	];
}
