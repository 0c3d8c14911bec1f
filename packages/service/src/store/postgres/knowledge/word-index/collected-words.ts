import { getTokenizer } from "./cached-tokenizer";
import { createSegmentWords, type NewPassageWords, type PassageWordsRow } from "./segment-words";
import { toWordBlocks, type WordBlock } from "./word-blocks";

/** Passages whose tokens are made at once, so that others have the main thread in between. */
const PASSAGES_PER_TURN = 16;

/** Words of passages as a word index stores them. */
export interface CollectedWords {
	readonly passages: readonly PassageWordsRow[];
	/** Blocks of their segment. */
	readonly blocks: readonly WordBlock[];
}

/** Collects the words of passages of one knowledge base. */
export async function collectWords(added: readonly NewPassageWords[]): Promise<CollectedWords> {
	// A segment has one dictionary.
	const segment = createSegmentWords(getTokenizer().getDictionary());
	for (let start = 0; start < added.length; start += PASSAGES_PER_TURN) {
		if (start > 0) await new Promise(setImmediate);
		segment.add(added.slice(start, start + PASSAGES_PER_TURN));
	}
	return { passages: segment.passages, blocks: toWordBlocks(segment) };
}
