import { sql } from "kysely";
import type { WorkspaceTransaction } from "../../workspace-transaction";
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

/** Passages of a knowledge base with a token; see `find_passage_words`. */
interface TokenRow {
	/** A number, not an id. */
	readonly knowledge_base: number;
	readonly word: string;
	readonly passages: string;
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
	const { rows } = await sql<TokenRow>`
		select knowledge_base, word, passages
		from find_passage_words(${knowledgeBases}::bigint[], ${[...tokens]}::text[])`.execute(transaction);
	return toPostings(rows);
}

type OpenPosting = Posting & { readonly positions: Map<string, readonly number[]> };

function toPostings(rows: readonly TokenRow[]): readonly Posting[] {
	const postings = new Map<number, OpenPosting>();
	for (const { knowledge_base: knowledgeBase, word, passages } of rows)
		for (const line of passages.split("\n")) {
			const [number, titleTokens, tokenCount] = line.split(" ", 3).map(Number);
			const positions = parsePositions(line);
			if (number === undefined || titleTokens === undefined || tokenCount === undefined) continue;
			const known = postings.get(number);
			if (known !== undefined) known.positions.set(word, positions);
			else
				postings.set(number, {
					...{ number, knowledgeBase, titleTokens, tokenCount },
					positions: new Map([[word, positions]]),
				});
		}
	return [...postings.values()];
}

/** Parses the positions of the only token of a `tsvector`, behind its colon; they have a weight, such as `3A`. */
const parsePositions = (vector: string): readonly number[] =>
	vector
		.slice(vector.lastIndexOf(":") + 1)
		.split(",")
		.map((position) => Number.parseInt(position, 10));
