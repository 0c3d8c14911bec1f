import { sql } from "kysely";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { parsePositions } from "./passage-tokens";
import { type QueryTokens, toBeginningOf, toWholeTokens } from "./query-tokens";
import { listTokensWith } from "./vocabulary";

/** Passage with the tokens that were looked for. */
export interface Posting {
	/** Number of the passage. */
	readonly number: number;
	/** Number of its knowledge base. */
	readonly knowledgeBase: number;
	/** Tokens of its title are at the positions up to this. */
	readonly titleTokens: number;
	readonly tokenCount: number;
	/** Positions of those of the tokens that it has. */
	readonly positions: ReadonlyMap<string, readonly number[]>;
}

interface PostingRow extends Omit<Posting, "positions"> {
	readonly found: string;
}

/** Finds the passages of knowledge bases with any token of these words. */
export async function findPostings(
	transaction: WorkspaceTransaction,
	knowledgeBases: readonly number[],
	words: readonly QueryTokens[],
): Promise<readonly Posting[]> {
	const beginnings = words.flatMap((word) => toBeginningOf(word) ?? []);
	const tokens = new Set(words.flatMap(toWholeTokens));
	for (const token of await listTokensWith(transaction, knowledgeBases, beginnings)) tokens.add(token);
	if (tokens.size === 0) return [];
	const { rows } = await sql<PostingRow>`
		select number, knowledge_base as "knowledgeBase", title_tokens as "titleTokens", token_count as "tokenCount", found
		from find_passage_words(${knowledgeBases}::bigint[], ${[...tokens]}::text[])`.execute(transaction);
	return rows.map(({ found, ...row }) => ({ ...row, positions: parsePositions(found) }));
}
