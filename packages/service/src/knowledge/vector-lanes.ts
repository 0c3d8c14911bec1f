import type { RunError } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import type { EmbeddingSpace } from "@stemma/routing";
import { type EmbeddedPart, type EmbedOptions, embedParts } from "./embed-parts";
import type { ReadUpload } from "./group-writes";
import type { PassageEmbedder } from "./passage-embedder";
import { PUT_BACK, type ReturnedUpload } from "./put-back-job";
import { FIND_STANDING } from "./standing-job";
import type { StoredPart } from "./store-passages-job";
import type { StrandedUploads } from "./stranded-uploads";
import { createUploadLanes, type UploadLanes, type UploadLanesOptions } from "./upload-lanes";
import { createVendorCalls } from "./vendor-calls";

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
	readonly stranded: StrandedUploads;
	/** A call for vectors failed and is made again later. */
	readonly onError: (error: unknown) => void;
}

export interface VectorLanes extends UploadLanes {
	/** The vendor is called with another credential from now on: does not wait for the next try. */
	retryNow(): void;
}

/** As `createUploadLanes`, for uploads whose passages get vectors: a transaction's with one call. */
export function createVectorLanes({
	lanes,
	group,
	storeParts,
	stranded,
	embedder,
	space,
	onError,
}: VectorLanesOptions): VectorLanes {
	const { database, signal } = lanes;

	function putBack(uploads: readonly number[]): Promise<void> {
		const returned: readonly ReturnedUpload[] = uploads.map((number) => ({ number, attempts: 0 }));
		return database.writeJob(PUT_BACK, returned);
	}

	const vendor = createVendorCalls({ embedder, signal });
	const options: Omit<EmbedOptions, "onOutage"> = {
		vendor,
		space,
		signal,
		onError,
		findStanding: (uploads) => database.readJob(FIND_STANDING, uploads),
		isSuspect: stranded.has,
	};

	async function embedAndStore(uploads: readonly ReadUpload[]): Promise<void> {
		const onOutage = () => putBack(uploads.map(({ upload }) => upload));
		const dropped = new Set<number>();
		for (const grouped of group(uploads)) {
			const parts = grouped.filter(({ upload }) => !dropped.has(upload));
			if (parts.length === 0) continue;
			const settled = await settleStranded(await embedParts(parts, { ...options, onOutage }));
			const passed = new Set(settled.flatMap((part) => (part.kind === "passages" ? [part.upload] : [])));
			for (const { upload } of parts) if (!passed.has(upload)) dropped.add(upload);
			if (settled.length > 0) await storeParts(settled);
		}
		for (const { upload } of uploads) stranded.forget(upload);
	}

	/** They wait for another turn, or had too many. */
	async function settleStranded(embedded: readonly EmbeddedPart[]): Promise<readonly StoredPart[]> {
		const settled: StoredPart[] = [];
		for (const part of embedded) {
			if (part.kind !== "stranded") settled.push(part);
			else if (!stranded.add(part.upload, part.cause))
				settled.push({ kind: "failed", upload: part.upload, error: toRunError(part.cause) });
			else await putBack([part.upload]);
		}
		return settled;
	}

	const uploadLanes = createUploadLanes({
		...lanes,
		withVectors: true,
		// A call for vectors may take any time, and ends no process.
		isBlamedForStoring: false,
		listWaiting: () => [...stranded.waiting],
		async read(uploads) {
			const read = await lanes.read(uploads);
			if (uploads.some(({ attempts }) => attempts > 0)) await putBack(uploads.map(({ number }) => number));
			return read;
		},
		async store(read, uploads) {
			try {
				await embedAndStore(read);
			} catch (error) {
				if (!signal.aborted) throw error;
			}
			if (signal.aborted) await putBack(uploads.map(({ number }) => number));
		},
	});
	return { ...uploadLanes, retryNow: vendor.retryNow };
}

function toRunError(error: unknown): RunError {
	if (!isStemmaError(error)) return noVectors;
	const { code, message, hint } = error;
	return { code, message, ...(hint !== undefined && { hint }) };
}

const noVectors: RunError = {
	code: "embedding_failed",
	message: "The embedding model fails on this document, while it answers for others.",
	hint: "Look for the reason in the log of the service, then upload the document again.",
};
