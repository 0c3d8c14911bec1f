import { sql } from "kysely";
import type { EmbeddingPin } from "../../../../knowledge/embeddings/pinned-space";
import { parsePin } from "../../../sqlite/knowledge/jobs/embedding-pins";
import { toVectorTables } from "../../../sqlite/knowledge/search/vector-slots";
import { ownRows } from "../../own-rows-plugin";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { withIndexTables } from "../word-index/index-tables";
import type { IndexTotals } from "./bm25";
import type { ComparedBase } from "./vector-hits";

/** Word index that a search looks into: that of one knowledge base. */
export interface SearchedIndex extends IndexTotals {
	/** A number, not an id. */
	readonly knowledgeBase: number;
	/** Number of passages that documents show. */
	readonly shownCount: number;
}

/** Knowledge base that a search looks into. */
export interface SearchedBase extends ComparedBase {
	readonly id: string;
	readonly pin: EmbeddingPin;
	/** Left out where no passage was ever stored. */
	readonly index?: SearchedIndex;
	/** Numbers of passages that are gone, of which its word index may have records. */
	readonly deleted: readonly number[];
}

/** Finds knowledge bases by their ids, but those that are deleted. */
export async function findSearchedBases(
	transaction: WorkspaceTransaction,
	ids: readonly string[],
): Promise<readonly SearchedBase[]> {
	const rows = await withIndexTables(transaction)
		.selectFrom("knowledge_bases")
		.leftJoin("word_indexes", "word_indexes.knowledge_base", "knowledge_bases.number")
		.select(["knowledge_bases.id", "number", "vector_slot as slot", "embedding"])
		.select(["knowledge_bases.passage_count as shownCount", "word_indexes.passage_count as passageCount"])
		.select(["token_count as tokenCount", selectDeleted.as("deleted"), selectHasCodes.as("hasCodes")])
		.where("knowledge_bases.id", "in", ids)
		.where("deleted_at", "is", null)
		.execute();
	return rows.map(({ embedding, shownCount, passageCount, tokenCount, hasCodes, ...base }) => ({
		...base,
		hasCodes: hasCodes === 1,
		pin: parsePin(embedding),
		...(passageCount !== null &&
			tokenCount !== null && {
				index: { knowledgeBase: base.number, shownCount, passageCount, tokenCount },
			}),
	}));
}

const selectDeleted = sql<readonly number[]>`array(
	select unnest(deleted) from word_segments
	where ${ownRows("word_segments")} and word_segments.knowledge_base = knowledge_bases.number and deleted <> '{}'
)`;

const { codes } = toVectorTables(0);
const selectHasCodes = sql<number>`to_regclass(${sql.lit(codes)}) is not null`;
