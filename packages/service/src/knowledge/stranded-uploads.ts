import type { Database } from "../store/database";
import type { KnowledgeTables } from "./knowledge-tables";
import { pause } from "./pause";
import { QUEUE_AGAIN } from "./queue-again-job";
import { MAX_TRIES, toDocumentPauseMs } from "./vendor-pauses";

/**
 * Uploads that the vendor failed on while it answered others. Each goes back to the end of the queue, later each time; a
 * process that begins knows of none, and counts anew.
 */
export interface StrandedUploads {
	/** @returns false when it had all its tries. */
	add(upload: number, cause: unknown): boolean;
	/** Whether it had a try before. */
	has(upload: number): boolean;
	/** It is stored, or failed. */
	forget(upload: number): void;
	/** Those whose turn has not come. */
	readonly waiting: ReadonlySet<number>;
	/** Undefined when none waits. */
	readonly running: Promise<unknown> | undefined;
}

export interface StrandedUploadsOptions {
	readonly database: Database<KnowledgeTables>;
	/** One is in the queue again. */
	readonly onTurn: () => void;
	readonly onError: (error: unknown) => void;
	/** Nothing is put into the queue after this. */
	readonly signal: AbortSignal;
}

const STORE_RETRY_MS = 5_000;

export function createStrandedUploads({
	database,
	onTurn,
	onError,
	signal,
}: StrandedUploadsOptions): StrandedUploads {
	const tries = new Map<number, number>();
	const waiting = new Set<number>();
	const returns = new Set<Promise<void>>();

	async function giveTurn(upload: number, count: number, waitMs: number): Promise<void> {
		for (let nextMs = waitMs; ; nextMs = STORE_RETRY_MS) {
			await pause(nextMs, signal);
			if (signal.aborted) return;
			try {
				const again = await database.writeJob<number | null>(QUEUE_AGAIN, upload);
				waiting.delete(upload);
				if (again !== null) tries.set(again, count);
				return onTurn();
			} catch (error) {
				onError(error);
			}
		}
	}

	return {
		waiting,
		get running() {
			return returns.size === 0 ? undefined : Promise.all(returns);
		},
		has: (upload) => tries.has(upload),
		forget: (upload) => void tries.delete(upload),
		add(upload, cause) {
			const count = (tries.get(upload) ?? 0) + 1;
			tries.delete(upload);
			if (count >= MAX_TRIES) return false;
			waiting.add(upload);
			const returning = giveTurn(upload, count, toDocumentPauseMs(cause, count));
			returns.add(returning);
			returning.finally(() => returns.delete(returning));
			return true;
		},
	};
}
