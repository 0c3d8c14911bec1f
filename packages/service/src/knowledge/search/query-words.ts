import { STOP_WORDS, UNSPACED_SCRIPTS } from "@stemma/documents";

/** Word to look for in the word index. */
export interface QueryWord {
	/** Letters and digits only, in lower case. */
	readonly text: string;
	/** Words that begin with it count too. */
	readonly isPrefix: boolean;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const SCRIPT_RUN = new RegExp(`[${UNSPACED_SCRIPTS}]+|[^${UNSPACED_SCRIPTS}]+`, "gu");
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED_SCRIPTS}]`, "u");
/** A longer query is a pasted text: its first words say what it is about, and each word takes time. */
const MAX_WORDS = 64;

/** The words of a query, each once, without English stop words unless it has only those. */
export function toQueryWords(query: string): QueryWord[] {
	const words: string[] = query.normalize("NFKC").toLowerCase().match(WORD) ?? [];
	const significant = words.filter((word) => !STOP_WORDS.has(word));
	const found = (significant.length === 0 ? words : significant).flatMap(splitByScript);
	const unique = new Map(found.map((word) => [word.text, word]));
	return [...unique.values()].slice(0, MAX_WORDS);
}

const splitByScript = (word: string): QueryWord[] =>
	(word.match(SCRIPT_RUN) ?? []).flatMap((run) =>
		STARTS_UNSPACED.test(run) ? toCharacterPairs(run) : [{ text: run, isPrefix: false }],
	);

function toCharacterPairs(run: string): QueryWord[] {
	const characters = [...run];
	if (characters.length === 1) return [{ text: run, isPrefix: true }];
	return characters
		.slice(1)
		.map((character, index) => ({ text: `${characters[index]}${character}`, isPrefix: false }));
}
