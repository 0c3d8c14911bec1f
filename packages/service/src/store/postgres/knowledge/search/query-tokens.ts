import type { QueryWord } from "../../../../knowledge/search/query-words";
import { getTokenizer } from "../word-index/cached-tokenizer";

/** Word of a query as the index has it: a token, or a phrase of several; none where it has no letters to the index. */
export interface QueryTokens {
	readonly word: QueryWord;
	readonly tokens: readonly string[];
}

/** Returns the tokens of words. */
export function toQueryTokens(words: readonly QueryWord[]): readonly QueryTokens[] {
	const tokens = getTokenizer().tokenize(words.map(({ text }) => text));
	return words.map((word, index) => ({ word, tokens: tokens[index] ?? [] }));
}

/** Beginning of tokens that a word ends with; `undefined`: it ends with a whole one. */
export const toBeginningOf = ({ word, tokens }: QueryTokens): string | undefined =>
	word.isPrefix ? tokens.at(-1) : undefined;

/** Tokens of a word that are looked for as they are. */
export const toWholeTokens = ({ word, tokens }: QueryTokens): readonly string[] =>
	word.isPrefix ? tokens.slice(0, -1) : tokens;
