import { sql } from "kysely";
import { ownRows } from "../../own-rows-plugin";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { createPassageList, type PassageList } from "../word-index/passage-list";
import { TITLE_WEIGHT } from "../word-index/word-blocks";
import { createPositionFinder } from "./match-phrase";
import type { QueryTokens } from "./query-tokens";

interface PositionsRow {
	readonly number: number;
	readonly titleTokens: number;
	readonly tokenCount: number;
	/** Text of a `tsvector`: `'connection':3A,5A 'lost':4A`. */
	readonly words: string;
}

/**
 * Finds the passages that have the tokens of a phrase one behind the other.
 *
 * @param candidates - numbers of passages that have all of them.
 * @param tokens - those of the phrase; where it ends with a beginning, all that begin like it.
 */
export async function findPhrase(
	transaction: WorkspaceTransaction,
	phrase: QueryTokens,
	candidates: readonly number[],
	tokens: readonly string[],
): Promise<PassageList> {
	const list = createPassageList();
	if (candidates.length === 0) return list;
	const { rows } = await sql<PositionsRow>`
		select number, title_tokens as "titleTokens", token_count as "tokenCount",
			ts_filter(setweight(words, 'A', ${tokens}::text[]), '{a}')::text as words
		from passage_words
		where ${ownRows("passage_words")} and number = any(${candidates}::bigint[])`.execute(transaction);
	const find = createPositionFinder(phrase);
	for (const { number, titleTokens, tokenCount, words } of rows) {
		const positions = find(parsePositions(words));
		if (positions.length === 0) continue;
		list.numbers.push(number);
		list.tokenCounts.push(tokenCount);
		list.frequencies.push(
			positions.reduce((sum, position) => sum + (position <= titleTokens ? TITLE_WEIGHT : 1), 0),
		);
	}
	return list;
}

/** Parses the text of a `tsvector`. Tokens are letters, digits and marks, which are not escaped. */
function parsePositions(vector: string): ReadonlyMap<string, readonly number[]> {
	const positions = new Map<string, readonly number[]>();
	for (const [, token = "", list = ""] of vector.matchAll(/'([^']+)':([^ ]+)/g))
		positions.set(
			token,
			list.split(",").map((position) => Number.parseInt(position, 10)),
		);
	return positions;
}
