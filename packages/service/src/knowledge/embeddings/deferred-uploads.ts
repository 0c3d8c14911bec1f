import { sleep } from "@stemma/core/internal";
import type { UploadRepository } from "../repositories/upload-repository";
import { documentBackoffMs, MAX_DOCUMENT_ATTEMPTS } from "./backoff";

/**
 * Uploads that the vendor failed on while it answered others. Each goes back to the end of the queue, later each time. A
 * process that begins knows of none, and counts anew, unless the store has counted for all instances.
 */
export interface DeferredUploads {
	/** @returns false when it had all its tries. */
	add(upload: number, cause: unknown): boolean;
	/** Notes tries that failed before, maybe on another instance. */
	restore(upload: number, failures: number): void;
	/** Checks whether an upload was tried before. */
	has(upload: number): boolean;
	/** Removes an upload that was stored, or that failed. */
	delete(upload: number): void;
	/** Uploads that are waiting for their retry. */
	readonly waiting: ReadonlySet<number>;
	/** Undefined when none waits. */
	readonly idlePromise: Promise<unknown> | undefined;
}

export interface DeferredUploadsOptions {
	readonly uploads: Pick<UploadRepository, "requeue">;
	/** One is in the queue again. */
	readonly onRequeued: () => void;
	readonly onError: (error: unknown) => void;
	/** Signal after which nothing is put into the queue. */
	readonly signal: AbortSignal;
}

const STORE_RETRY_MS = 5_000;

export function createDeferredUploads({
	uploads,
	onRequeued,
	onError,
	signal,
}: DeferredUploadsOptions): DeferredUploads {
	const attempts = new Map<number, number>();
	const waiting = new Set<number>();
	const pendingRequeues = new Set<Promise<void>>();

	async function requeueAfter(upload: number, count: number, waitMs: number): Promise<void> {
		for (let nextMs = waitMs; ; nextMs = STORE_RETRY_MS) {
			await sleep(nextMs, signal);
			if (signal.aborted) return;
			try {
				const requeued = await uploads.requeue({ upload, vendorFailures: count });
				waiting.delete(upload);
				if (requeued !== null) attempts.set(requeued, count);
				return onRequeued();
			} catch (error) {
				onError(error);
			}
		}
	}

	return {
		waiting,
		get idlePromise() {
			return pendingRequeues.size === 0 ? undefined : Promise.all(pendingRequeues);
		},
		restore: (upload, failures) => void attempts.set(upload, failures),
		has: (upload) => attempts.has(upload),
		delete: (upload) => void attempts.delete(upload),
		add(upload, cause) {
			const count = (attempts.get(upload) ?? 0) + 1;
			attempts.delete(upload);
			if (count >= MAX_DOCUMENT_ATTEMPTS) return false;
			waiting.add(upload);
			const requeue = requeueAfter(upload, count, documentBackoffMs(cause, count));
			pendingRequeues.add(requeue);
			requeue.finally(() => pendingRequeues.delete(requeue));
			return true;
		},
	};
}
