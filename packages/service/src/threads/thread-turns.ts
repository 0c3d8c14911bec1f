import { clock } from "@stemma/core/internal";
import type { Runs } from "../runs/runs";
import { cancelElsewhere, onCancel } from "../store/claims/cancel-work";
import { ownClaims, type WorkClaims } from "../store/claims/work-claims";
import type { NewTurn } from "./new-turn";
import { INTERRUPTED } from "./stored-thread";
import { answerInterrupted } from "./thread-errors";
import type { ThreadRepository, UnfinishedMessage } from "./thread-repository";

/** Place of one answer among those of its thread. */
export interface TurnPlace {
	readonly threadId: string;
	readonly messageId: string;
}

/** Answer without a run that is in progress in this process, or waits for its turn. */
interface ActiveAnswer {
	readonly controller: AbortController;
	readonly ended: Promise<void>;
}

/** Answer without a run that was appended to its thread. */
export interface AppendedAnswer {
	/** Id of the message that it answers. */
	readonly questionId: string;
	/** Aborts when the answer is interrupted. */
	readonly signal: AbortSignal;
	/** Called once its end is stored: those that wait for it go on. */
	close(): void;
	/** Called in place of {@link close} where its end could not be stored: those that wait store one. */
	abandon(): void;
}

/** Options of the turns of one workspace. */
export interface ThreadTurnsOptions {
	readonly repository: Pick<ThreadRepository, "appendTurn" | "listUnfinished" | "endMessage">;
	readonly runs: Pick<Runs, "watch" | "cancel">;
	/** Default: the store is of this process alone. */
	readonly claims?: WorkClaims | undefined;
}

/** Turns of the answers of one workspace: those of a thread are written one after the other. */
export class ThreadTurns {
	readonly #options: ThreadTurnsOptions;
	readonly #answers = new Map<string, ActiveAnswer>();
	readonly #claims: WorkClaims;
	readonly #unsubscribe: () => void;

	constructor(options: ThreadTurnsOptions) {
		this.#options = options;
		this.#claims = options.claims ?? ownClaims;
		this.#unsubscribe = onCancel(this.#claims, "answer", (id) =>
			this.#answers.get(id)?.controller.abort(answerInterrupted()),
		);
	}

	/** Takes no more notice of other instances. */
	stop(): void {
		this.#unsubscribe();
	}

	/** Waits until the answers before one of the same thread have ended. @throws the reason of the signal. */
	async waitForPredecessors({ threadId, messageId }: TurnPlace, signal: AbortSignal): Promise<void> {
		const { repository } = this.#options;
		for (;;) {
			signal.throwIfAborted();
			const [before] = await repository.listUnfinished(threadId, messageId);
			if (before === undefined) return;
			await this.#waitForEnd(before, signal);
			signal.throwIfAborted();
			// An end that was lost keeps nobody waiting.
			await repository.endMessage(before.id, INTERRUPTED, clock.now());
		}
	}

	/**
	 * Cancels the answers of a thread that are in progress or wait, the last one first; resolves once they have ended. With
	 * a message, those alone that are before it.
	 *
	 * @param assertMayCancelRuns - called where runs are among them; what it throws cancels nothing.
	 */
	async interrupt(
		{ threadId, messageId }: Pick<TurnPlace, "threadId"> & Partial<TurnPlace>,
		assertMayCancelRuns?: () => void,
	): Promise<void> {
		const { repository, runs } = this.#options;
		const unfinished = await repository.listUnfinished(threadId, messageId);
		if (unfinished.some(({ run_id }) => run_id !== null)) assertMayCancelRuns?.();
		for (const { id, run_id } of unfinished.toReversed()) {
			if (run_id !== null) await runs.cancel(run_id);
			else await this.#cancelAnswer(id);
			await repository.endMessage(id, CANCELLED, clock.now());
		}
	}

	/** Appends a message and its answer, which has no run. Close it once it has ended. @throws what `assertAllowed` throws. */
	async append(turn: NewTurn): Promise<AppendedAnswer> {
		const controller = new AbortController();
		const { promise: ended, resolve } = Promise.withResolvers<void>();
		const claim = { kind: "answer", id: turn.answerId } as const;
		const close = (): void => {
			this.#answers.delete(turn.answerId);
			void this.#claims.release(claim).then(resolve);
		};
		const abandon = (): void => {
			this.#answers.delete(turn.answerId);
			this.#claims.abandon(claim);
			resolve();
		};
		// Before it is stored: whoever finds it there waits for it.
		this.#answers.set(turn.answerId, { controller, ended });
		try {
			const questionId = await this.#options.repository.appendTurn(turn);
			return { questionId, signal: controller.signal, close, abandon };
		} catch (error) {
			close();
			throw error;
		}
	}

	async #waitForEnd({ id, run_id }: UnfinishedMessage, signal: AbortSignal): Promise<void> {
		if (run_id === null) return this.#waitForAnswer(id, signal);
		const { runs } = this.#options;
		for await (const _ of runs.watch(run_id, Number.MAX_SAFE_INTEGER, signal, { untilEnd: true }));
	}

	async #waitForAnswer(id: string, signal: AbortSignal): Promise<void> {
		const answer = this.#answers.get(id);
		if (answer === undefined) return this.#claims.untilReleased({ kind: "answer", id }, signal);
		const aborted = Promise.withResolvers<void>();
		signal.addEventListener("abort", () => aborted.resolve(), { once: true });
		await Promise.race([answer.ended, aborted.promise]);
	}

	async #cancelAnswer(id: string): Promise<void> {
		const answer = this.#answers.get(id);
		if (answer === undefined) return cancelElsewhere(this.#claims, { kind: "answer", id });
		answer.controller.abort(answerInterrupted());
		await answer.ended;
	}
}

const CANCELLED = { status: "cancelled", text: "" } as const;
