import type { DocumentCounts, SourceSettings } from "@stemma/client";
import type { AuditEntry } from "../../audit/audit-record";
import type { PageRequest } from "../../pagination";
import type { IdempotencyRecord } from "../../store/idempotency-repository";
import type { StoredSync } from "./sync-repository";

/** Source as it is stored; times are epoch milliseconds. */
export interface StoredSource {
	readonly id: string;
	readonly knowledge_base_id: string;
	readonly name: string;
	readonly settings: SourceSettings;
	readonly credential: string | null;
	readonly every_minutes: number | null;
	readonly next_sync_at: number | null;
	readonly created_at: number;
	readonly updated_at: number;
}

/** Source with what it has done. */
export interface SourceState extends StoredSource {
	readonly documents: DocumentCounts;
	readonly last_sync: StoredSync | null;
}

/** Records that are stored in the transaction of a change. */
export interface SourceRecords {
	readonly audit: AuditEntry;
	readonly request?: IdempotencyRecord | undefined;
}

/** Fields of a source that change. */
export type SourceChange = Partial<
	Pick<StoredSource, "name" | "settings" | "credential" | "every_minutes" | "next_sync_at">
> &
	Pick<StoredSource, "updated_at">;

/** Sources of one workspace. Those of knowledge bases that were deleted are no more. */
export interface SourceRepository {
	/** Adds a source. `too_many`: the knowledge base has `maxSources` already; `has_pushes`: it has one of pushed files already. */
	insert(
		source: StoredSource,
		maxSources: number,
		records: SourceRecords,
	): Promise<"added" | "has_pushes" | "no_knowledge_base" | "too_many">;
	find(knowledgeBase: string, id: string): Promise<SourceState | "no_knowledge_base" | undefined>;
	/** Lists sources by id, at most `limit`. */
	list(knowledgeBase: string, page: PageRequest): Promise<readonly SourceState[] | "no_knowledge_base">;
	/** Updates a source and records it; false, and no record, where there is none. */
	update(id: string, change: SourceChange, records: SourceRecords): Promise<boolean>;
	/** Deletes a source, and cancels its sync. Its documents are deleted, or become uploads, by {@link sweep}. */
	delete(id: string, keepsDocuments: boolean, now: number, audit: AuditEntry): Promise<boolean>;
	/** Ids of sources whose time has come, and that have no sync under way; at most 100. */
	listDue(now: number): Promise<readonly string[]>;
	/**
	 * Sweeps away some of what deleted sources hold.
	 *
	 * @returns whether there is more to sweep.
	 */
	sweep(): Promise<boolean>;
}
