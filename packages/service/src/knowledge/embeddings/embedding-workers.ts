import type { RunError } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import type { EmbeddingSpace } from "@stemma/routing";
import type { UploadReadResult } from "../ingest/group-writes";
import { createUploadWorkers, type UploadWorkers, type UploadWorkersOptions } from "../ingest/upload-workers";
import type { ReturnedUpload } from "../jobs/return-uploads-job";
import type { StoredPart } from "../jobs/store-passages-job";
import { createEmbeddingCircuitBreaker } from "./circuit-breaker";
import type { DeferredUploads } from "./deferred-uploads";
import { type EmbeddedPart, type EmbedOptions, embedParts } from "./embed-parts";
import type { PassageEmbedder } from "./passage-embedder";

/** Embedder of a workspace's passages, with its space. */
export interface EmbeddingOptions {
	readonly embedder: PassageEmbedder;
	readonly space: EmbeddingSpace;
}

export interface EmbeddingWorkersOptions extends EmbeddingOptions {
	/** Options of the workers for other uploads. */
	readonly workerOptions: UploadWorkersOptions;
	/** Sorts what was read into transactions. */
	readonly groupParts: (uploads: readonly UploadReadResult[]) => readonly (readonly StoredPart[])[];
	readonly storePassageParts: (parts: readonly StoredPart[]) => Promise<void>;
	readonly deferred: DeferredUploads;
	/** A call for vectors failed and is made again later. */
	readonly onError: (error: unknown) => void;
}

export interface EmbeddingWorkers extends UploadWorkers {
	/** The vendor is called with another credential from now on: does not wait for the next try. */
	retryNow(): void;
}

/**
 * Creates workers like `createUploadWorkers`, for uploads whose passages get vectors: one call for the passages of each
 * transaction.
 */
export function createEmbeddingWorkers({
	workerOptions,
	groupParts,
	storePassageParts,
	deferred,
	embedder,
	space,
	onError,
}: EmbeddingWorkersOptions): EmbeddingWorkers {
	const { database, signal } = workerOptions;

	function returnToQueue(uploads: readonly number[]): Promise<void> {
		const returnedUploads: readonly ReturnedUpload[] = uploads.map((number) => ({ number, attempts: 0 }));
		return database.writeJob("returnUploads", returnedUploads);
	}

	const vendorCalls = createEmbeddingCircuitBreaker({ embedder, signal });
	const options: Omit<EmbedOptions, "onOutage"> = {
		vendorCalls,
		space,
		signal,
		onError,
		filterCurrent: (uploads) => database.readJob("filterCurrentUploads", uploads),
		isDeferred: deferred.has,
	};

	async function embedAndStore(uploads: readonly UploadReadResult[]): Promise<void> {
		const onOutage = () => returnToQueue(uploads.map(({ upload }) => upload));
		const skippedUploads = new Set<number>();
		for (const grouped of groupParts(uploads)) {
			const parts = grouped.filter(({ upload }) => !skippedUploads.has(upload));
			if (parts.length === 0) continue;
			const storedParts = await deferFailedParts(await embedParts(parts, { ...options, onOutage }));
			const embeddedUploads = new Set(
				storedParts.flatMap((part) => (part.kind === "passages" ? [part.upload] : [])),
			);
			for (const { upload } of parts) if (!embeddedUploads.has(upload)) skippedUploads.add(upload);
			if (storedParts.length > 0) await storePassageParts(storedParts);
		}
		for (const { upload } of uploads) deferred.delete(upload);
	}

	/** Defers parts that failed; fails those that were tried too often. */
	async function deferFailedParts(embedded: readonly EmbeddedPart[]): Promise<readonly StoredPart[]> {
		const storedParts: StoredPart[] = [];
		for (const part of embedded) {
			if (part.kind !== "deferred") storedParts.push(part);
			else if (!deferred.add(part.upload, part.cause))
				storedParts.push({ kind: "failed", upload: part.upload, error: toRunError(part.cause) });
			else await returnToQueue([part.upload]);
		}
		return storedParts;
	}

	const uploadWorkers = createUploadWorkers({
		...workerOptions,
		hasVectors: true,
		// A call for vectors may take any time, and ends no process.
		countsStoringAsAttempt: false,
		listDeferred: () => [...deferred.waiting],
		async read(uploads) {
			const read = await workerOptions.read(uploads);
			if (uploads.some(({ attempts }) => attempts > 0))
				await returnToQueue(uploads.map(({ number }) => number));
			return read;
		},
		async store(read, uploads) {
			try {
				await embedAndStore(read);
			} catch (error) {
				if (!signal.aborted) throw error;
			}
			if (signal.aborted) await returnToQueue(uploads.map(({ number }) => number));
		},
	});
	return { ...uploadWorkers, retryNow: vendorCalls.retryNow };
}

function toRunError(error: unknown): RunError {
	if (!isStemmaError(error)) return embeddingFailedError;
	const { code, message, hint } = error;
	return { code, message, ...(hint !== undefined && { hint }) };
}

const embeddingFailedError: RunError = {
	code: "embedding_failed",
	message: "The embedding model fails on this document, while it answers for others.",
	hint: "Find the reason in the log of the service, then upload the document again.",
};
