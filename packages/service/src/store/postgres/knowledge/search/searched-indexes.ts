import { sql } from "kysely";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import type { IndexTotals } from "./bm25";
import { withIndexTables } from "./index-tables";

/** Word index that a search looks into: that of one knowledge base. */
export interface SearchedIndex extends IndexTotals {
	/** A number, not an id. */
	readonly knowledgeBase: number;
	/** Number of passages that documents show. */
	readonly shownCount: number;
}

/** Finds the word indexes of these knowledge bases; those where no passage was ever stored have none. */
export const findSearchedIndexes = (
	transaction: WorkspaceTransaction,
	knowledgeBases: readonly number[],
): Promise<readonly SearchedIndex[]> =>
	withIndexTables(transaction)
		.selectFrom("word_indexes")
		.innerJoin("knowledge_bases", "knowledge_bases.number", "word_indexes.knowledge_base")
		.select([
			"word_indexes.knowledge_base as knowledgeBase",
			"word_indexes.passage_count as passageCount",
			"word_indexes.token_count as tokenCount",
			"knowledge_bases.passage_count as shownCount",
		])
		.where("word_indexes.knowledge_base", "=", sql<number>`any(${knowledgeBases}::bigint[])`)
		.execute();
