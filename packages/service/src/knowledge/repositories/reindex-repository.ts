import type { Payer, RunError } from "@stemma/core";
import type { EmbeddingSpace } from "@stemma/routing";
import type { AuditEntry } from "../../audit/audit-record";
import type { EmbeddingPin } from "../embeddings/pinned-space";

/**
 * Status of a move. `completed`: the new space answers, and the former one is kept. `dropping`: the vectors that no search
 * uses are being deleted, after that there is no move.
 */
export type ReindexStatus = "running" | "paused" | "completed" | "dropping";

/** Move of a knowledge base to another embedding space. */
export interface StoredReindex {
	readonly status: ReindexStatus;
	/** `null`: words alone. */
	readonly target: EmbeddingSpace | null;
	/** Space of the vectors that no search uses; `undefined`: there are none yet. */
	readonly spare: EmbeddingPin;
	readonly payer: Payer;
	readonly error: RunError | null;
	/** Number of passages with a vector of the target. */
	readonly done: number;
	/** Number of passages that the model refused; they are among those that are done. */
	readonly skipped: number;
	/** Epoch milliseconds. */
	readonly startedAt: number;
	readonly completedAt: number | null;
}

/** Knowledge base as a move begins with it. */
export interface ReindexedBase {
	readonly id: string;
	readonly pin: EmbeddingPin;
	readonly passageCount: number;
	readonly reindex: StoredReindex | undefined;
}

export interface ReindexSize {
	/** Number of passages that get a vector. */
	readonly passages: number;
	readonly characters: number;
	/** Length in UTF-8. */
	readonly bytes: number;
}

export interface StartReindexInput {
	/** An id. */
	readonly knowledgeBase: string;
	readonly target: EmbeddingSpace | null;
	readonly payer: Payer;
	/** `cl_…` */
	readonly actor: string;
	readonly now: number;
	readonly audit: AuditEntry;
}

export interface ReindexBatchInput {
	/** An id. */
	readonly knowledgeBase: string;
	/** Id of the document to begin with; empty: the first one. */
	readonly after: string;
	readonly limit: number;
}

/** Passages that have no vector of the target yet. */
export interface ReindexBatch {
	readonly passages: readonly { readonly number: number; readonly text: string }[];
	/** Id of the last document of the batch. */
	readonly last: string;
}

export interface StoreReindexedInput {
	/** An id. */
	readonly knowledgeBase: string;
	/** Space that the vectors were made in. */
	readonly space: EmbeddingSpace;
	/** `null`: the model refused the passage. */
	readonly vectors: readonly { readonly passage: number; readonly values: Float32Array | null }[];
}

/** `stopped`: the move ended meanwhile. */
export type StoreReindexedResult = "stored" | "stopped" | "length_changed" | "length_unknown";

export interface ActiveReindex {
	/** An id. */
	readonly knowledgeBase: string;
	readonly status: ReindexStatus;
}

/** Moves of the knowledge bases of one workspace. */
export interface ReindexRepository {
	find(knowledgeBase: string): Promise<ReindexedBase | undefined>;
	/** Measures what a move to a space would give vectors to. @param keepsSpare - passages with a vector of the spare slot have one. */
	measure(input: { readonly knowledgeBase: string; readonly keepsSpare: boolean }): Promise<ReindexSize>;
	/** Starts a move, or resumes one. */
	start(input: StartReindexInput): Promise<void>;
	/** Lists the moves that are not completed, oldest first. */
	listActive(): Promise<readonly ActiveReindex[]>;
	/** Takes the next passages; `undefined` where the move has stopped. */
	next(input: ReindexBatchInput): Promise<ReindexBatch | undefined>;
	store(input: StoreReindexedInput): Promise<StoreReindexedResult>;
	/** Makes the target answer, in one transaction; false where a passage has no vector of it yet, or the move has stopped. */
	complete(input: { readonly knowledgeBase: string; readonly now: number }): Promise<boolean>;
	pause(knowledgeBase: string, error: RunError): Promise<void>;
	/** Stops a move, or drops what a completed one kept; false where there is none. */
	drop(knowledgeBase: string, audit: AuditEntry): Promise<boolean>;
	/** Drops what moves kept that were completed before a time, in epoch milliseconds. */
	dropBefore(time: number): Promise<void>;
	/** Deletes some of the vectors that must go. @returns whether there are more. */
	clear(knowledgeBase: string): Promise<boolean>;
}
