import { createTokenDictionary, type TokenDictionary } from "./token-dictionary";
import { createTokenizer, type Tokenizer } from "./tokenizer";

/** Number of pieces that are remembered: about 13 MB. Texts of one language have most of their words among fewer. */
const MAX_PIECES = 100_000;

/** Tokenizer that remembers the tokens of words. */
export interface CachedTokenizer extends Tokenizer {
	/** Returns what it remembers; another one once that is much. */
	getDictionary(): TokenDictionary;
}

/** Creates a tokenizer that remembers the tokens of words, and asks another one for those that are new. */
export function createCachedTokenizer(tokenizer: Tokenizer, maxPieces = MAX_PIECES): CachedTokenizer {
	let dictionary = createTokenDictionary(tokenizer);
	function getDictionary(): TokenDictionary {
		if (dictionary.size > maxPieces) dictionary = createTokenDictionary(tokenizer);
		return dictionary;
	}
	return {
		getDictionary,
		tokenize(texts) {
			const { tokens, toNumbers } = getDictionary();
			return toNumbers(texts).map((numbers) => numbers.map((number) => tokens[number] ?? ""));
		},
	};
}

let tokenizer: CachedTokenizer | undefined;

/** Returns the tokenizer of this process. */
export function getTokenizer(): CachedTokenizer {
	tokenizer ??= createCachedTokenizer(createTokenizer());
	return tokenizer;
}
