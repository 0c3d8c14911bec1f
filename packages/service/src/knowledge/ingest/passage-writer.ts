import type { PassageRepository, StoredPart } from "../repositories/passage-repository";
import { countPassages, groupWrites, type UploadReadResult } from "./group-writes";

/** Stores what was read, in transactions that others need not wait for long. */
export interface PassageWriter {
	/**
	 * Sorts what was read into transactions.
	 *
	 * @param hasVectors - whether passages get vectors before they are written. Default false.
	 */
	group(read: readonly UploadReadResult[], hasVectors?: boolean): Promise<readonly (readonly StoredPart[])[]>;
	/** Stores the parts of one transaction; they let searches go first. */
	store(parts: readonly StoredPart[]): Promise<void>;
}

export interface PassageWriterOptions {
	readonly passages: Pick<PassageRepository, "reserve" | "store">;
	readonly now: () => number;
	/** Maximum documents of the workspace. Default: any number. */
	readonly maxDocuments?: number | undefined;
	/** Maximum weight of a transaction that stores no vectors. Default: {@link MAX_TRANSACTION_WEIGHT}. */
	readonly maxWeight?: number | undefined;
	/** Resolves when nobody waits for a search: storing a document can wait a moment, people cannot. */
	readonly whenNoSearches: () => Promise<void>;
	/** Throws where passages find no room on the disk. */
	readonly assertSpace: () => void;
	/** Runs when something was put into the queue again. */
	readonly onRequeued: () => void;
	/** Runs after each transaction with what it has stored. Default: nothing. */
	readonly onStored?: ((parts: readonly StoredPart[]) => void) | undefined;
}

export const createPassageWriter = ({
	passages,
	now,
	maxDocuments,
	maxWeight,
	whenNoSearches,
	assertSpace,
	onRequeued,
	onStored,
}: PassageWriterOptions): PassageWriter => ({
	async group(read, hasVectors = false) {
		const count = read.reduce((sum, result) => sum + countPassages(result), 0);
		return groupWrites(read, await passages.reserve(count), hasVectors, maxWeight);
	},
	async store(parts) {
		await whenNoSearches();
		assertSpace();
		if (await passages.store({ parts, maxDocuments, now: now() })) onRequeued();
		onStored?.(parts);
	},
});
