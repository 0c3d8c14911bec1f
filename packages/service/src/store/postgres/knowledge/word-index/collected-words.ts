import { type ColumnTypes, type EncodedRows, encodeRows } from "../../connection/row-arrays";
import { getTokenizer } from "./cached-tokenizer";
import { createSegmentWords, type NewPassageWords, type PassageWordsRow } from "./segment-words";
import { toWordBlocks, type WordBlock } from "./word-blocks";

/** Passages whose tokens are made at once, so that others have the thread in between. */
const PASSAGES_PER_TURN = 16;

/** Columns of `passage_words` that the words of a passage fill. */
export const PASSAGE_TYPES = {
	...{ number: "bigint", title_tokens: "integer", token_count: "integer", positions: "text" },
} satisfies ColumnTypes<string>;

/** Columns of blocks; lists within them are text: arrays of Postgres are rectangular. */
export const BLOCK_TYPES = {
	...{ first_word: "text", words: "text", ends: "text", records: "bytea" },
} satisfies ColumnTypes<string>;

/** Words of passages of one knowledge base, encoded as a word index stores them. */
export interface CollectedWords {
	readonly passages: EncodedRows<keyof typeof PASSAGE_TYPES>;
	/** Blocks of their segment. */
	readonly blocks: EncodedRows<keyof typeof BLOCK_TYPES>;
	/** Number of the first passage. */
	readonly firstPassage: number;
	/** Number of the last one. Those between them may be of other knowledge bases, too. */
	readonly lastPassage: number;
	readonly passageCount: number;
	readonly tokenCount: number;
}

/** Collects the words of passages of one knowledge base. @param added - at least one. */
export async function collectWords(added: readonly NewPassageWords[]): Promise<CollectedWords> {
	// A segment has one dictionary.
	const segment = createSegmentWords(getTokenizer().getDictionary());
	for (let start = 0; start < added.length; start += PASSAGES_PER_TURN) {
		if (start > 0) await new Promise(setImmediate);
		segment.add(added.slice(start, start + PASSAGES_PER_TURN));
	}
	const { passages } = segment;
	const numbers = passages.map(({ number }) => number);
	return {
		passages: encodeRows(PASSAGE_TYPES, passages.map(toPassageRow)),
		blocks: encodeRows(BLOCK_TYPES, toWordBlocks(segment).map(toBlockRow)),
		...{ firstPassage: Math.min(...numbers), lastPassage: Math.max(...numbers) },
		...{ passageCount: passages.length, tokenCount: countTokens(passages) },
	};
}

const toPassageRow = ({ titleTokens: title_tokens, tokenCount: token_count, ...row }: PassageWordsRow) => ({
	...{ ...row, title_tokens, token_count },
});

const toBlockRow = ({ words, ends, records }: WordBlock) => ({
	...{ first_word: words[0], words: words.join(" "), ends: ends.join(" "), records },
});

/** Counts the tokens of passages. */
export const countTokens = (passages: readonly Pick<PassageWordsRow, "tokenCount">[]): number =>
	passages.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
