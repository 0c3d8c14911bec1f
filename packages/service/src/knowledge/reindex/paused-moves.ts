import type { RunError } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import { sleep } from "@stemma/core/internal";
import { backoffMs } from "../embeddings/backoff";
import { toFailureKind } from "../embeddings/embedding-failure";
import type { ReindexRepository } from "../repositories/reindex-repository";

/** Moves of knowledge bases that failed, each until its next try. */
export interface PausedMoves {
	/** Stores why a move is paused, and has it tried again later; not where only a change by somebody helps. */
	add(knowledgeBase: string, error: unknown): Promise<void>;
	/** Checks whether a move is not tried again yet. */
	isBackingOff(knowledgeBase: string): boolean;
	/** All moves may be tried again at once. */
	clear(): void;
	/** A move has succeeded: the next failure waits for the shortest time. */
	resetBackoff(): void;
}

export interface PausedMovesOptions {
	readonly repository: Pick<ReindexRepository, "pause">;
	/** Signal after which no move waits any longer. */
	readonly signal: AbortSignal;
	/** Called when a move may be tried again. */
	readonly onRetry: () => void;
}

export function createPausedMoves({ repository, signal, onRetry }: PausedMovesOptions): PausedMoves {
	let failures = 0;
	const waiting = new Set<string>();

	async function retryAfter(knowledgeBase: string, durationMs: number): Promise<void> {
		await sleep(durationMs, signal);
		waiting.delete(knowledgeBase);
		onRetry();
	}

	return {
		async add(knowledgeBase, error) {
			await repository.pause(knowledgeBase, toRunError(error));
			waiting.add(knowledgeBase);
			if (toFailureKind(error) !== "text") void retryAfter(knowledgeBase, backoffMs(error, failures++));
		},
		isBackingOff: (knowledgeBase) => waiting.has(knowledgeBase),
		clear: () => waiting.clear(),
		resetBackoff() {
			failures = 0;
		},
	};
}

function toRunError(error: unknown): RunError {
	if (!isStemmaError(error))
		return {
			code: "internal_error",
			message: "The move failed, and is tried again: the log of the service says why.",
		};
	const { code, message, hint } = error;
	return { code, message, ...(hint !== undefined && { hint }) };
}
