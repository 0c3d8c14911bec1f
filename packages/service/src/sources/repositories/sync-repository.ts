import type { SourceIssue, SourceSettings, SourceSync, SourceSyncStatus } from "@stemma/client";
import type { RunError } from "@stemma/core";
import type { EmbeddingSpace } from "@stemma/routing";
import type { PinnedSpace } from "../../knowledge/embeddings/pinned-space";
import type { NewDocument } from "../../knowledge/repositories/document-repository";
import type { PageRequest } from "../../pagination";
import type { KnownItem } from "../connectors/connector";

/** Sync as it is stored; times are epoch milliseconds. */
export interface StoredSync extends Omit<SourceSync, "created_at" | "started_at" | "ended_at"> {
	readonly created_at: number;
	readonly started_at: number | null;
	readonly ended_at: number | null;
}

/** Sync to create. */
export interface NewSync {
	readonly id: string;
	/** Id. */
	readonly source: string;
	/** True: may delete all documents of its source. */
	readonly isForced: boolean;
	readonly now: number;
}

/** Sync that was claimed, with its source. */
export interface ClaimedSync {
	readonly id: string;
	/** Id. */
	readonly source: string;
	readonly settings: SourceSettings;
	readonly credential: string | null;
	readonly everyMinutes: number | null;
	/** State of the last complete scan; `null`: none, or an item has no document any more. */
	readonly scanState: string | null;
	/** Syncs of the source that failed since one succeeded. */
	readonly failures: number;
}

/** Finding of a scan, to be stored. */
export type ScannedItem =
	| { readonly kind: "unchanged"; readonly key: string }
	| {
			readonly kind: "content";
			readonly key: string;
			readonly version: string | null;
			/** Document whose `source` is shown as such. */
			readonly document: NewDocument & { readonly source: string };
	  }
	| ({ readonly kind: "issue" } & SourceIssue);

export interface StoreItemsInput {
	/** Id. */
	readonly sync: string;
	readonly items: readonly ScannedItem[];
	/** Maximum documents of the workspace. */
	readonly maxDocuments: number;
	/** Space that vectors are created in now; `null`: none are created. */
	readonly space: EmbeddingSpace | null;
	readonly now: number;
}

/**
 * `ended`: the sync is no longer running, or its source is deleted; nothing was stored. `too_many`: all but the documents
 * that would be too many were stored.
 */
export type StoreItemsResult = "stored" | "ended" | "too_many" | { readonly pinned: PinnedSpace };

/** End of a sync. */
export interface SyncEnd {
	/** Id. */
	readonly sync: string;
	readonly status: Extract<SourceSyncStatus, "succeeded" | "failed" | "cancelled">;
	readonly error: RunError | null;
	/** State of a complete scan. Left out: that of the scan before stays. */
	readonly scanState?: string | null;
	/** Start of the next one by schedule. */
	readonly nextSyncAt: number | null;
	readonly now: number;
}

/** Syncs of the sources of one workspace, with the items that they found. */
export interface SyncRepository {
	/**
	 * Queues a sync where none is queued or running, and takes the schedule of its source along. Else the one that is; it is
	 * forced from now on where the new one would have been. `undefined`: no such source.
	 */
	create(sync: NewSync): Promise<StoredSync | undefined>;
	/** Lists syncs of a source, newest first, at most `limit`. */
	list(source: string, page: PageRequest): Promise<readonly StoredSync[]>;
	/** Ids of syncs that are queued or running and that no living instance works on, oldest first. */
	listActive(): Promise<readonly string[]>;
	/**
	 * Starts a sync, or continues one that the end of the process interrupted: what it stored is not counted twice.
	 * `undefined`: it has ended, or its source is deleted.
	 */
	claim(sync: string, now: number): Promise<ClaimedSync | undefined>;
	/** Finds an item of the last syncs whose document is there. */
	findItem(source: string, key: string): Promise<KnownItem | undefined>;
	/** Stores findings, their documents and counts in one transaction. A sync may store the same finding twice. */
	storeItems(input: StoreItemsInput): Promise<StoreItemsResult>;
	/** Counts some items of a running sync as unchanged that it has not found yet. */
	markUnchanged(sync: string): Promise<"more" | "done" | "ended">;
	/**
	 * Removes some items that a complete scan has not found, with their documents.
	 *
	 * @returns `source_empty` where it found nothing at all and is not forced, with nothing removed.
	 */
	removeMissing(sync: string, now: number): Promise<"more" | "done" | "ended" | "source_empty">;
	/** Ends a sync that is queued or running. False: it has ended before. The last 20 of a source stay. */
	end(end: SyncEnd): Promise<boolean>;
}
