import type { DocumentFormatName } from "@stemma/client";
import type { EmbeddingSpace } from "@stemma/routing";

/** Circumstances in which uploads are queued again after a crash. */
export interface RecoverInput {
	/** Space in which vectors are made now, whatever it was before; `null` where none are made. */
	readonly space: EmbeddingSpace | null;
	readonly now: number;
}

/** Uploads of one kind that are waiting. */
export interface UploadSelection {
	/** Kind of uploads, with or without vectors: each kind has a queue of its own. */
	readonly hasVectors: boolean;
	/** Number of an upload; only later ones are selected. */
	readonly after: number;
	/** Numbers of uploads that are not selected. */
	readonly excluded: readonly number[];
}

/** Uploads to claim from the queue. */
export interface ClaimUploadsInput extends UploadSelection {
	readonly maxDocuments: number;
	/** Together; one upload is taken even if it is larger. */
	readonly maxBytes: number;
	readonly now: number;
}

export interface ClaimedUpload {
	/** Number of the upload; another upload for the same document has another number. */
	readonly number: number;
	/** 0 unless the process has ended while it was under way. */
	readonly attempts: number;
	/** Tries that the vendor of vectors failed on, of all instances. Left out where one process counts them itself. */
	readonly vendorFailures?: number;
	readonly givenTitle: string | null;
	readonly fileName: string | null;
	readonly source: string | null;
	readonly format: DocumentFormatName;
	/** Attachments become documents of their own; else they are part of its text. */
	readonly separatesAttachments: boolean;
	/** The original. */
	readonly content: Uint8Array;
}

/** Claimed upload that goes back to the queue. */
export interface ReturnedUpload {
	readonly number: number;
	/** Attempts that stay counted. */
	readonly attempts: number;
	/** True: this instance goes on with it, and no other one claims it. Default false. */
	readonly staysClaimed?: boolean;
}

/** Upload that the vendor of vectors has failed on. */
export interface RequeuedUpload {
	readonly upload: number;
	/** Tries that failed. */
	readonly vendorFailures: number;
}

/** Documents to read again. */
export interface QueueOutdatedInput {
	readonly maxDocuments: number;
	/** Versions of the readers by format. Default: those of today. */
	readonly versions?: Readonly<Record<string, number>> | undefined;
}

/** Numbers of documents that an older version of their reader has read. */
export interface OutdatedCounts {
	/** Number of documents that are read again in the background. */
	readonly waiting: number;
	/** Number of documents to be uploaded again: their original is not stored, or their passages have vectors. */
	readonly left: number;
}

/** Queue of the uploads of one workspace, with their originals: until their passages are stored, or they fail. */
export interface UploadRepository {
	/**
	 * Queues the uploads again that were being read when their process ended, and drops what is half written. Uploads of
	 * knowledge bases with vectors of another space fail. Call it before anything is claimed, and for what instances have
	 * left whose lease is over: where such an instance is still at it, nothing of it is stored any more.
	 */
	recover(input: RecoverInput): Promise<void>;
	/** Checks whether an upload is waiting. */
	hasWaiting(selection: UploadSelection): Promise<boolean>;
	/** Number of uploads in the queue, of both kinds; documents that are read again are not counted. */
	count(): Promise<number>;
	/**
	 * Takes the next uploads from the queue, in their order; they stay in it until their passages are there. One that had
	 * attempts is taken alone, so that no other is blamed if it ends the process.
	 */
	claim(input: ClaimUploadsInput): Promise<readonly ClaimedUpload[]>;
	/**
	 * Queues some documents again that an older version of their reader has read. They stay as they are, and are found,
	 * until their new passages are stored, also if they cannot be read any more.
	 *
	 * @returns the number of queued documents.
	 */
	queueOutdated(input: QueueOutdatedInput): Promise<number>;
	/** Counts one more attempt of an upload. */
	countAttempt(upload: number): Promise<void>;
	/** Lets claimed uploads wait again: whatever ends the process now, reading them was not at fault. */
	returnToQueue(uploads: readonly ReturnedUpload[]): Promise<void>;
	/**
	 * Moves an upload to the end of the queue for vectors.
	 *
	 * @returns its new number; `null` where it was deleted or replaced.
	 */
	requeue(upload: RequeuedUpload): Promise<number | null>;
	/** Tells other instances that uploads may be waiting. */
	notifyQueued(): Promise<void>;
	/** Filters uploads that are still wanted: neither they nor their knowledge base were deleted or replaced. */
	filterCurrent(uploads: readonly number[]): Promise<readonly number[]>;
}
