import type { ApprovalDecision, RunError, RunResult } from "@stemma/core";
import { isStemmaError, StemmaError } from "@stemma/core/errors";
import { clock } from "@stemma/core/internal";
import type { SourceEvent } from "../store/event-record";
import type { RunSegment } from "./run-segment";
import { createTerminalEvent, type RunEnd } from "./terminal-event";

/** Run as it is when it is first followed in this process: new, or paused. */
export interface RunOrigin {
	/** Empty for a run whose first event has its id. */
	readonly id: string;
	readonly isBackground: boolean;
	/** Sequence number of its last event; 0 for none. */
	readonly lastSeq: number;
	/** Result of its last pause. */
	readonly lastPause?: RunResult | undefined;
}

const noop = (): void => undefined;

/**
 * A run in progress: follows its source from segment to segment, whether anyone reads or not. Every run gets a last event,
 * also where its source breaks off. A class, as it takes less memory than closures do.
 */
export abstract class ActiveRun {
	id: string;
	readonly isBackground: boolean;
	/** The final text so far. */
	text = "";
	/** Result once the run has ended. */
	result: RunResult | undefined;
	/** Result while the run waits for approvals. */
	paused: RunResult | undefined;
	#lastSeq: number;
	/** Result of the last pause; kept after the pause, for a run that is cut off later. */
	#lastPause: RunResult | undefined;
	#isCancelled = false;
	#isAbandoned = false;
	/** Reason of a cancellation that nobody requested. */
	#stopReason: RunError | undefined;
	#abort = noop;
	#segment: RunSegment | undefined;
	#isSettled = false;
	#settledWaiters: (() => void)[] | undefined;

	constructor({ id, isBackground, lastSeq, lastPause }: RunOrigin) {
		this.id = id;
		this.isBackground = isBackground;
		this.#lastSeq = lastSeq;
		this.#lastPause = lastPause;
	}

	/** Stores an event and hands it on. */
	protected abstract onEvent(event: SourceEvent): void;
	/** Called once the run has ended or paused; calls {@link resolveSettled} when that is stored. */
	protected abstract onSettled(): void;
	/** Converts the error with which the source broke off to the error of the run. */
	protected abstract toRunError(error: unknown): RunError;

	/** The event that is stored in place of one of the source. Default: the event itself. */
	protected replaceEvent(event: SourceEvent): SourceEvent {
		return event;
	}

	/** Called when the source broke off before an end or a pause. */
	protected onBroken(error: unknown): void {
		this.end(this.#isCancelled ? undefined : this.toRunError(error));
	}

	/** Follows a segment of the run: its events, and its end. */
	protected follow(segment: RunSegment): void {
		this.paused = undefined;
		this.#isSettled = false;
		this.#segment = segment;
		if (this.#isCancelled) segment.cancel();
		// Workers refuse to abort for one request what another has begun; a promise may be resolved by any of them.
		else
			void new Promise<void>((resolve) => {
				this.#abort = resolve;
			}).then(() => segment.cancel());
		segment
			.follow((event) => this.#apply(event))
			.then(
				() => this.#onSegmentEnd(segment, undefined),
				(error: unknown) => this.#onSegmentEnd(segment, error),
			);
	}

	/** The source ends after an end or a pause; it broke where there was none. */
	#onSegmentEnd(segment: RunSegment, error: unknown): void {
		if (segment === this.#segment) this.onBroken(error ?? interruptedError());
	}

	get isCancelled(): boolean {
		return this.#isCancelled;
	}

	get isAbandoned(): boolean {
		return this.#isAbandoned;
	}

	get lastSeq(): number {
		return this.#lastSeq;
	}

	/** Cancels it; nothing happens to a run that has ended. */
	cancel(): void {
		if (this.result !== undefined || this.#isAbandoned) return;
		this.#isCancelled = true;
		this.#abort();
	}

	/** Cancels it for a reason that is not the caller's: it ends as failed, with what its source has done. */
	stop(reason: RunError): void {
		if (!this.#isCancelled) this.#stopReason = reason;
		this.cancel();
	}

	/** Ends it now, whatever its source still does: failed for a reason, or cancelled. */
	end(error: RunError | undefined): void {
		if (this.result !== undefined || this.#isAbandoned) return;
		this.#abort();
		const { id: runId, text } = this;
		const done = { ...this.#lastPause, ...(text !== "" && { output: text }) };
		const end: RunEnd = error === undefined ? { status: "cancelled" } : { status: "failed", error };
		this.#apply(createTerminalEvent({ runId, lastSeq: this.#lastSeq, done }, end, clock.now()));
	}

	/** Stops it without an end, since another process has claimed it: what its source still does is dropped. */
	abandon(): void {
		if (this.#isAbandoned || this.result !== undefined || this.paused !== undefined) return;
		this.#isAbandoned = true;
		this.#abort();
		this.#release();
		this.onSettled();
	}

	/** Decides on an approval. Returns false where it is not open, or not any more: the run may just have paused. */
	decide(decision: ApprovalDecision): boolean {
		try {
			this.#segment?.decide(decision);
			return this.#segment !== undefined;
		} catch (error) {
			if (isStemmaError(error) && error.code === "approval_not_found") return false;
			throw error;
		}
	}

	/** State that the run is resumed with after its pause. */
	protected save(): string {
		return this.#segment?.save() ?? "";
	}

	/** Resolves once the run has ended or paused, and that is stored. Never rejects. */
	async settled(): Promise<void> {
		if (this.#isSettled) return;
		await new Promise<void>((resolve) => {
			this.#settledWaiters ??= [];
			this.#settledWaiters.push(resolve);
		});
	}

	protected resolveSettled(): void {
		this.#isSettled = true;
		const waiters = this.#settledWaiters;
		this.#settledWaiters = undefined;
		if (waiters !== undefined) for (const resolve of waiters) resolve();
	}

	#apply(sourceEvent: SourceEvent): void {
		if (this.result !== undefined || this.#isAbandoned) return;
		const stopped = this.#stopReason && toStopEvent(sourceEvent, this.#stopReason);
		const event = this.replaceEvent(stopped ?? sourceEvent);
		this.#lastSeq = event.seq;
		if (event.type === "text.delta") {
			if (event.final) this.text += event.text;
		} else if (event.type === "text.reset") this.text = "";
		else if (event.type === "run.paused") {
			this.paused = event.result;
			this.#lastPause = event.result;
		} else if ("result" in event) {
			this.paused = undefined;
			this.result = event.result;
		}
		this.onEvent(event);
		if (this.result === undefined && this.paused === undefined) return;
		this.#release();
		this.onSettled();
	}

	/** Releases everything that a run that does not move does not need, since it may be kept for a while. */
	#release(): void {
		this.#segment = undefined;
		this.#abort = noop;
		if (this.result === undefined) return;
		this.#lastPause = undefined;
		this.text = "";
	}
}

const toStopEvent = (event: SourceEvent, error: RunError): SourceEvent | undefined =>
	event.type === "run.cancelled"
		? { ...event, type: "run.failed", error, result: { ...event.result, status: "failed", error } }
		: undefined;

const interruptedError = (): StemmaError =>
	new StemmaError("The run's events stopped before its end.", {
		code: "upstream_unavailable",
		hint: "Run it again.",
	});
