import {
	findCompoundSpellings,
	foldText,
	hasToneMarks,
	STOP_WORDS,
	splitCharacters,
	toTonedWord,
	UNSPACED_SCRIPTS,
} from "@stemma/documents";

/** Word to look for in the word index. */
export interface QueryWord {
	/** Letters and digits in lower case; several words with blanks between them are a phrase. */
	readonly text: string;
	/** Words that begin with it count too. */
	readonly isPrefix: boolean;
	/** Another spelling of what the query has: missing it says nothing. Default false. */
	readonly isOptional?: boolean;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const SCRIPT_RUN = new RegExp(`[${UNSPACED_SCRIPTS}]+|[^${UNSPACED_SCRIPTS}]+`, "gu");
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED_SCRIPTS}]`, "u");
/** A longer query is a pasted text: its first words say what it is about, and each word takes time. */
const MAX_WORDS = 64;

/**
 * The words of a query, each once, without English stop words unless it has only those; then compounds such as
 * `ERR_CONN_42` as phrases and as one word.
 */
export function toQueryWords(query: string): QueryWord[] {
	const words = splitWords(query);
	const significant = words.filter((word) => !STOP_WORDS.has(word));
	const found = (significant.length === 0 ? words : significant).flatMap(splitByScript);
	const spellings = findCompoundSpellings(query)
		.map((spelling) => splitWords(spelling).join(" "))
		.map((text): QueryWord => ({ text, isPrefix: false, isOptional: true }));
	// The words come last, so that one that is also a spelling is a word.
	const unique = new Map([...spellings, ...found].map((word) => [word.text, word]));
	const sorted = [...unique.values()].sort(
		(a, b) => Number(a.isOptional ?? false) - Number(b.isOptional ?? false),
	);
	return sorted.slice(0, MAX_WORDS);
}

/** Computes the share of the words of a query that are English stop words. */
export function computeStopWordShare(query: string): number {
	const words = splitWords(query);
	return words.length === 0 ? 0 : words.filter((word) => STOP_WORDS.has(word)).length / words.length;
}

/** Words in the spelling of the word index, in lower case. */
function splitWords(query: string): readonly string[] {
	// A word with tones is looked for as such: without them it is several words.
	const spelled = hasToneMarks(query)
		? query.normalize("NFC").replace(WORD, (word) => (TONED.test(word) ? toTonedWord(word) : word))
		: query;
	return foldText(spelled).normalize("NFKC").toLowerCase().match(WORD) ?? [];
}

const TONED = /^(?=.*[^\0-\x7f])\p{Script=Latin}+$/u;

const splitByScript = (word: string): QueryWord[] =>
	(word.match(SCRIPT_RUN) ?? []).flatMap((run) =>
		STARTS_UNSPACED.test(run) ? toCharacterPairs(run) : [{ text: run, isPrefix: false }],
	);

function toCharacterPairs(run: string): QueryWord[] {
	const characters = splitCharacters(run);
	if (characters.length === 1) return [{ text: run, isPrefix: true }];
	return characters
		.slice(1)
		.map((character, index) => ({ text: `${characters[index]}${character}`, isPrefix: false }));
}
