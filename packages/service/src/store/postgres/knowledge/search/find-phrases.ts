import { sql } from "kysely";
import { ownRows } from "../../own-rows-plugin";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { createPassageList, type PassageList } from "../word-index/passage-list";
import { parsePositions } from "../word-index/positions";
import { TITLE_WEIGHT } from "../word-index/segment-words";
import { createPositionFinder } from "./match-phrase";
import { type QueryTokens, toBeginningOf } from "./query-tokens";

interface PositionsRow {
	readonly number: number;
	readonly titleTokens: number;
	readonly tokenCount: number;
	/** See `createPositionsWriter`. */
	readonly text: string;
}

/**
 * Finds the passages that have the tokens of a phrase one behind the other.
 *
 * @param candidates - numbers of passages that have all of them.
 */
export async function findPhrase(
	transaction: WorkspaceTransaction,
	phrase: QueryTokens,
	candidates: readonly number[],
): Promise<PassageList> {
	const list = createPassageList();
	if (candidates.length === 0) return list;
	const { rows } = await sql<PositionsRow>`
		select number, title_tokens as "titleTokens", token_count as "tokenCount", positions as text
		from passage_words
		where ${ownRows("passage_words")} and number = any(${candidates}::bigint[])`.execute(transaction);
	const find = createPositionFinder(phrase);
	const beginning = toBeginningOf(phrase);
	const isWanted = (token: string): boolean =>
		phrase.tokens.includes(token) || (beginning !== undefined && token.startsWith(beginning));
	for (const { number, titleTokens, tokenCount, text } of rows) {
		const positions = find(parsePositions(text, isWanted));
		if (positions.length === 0) continue;
		list.numbers.push(number);
		list.tokenCounts.push(tokenCount);
		list.frequencies.push(
			positions.reduce((sum, position) => sum + (position <= titleTokens ? TITLE_WEIGHT : 1), 0),
		);
	}
	return list;
}
