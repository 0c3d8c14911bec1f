import type { KnowledgeBase, KnowledgeBaseUpdate } from "@stemma/client";
import type { AuditEntry } from "../../audit/audit-record";
import type { PageRequest } from "../../pagination";
import type { IdempotencyRecord } from "../../store/idempotency-repository";
import type { EmbeddingPin } from "../embeddings/pinned-space";

/** Knowledge base as it is stored; times are epoch milliseconds. */
export interface StoredKnowledgeBase extends Omit<KnowledgeBase, "embedding" | "created_at" | "updated_at"> {
	readonly embedding: EmbeddingPin;
	readonly created_at: number;
	readonly updated_at: number;
}

/** Records that are stored in the transaction of the change that they tell of. */
export interface ChangeRecords {
	readonly audit?: AuditEntry | undefined;
	/** Request that makes the change, where it may be sent again. */
	readonly request?: IdempotencyRecord | undefined;
}

/** Part of the knowledge bases of a workspace. */
export interface KnowledgeBaseSelection extends Partial<PageRequest> {
	/** Ids of the only ones to list. Default: all. */
	readonly ids?: readonly string[] | undefined;
	/** Ids to leave out. Default none. */
	readonly without?: readonly string[];
}

/** Page of a list of knowledge bases. */
export type KnowledgeBasePage = PageRequest & Pick<KnowledgeBaseSelection, "without">;

/** Knowledge bases of one workspace. One that was deleted is found no more; what it holds is swept away later. */
export interface KnowledgeBaseRepository {
	/**
	 * Adds a knowledge base without documents.
	 *
	 * @throws ConstraintError where another one has the slug.
	 */
	insert(base: StoredKnowledgeBase, records: ChangeRecords): Promise<void>;
	find(id: string): Promise<StoredKnowledgeBase | undefined>;
	/** Lists ids and slugs of the knowledge bases that have one of these slugs. */
	listIds(slugs: readonly string[]): Promise<readonly Pick<StoredKnowledgeBase, "id" | "slug">[]>;
	/** Lists the slugs that start with a text of lower-case letters, digits and hyphens. */
	listSlugs(prefix: string): Promise<readonly string[]>;
	/** Lists the slugs of the knowledge bases that all members may use. */
	listOpenSlugs(): Promise<readonly string[]>;
	/** Lists knowledge bases by id, at most `limit`. */
	list(page: KnowledgeBasePage): Promise<readonly StoredKnowledgeBase[]>;
	/** Lists knowledge bases by id, without what they hold. */
	listSummaries(
		selection: KnowledgeBaseSelection,
	): Promise<readonly Omit<StoredKnowledgeBase, "documents">[]>;
	/**
	 * Updates a knowledge base and records it; false, and no record, where there is none.
	 *
	 * @throws ConstraintError where another one has the slug.
	 */
	update(
		id: string,
		update: Omit<KnowledgeBaseUpdate, "access"> & Pick<StoredKnowledgeBase, "updated_at">,
		records: ChangeRecords,
	): Promise<boolean>;
	/** Deletes a knowledge base; false where there is none. */
	delete(id: string, now: number): Promise<boolean>;
}
