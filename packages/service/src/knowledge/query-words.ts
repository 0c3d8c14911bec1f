import { UNSPACED } from "./index-text";
import { STOP_WORDS } from "./stop-words";

/** What to look for in the word index. */
export interface QueryWord {
	/** Letters and digits only, in lower case. */
	readonly text: string;
	/** Words that begin with it count too. */
	readonly isBeginning: boolean;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const SCRIPT_RUN = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, "gu");
const BEGINS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");
/** A longer query is a pasted text: its first words say what it is about, and each word takes time. */
const MAX_WORDS = 64;

/** The words of a query, each once, without English stop words unless it has only those. */
export function toQueryWords(query: string): QueryWord[] {
	const words: string[] = query.normalize("NFKC").toLowerCase().match(WORD) ?? [];
	const telling = words.filter((word) => !STOP_WORDS.has(word));
	const found = (telling.length === 0 ? words : telling).flatMap(splitScripts);
	const unique = new Map(found.map((word) => [word.text, word]));
	return [...unique.values()].slice(0, MAX_WORDS);
}

const splitScripts = (word: string): QueryWord[] =>
	(word.match(SCRIPT_RUN) ?? []).flatMap((run) =>
		BEGINS_UNSPACED.test(run) ? toPairs(run) : [{ text: run, isBeginning: false }],
	);

function toPairs(run: string): QueryWord[] {
	const characters = [...run];
	if (characters.length === 1) return [{ text: run, isBeginning: true }];
	return characters
		.slice(1)
		.map((character, index) => ({ text: `${characters[index]}${character}`, isBeginning: false }));
}
