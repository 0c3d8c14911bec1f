import { DomainError } from "../../errors/domain-error";
import type { Work, WorkClaims } from "../../store/claims/work-claims";
import type { PassageEmbedder } from "../embeddings/passage-embedder";
import { type BackgroundWorker, createBackgroundWorker } from "../ingest/background-worker";
import type { ReindexRepository, StoredReindex } from "../repositories/reindex-repository";
import { createPausedMoves } from "./paused-moves";
import { assertStored, embedBatch } from "./reindex-batch";
import { isSameSpace } from "./reindex-target";

/** Time for which the vectors of the former space are kept. */
export const REINDEX_UNDO_MS = 7 * 24 * 60 * 60_000;

/** Worker that moves knowledge bases to other embedding spaces, one after the other. */
export interface Reindexer extends Pick<BackgroundWorker, "wake" | "running"> {
	/** The vendor is called with another credential from now on: does not wait for the next try. */
	retryNow(): void;
	/** Begins to work; continues where the process before ended. */
	start(): void;
}

export interface ReindexerOptions {
	readonly repository: ReindexRepository;
	/** Claims of the moves: one instance works on each. */
	readonly claims: Pick<WorkClaims, "take" | "release">;
	/** Makes the vectors. Left out: moves to words alone are all that can be done. */
	readonly embedder: PassageEmbedder | undefined;
	readonly now: () => number;
	/** Resolves when nobody waits for a search. */
	readonly whenNoSearches: () => Promise<void>;
	/** Throws where vectors find no room on the disk. */
	readonly assertSpace: () => void;
	readonly onError: (error: unknown) => void;
	/** A knowledge base has moved: what is uploaded from now on gets vectors as before. */
	readonly onCompleted: () => void;
	/** Signal after which nothing is started. */
	readonly signal: AbortSignal;
}

const BATCH_PASSAGES = 64;
const EXPIRY_INTERVAL_MS = 60 * 60_000;

export function createReindexer(options: ReindexerOptions): Reindexer {
	const { repository, claims, now, onError, signal } = options;
	let isStarted = false;
	const paused = createPausedMoves({ repository, signal, onRetry: wake });

	async function work(): Promise<void> {
		await repository.dropBefore(now() - REINDEX_UNDO_MS);
		for (const { knowledgeBase, status } of await repository.listActive()) {
			if (signal.aborted) return;
			if (status === "paused" && paused.isBackingOff(knowledgeBase)) continue;
			const move: Work = { kind: "reindex", id: knowledgeBase };
			if (!(await claims.take(move))) continue;
			await advanceOrPause(knowledgeBase).finally(() => claims.release(move));
		}
	}

	async function advanceOrPause(knowledgeBase: string): Promise<void> {
		try {
			await advance(knowledgeBase, options);
			paused.resetBackoff();
		} catch (error) {
			if (signal.aborted) return;
			onError(error);
			await paused.add(knowledgeBase, error);
		}
	}

	const worker = createBackgroundWorker({ work, onError, signal });
	function wake(): void {
		if (isStarted && !signal.aborted) worker.wake();
	}
	return {
		wake,
		retryNow() {
			paused.clear();
			wake();
		},
		start() {
			isStarted = true;
			wake();
			const timer = setInterval(wake, EXPIRY_INTERVAL_MS);
			timer.unref();
			signal.addEventListener("abort", () => clearInterval(timer));
		},
		get running() {
			return worker.running;
		},
	};
}

/** Takes a move as far as it goes. @throws what it has to pause for. */
async function advance(knowledgeBase: string, options: ReindexerOptions): Promise<void> {
	const { repository, signal, now, onCompleted, whenNoSearches } = options;
	do await whenNoSearches();
	while ((await repository.clear(knowledgeBase)) && !signal.aborted);
	for (let after = ""; !signal.aborted; ) {
		const batch = await repository.next({ knowledgeBase, after, limit: BATCH_PASSAGES });
		if (batch === undefined) return;
		if (batch.passages.length > 0) {
			if (!(await indexBatch(knowledgeBase, batch.passages, options))) return;
			after = batch.last;
		} else if (after !== "") after = "";
		else if (await repository.complete({ knowledgeBase, now: now() })) return onCompleted();
	}
}

/** @returns false where the move has stopped. */
async function indexBatch(
	knowledgeBase: string,
	passages: Parameters<typeof embedBatch>[0],
	options: ReindexerOptions,
): Promise<boolean> {
	const { repository, signal, assertSpace, whenNoSearches } = options;
	assertSpace();
	const reindex = (await repository.find(knowledgeBase))?.reindex;
	if (reindex === undefined) return false;
	const { embedder, space } = await requireEmbedder(reindex, options);
	const vectors = await embedBatch(passages, embedder, signal);
	await whenNoSearches();
	const result = await repository.store({ knowledgeBase, space, vectors });
	assertStored(result, space);
	return result === "stored";
}

/** @throws DomainError where another model makes vectors by now, or somebody else would pay for them. */
async function requireEmbedder({ target, payer }: StoredReindex, { embedder }: ReindexerOptions) {
	const space = embedder?.space;
	if (embedder === undefined || space === undefined || !isSameSpace(target, space))
		throw new DomainError(
			"embeddings_not_configured",
			`No vectors of ${target?.model} are made here any more.`,
			{ hint: "Have it configured again, or cancel this move and start another." },
		);
	const plan = await embedder.plan?.();
	if (plan !== undefined && plan.payer !== payer)
		throw new DomainError("payer_changed", `The payer of this move would change: ${plan.reason}`, {
			hint: "Start the move again to continue with that payer, or cancel it.",
		});
	return { embedder, space };
}
