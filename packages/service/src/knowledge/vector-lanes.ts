import type { EmbeddingSpace } from "@stemma/routing";
import { embedParts } from "./embed-parts";
import type { ReadUpload } from "./group-writes";
import type { PassageEmbedder } from "./passage-embedder";
import { PUT_BACK } from "./put-back-job";
import type { StoredPart } from "./store-passages-job";
import type { TakenUpload } from "./take-uploads-job";
import { createUploadLanes, type UploadLanesOptions } from "./upload-lanes";

/** What makes the vectors of a workspace's passages. */
export interface VectorMaking {
	readonly embedder: PassageEmbedder;
	readonly space: EmbeddingSpace;
}

export interface VectorLanesOptions extends VectorMaking {
	/** Those of the other uploads. */
	readonly lanes: UploadLanesOptions;
	/** Sorts what was read into transactions. */
	readonly group: (uploads: readonly ReadUpload[]) => readonly (readonly StoredPart[])[];
	readonly storeParts: (parts: readonly StoredPart[]) => Promise<void>;
	/** A call for vectors failed and is made again later. */
	readonly onError: (error: unknown) => void;
}

/** As `createUploadLanes`, for uploads whose passages get vectors: a transaction's with one call. */
export function createVectorLanes({ lanes, group, storeParts, ...making }: VectorLanesOptions) {
	const { database, signal } = lanes;

	const putBack = (uploads: readonly TakenUpload[]): Promise<void> =>
		database.writeJob(
			PUT_BACK,
			uploads.map(({ number }) => number),
		);

	async function embedAndStore(uploads: readonly ReadUpload[]): Promise<void> {
		const failed = new Set<number>();
		for (const grouped of group(uploads)) {
			const parts = grouped.filter(({ upload }) => !failed.has(upload));
			if (parts.length === 0) continue;
			const embedded = await embedParts(parts, { ...making, signal });
			for (const { kind, upload } of embedded) if (kind === "failed") failed.add(upload);
			await storeParts(embedded);
		}
	}

	return createUploadLanes({
		...lanes,
		withVectors: true,
		// A call for vectors may take any time, and ends no process.
		isBlamedForStoring: false,
		async read(uploads) {
			const read = await lanes.read(uploads);
			if (uploads.some(({ attempts }) => attempts > 0)) await putBack(uploads);
			return read;
		},
		async store(read, uploads) {
			try {
				await embedAndStore(read);
			} catch (error) {
				if (!signal.aborted) throw error;
			}
			if (signal.aborted) await putBack(uploads);
		},
	});
}
