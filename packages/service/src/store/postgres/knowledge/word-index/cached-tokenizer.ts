import { createTokenizer, type Tokenizer } from "./tokenizer";

/** Characters of ASCII that are in no token. */
const SEPARATORS = /[^0-9A-Za-z\u0080-\uffff]+/;
/** Longer pieces of texts, as of scripts without blanks, hardly come again. */
const MAX_CACHED_CHARACTERS = 40;
/** Number of pieces that are remembered: about 10 MB. Texts of one language have most of their words among fewer. */
const MAX_PIECES = 50_000;

/** Creates a tokenizer that remembers the tokens of words, and asks another one for those that are new. */
export function createCachedTokenizer(tokenizer: Tokenizer, maxPieces = MAX_PIECES): Tokenizer {
	const known = new Map<string, readonly string[]>();

	/** Asks for pieces that are not known, and remembers the short ones of them. @returns the tokens of the others. */
	function learn(pieces: readonly string[]): ReadonlyMap<string, readonly string[]> {
		const others = new Map<string, readonly string[]>();
		const tokens = tokenizer.tokenize(pieces);
		for (const [index, piece] of pieces.entries())
			if (piece.length > MAX_CACHED_CHARACTERS) others.set(piece, tokens[index] ?? []);
			else known.set(copyString(piece), tokens[index] ?? []);
		return others;
	}

	return {
		tokenize(texts) {
			const split = texts.map((text) => text.split(SEPARATORS));
			if (known.size > maxPieces) known.clear();
			const unknown = new Set<string>();
			for (const pieces of split) for (const piece of pieces) if (!known.has(piece)) unknown.add(piece);
			const others = learn([...unknown]);
			return split.map((pieces) => {
				const tokens: string[] = [];
				for (const piece of pieces)
					for (const token of known.get(piece) ?? others.get(piece) ?? []) tokens.push(token);
				return tokens;
			});
		},
	};
}

/** Copies a string: a piece of a text keeps the whole text in memory. */
const copyString = (piece: string): string => [...piece].join("");

let tokenizer: Tokenizer | undefined;

/** Returns the tokenizer of this process. */
export function getTokenizer(): Tokenizer {
	tokenizer ??= createCachedTokenizer(createTokenizer());
	return tokenizer;
}
