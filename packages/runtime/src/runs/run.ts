import type { RunRecord } from "@stemma/client";
import type { Approval, ApprovalDecision, RunError, RunResult } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import { clock } from "@stemma/core/internal";
import {
	createTerminalEvent,
	EventLog,
	type EventRecord,
	type LazyRecord,
	type MemoryRun,
	type SourceEvent,
	toWireTime,
} from "@stemma/runs";
import type { RunInput, RunnableAgent, RunOptions, RunSegment } from "../agents/runnable-agent";

/** Agent and version of a run. */
export interface RunSubject {
	readonly agentId: string;
	readonly agentVersion: number;
}

/** Gets every event of one run, as it happens. */
export interface RunObserver {
	onEvent(event: SourceEvent): void;
}

/** Callbacks with which a run reports to its runtime. */
export interface RunHost {
	/** Called once the run has an id. Returns where it is stored. */
	onStart(run: Run): MemoryRun;
	/** Called with each event, after it was stored. */
	onEvent(run: Run, record: EventRecord): void;
	/** Converts the error with which the source broke off to the error of the run. */
	toRunError(error: unknown): RunError;
	/** Called when the run pauses. Returns why it cannot be kept, if so. */
	onPause(run: Run): RunError | undefined;
	/** Called when the run is resumed. */
	onResume(run: Run): void;
	onEnd(run: Run, stored: MemoryRun): void;
}

export interface RunInit {
	readonly subject: RunSubject;
	readonly host: RunHost;
	/** Get its events. */
	readonly observers: readonly RunObserver[];
}

const CANCELLED = { status: "cancelled" } as const;
/** Place of a run that has not started: it has no events. */
const NOT_STORED: MemoryRun = {
	id: "",
	log: new EventLog(0),
	status: "running",
	state: undefined,
	endedAtMs: 0,
	endedLength: 0,
};
const NO_OBSERVERS: readonly RunObserver[] = [];
const noop = (): void => undefined;

/**
 * A run under way, one that waits for approvals, or one that has ended and is still remembered. It follows its source
 * whether anyone reads or not. A class, as it takes less memory than closures do.
 */
export class Run {
	/** Id of the run; empty until it has started. */
	id = "";
	readonly subject: RunSubject;
	createdAt = "";
	/** The final text so far. */
	text = "";
	/** Result once the run has ended. */
	result: RunResult | undefined;
	/** Result while the run waits for approvals. */
	paused: RunResult | undefined;
	endedAt: string | null = null;
	/** Time at which it last began, paused, resumed or ended; RFC 3339. */
	statusAt = "";
	readonly isBackground = false;
	readonly #host: RunHost;
	#stored = NOT_STORED;
	#observers: readonly RunObserver[];
	#isCancelled = false;
	#abort = noop;
	/** Waiter for the first event of the run. */
	#startWaiter: { resolve(): void; reject(error: unknown): void } | undefined;
	#segment: RunSegment | undefined;
	#lastResult: LazyRecord | undefined;
	/** Result of the last pause; kept after the pause, for a run that is cut off later. */
	#lastPause: RunResult | undefined;
	#decisions: Map<string, ApprovalDecision["decision"]> | undefined;
	/** Promise that is pending while the run is resumed after a pause. Never fails. */
	#resuming: Promise<void> | undefined;
	#settledWaiters: ((result: RunResult) => void)[] | undefined;
	/** Reason of a cancellation that nobody requested. */
	#stopReason: RunError | undefined;

	constructor({ subject, host, observers }: RunInit) {
		this.subject = subject;
		this.#host = host;
		this.#observers = observers;
	}

	/** Starts it; it has begun when this resolves. Fails with what its source failed with, and nothing was started then. */
	async start(agent: RunnableAgent, input: RunInput, options: Omit<RunOptions, "signal">): Promise<void> {
		this.#attach(agent.start(input, { ...options, onEvent: (event) => this.#apply(event) }));
		if (this.id !== "") return;
		await new Promise<void>((resolve, reject) => {
			this.#startWaiter = { resolve, reject };
		});
	}

	#onFirstEvent({ run_id, at }: SourceEvent): void {
		this.id = run_id;
		this.createdAt = toWireTime(at);
		this.#stored = this.#host.onStart(this);
		this.#startWaiter?.resolve();
	}

	get status(): RunRecord["status"] {
		return this.#stored.status;
	}

	/** Events so far; the first ones are dropped when it grows too long. */
	get log(): EventLog {
		return this.#stored.log;
	}

	/** Characters of JSON that it keeps. */
	get length(): number {
		return this.log.length + (this.paused === undefined ? 0 : (this.#segment?.savedStateLength ?? 0));
	}

	/** The result of its end, or of its pause, as JSON. */
	get resultJson(): string {
		return this.#lastResult?.resultJson ?? "null";
	}

	/** The approvals that it waits for, once it has paused. */
	get approvals(): readonly Approval[] {
		return this.paused?.approvals ?? [];
	}

	/** Returns the result at the end or next pause of the run; at once where it has ended or is paused. */
	settled(): Promise<RunResult> {
		const result = this.result ?? this.paused;
		return result === undefined ? this.#nextSettled() : Promise.resolve(result);
	}

	async ended(): Promise<RunResult> {
		while (this.result === undefined) await this.#nextSettled();
		return this.result;
	}

	#nextSettled(): Promise<RunResult> {
		return new Promise((resolve) => {
			this.#settledWaiters ??= [];
			this.#settledWaiters.push(resolve);
		});
	}

	/** Attaches a segment of the run: follows its end and passes on a cancellation. Its events arrive separately. */
	#attach(segment: RunSegment): void {
		segment.ended.then(
			() => this.#onSegmentEnd(segment),
			(error: unknown) => this.#onSegmentEnd(segment, error),
		);
		if (this.result !== undefined) return;
		this.#segment = segment;
		if (this.#isCancelled) segment.cancel();
		// Workers refuse to abort for one request what another has begun; a promise may be resolved by any of them.
		else
			void new Promise<void>((resolve) => {
				this.#abort = resolve;
			}).then(() => segment.cancel());
	}

	/** The source ends after an end or a pause; it broke where there was none. */
	#onSegmentEnd(segment: RunSegment, error?: unknown): void {
		if (segment !== this.#segment || this.result !== undefined || this.paused !== undefined) return;
		const reason = error ?? interruptedError();
		if (this.id === "") this.#startWaiter?.reject(reason);
		else this.end(this.#isCancelled ? undefined : this.#host.toRunError(reason));
	}

	/** Cancels it; nothing happens to a run that has ended. */
	cancel(): void {
		if (this.result !== undefined) return;
		this.#isCancelled = true;
		this.#abort();
		if (this.paused !== undefined) this.#resume([]).catch(() => this.end(undefined));
	}

	/** Cancels it for a reason that is not the caller's: it ends as failed, with what its source has done. */
	stop(reason: RunError): void {
		if (!this.#isCancelled) this.#stopReason = reason;
		this.cancel();
	}

	/** Ends it now, whatever its source still does: failed for a reason, or cancelled. */
	end(error: RunError | undefined): void {
		if (this.result !== undefined) return;
		this.#abort();
		this.#apply(this.#createTerminalEvent(error));
	}

	/** Returns the decision on an approval, if there was one before. */
	findDecision(approvalId: string): ApprovalDecision["decision"] | undefined {
		return this.#decisions?.get(approvalId);
	}

	/**
	 * Decides on an open approval; a run that has paused goes on.
	 *
	 * @throws StemmaError `approval_not_found` for one that is not open; what the source fails with.
	 */
	async decide(decision: ApprovalDecision): Promise<void> {
		this.#decisions ??= new Map();
		this.#decisions.set(decision.approval_id, decision.decision);
		try {
			await this.#resuming;
			if (this.paused === undefined) await this.#decideWhileRunning(decision);
			else await this.#resume([decision]);
		} catch (error) {
			this.#decisions.delete(decision.approval_id);
			throw error;
		}
	}

	/**
	 * Decides while the run is in progress. An approval of the last pause may still be open: the source has paused
	 * again then, and its event is on its way.
	 */
	async #decideWhileRunning(decision: ApprovalDecision): Promise<void> {
		try {
			await this.#segment?.decide(decision);
		} catch (error) {
			const wasOpen = this.#lastPause?.approvals?.some(({ id }) => id === decision.approval_id);
			if (wasOpen) await this.settled();
			if (!wasOpen || this.paused === undefined) throw error;
			await this.#resume([decision]);
		}
	}

	/** Goes on without a decision: approvals that have expired are denied. */
	expire(): void {
		if (this.paused !== undefined)
			this.#resume([]).catch((error: unknown) => this.end(this.#host.toRunError(error)));
	}

	#resume(decisions: readonly ApprovalDecision[]): Promise<void> {
		const resuming = this.#resumeSegment(decisions);
		this.#resuming = resuming.catch(() => undefined);
		return resuming;
	}

	async #resumeSegment(decisions: readonly ApprovalDecision[]): Promise<void> {
		const { paused } = this;
		const segment = this.#segment;
		// From here on it is under way.
		this.paused = undefined;
		this.#stored.status = "running";
		this.#host.onResume(this);
		try {
			const onEvent = (event: SourceEvent): void => this.#apply(event);
			const next = await segment?.resume(decisions, { onEvent, isCancelled: this.#isCancelled });
			if (next !== undefined) this.#attach(next);
		} catch (error) {
			if (this.#isCancelled) this.end(undefined);
			else if (this.result === undefined && paused !== undefined) this.#restorePause(paused);
			throw error;
		}
	}

	#restorePause(paused: RunResult): void {
		this.paused = paused;
		this.#stored.status = "paused";
		this.#pause();
	}

	#apply(sourceEvent: SourceEvent): void {
		if (this.result !== undefined) return;
		const event = this.#stopReason === undefined ? sourceEvent : toStopEvent(sourceEvent, this.#stopReason);
		if (this.id === "") this.#onFirstEvent(event);
		if (event.type.startsWith("run.")) this.statusAt = toWireTime(event.at);
		const logged = this.log.append(event);
		if (event.type === "text.delta") {
			if (event.final) this.text += event.text;
		} else if (event.type === "text.reset") this.text = "";
		else if ("result" in event) this.#applyResult(event, logged);
		for (const observer of this.#observers) observer.onEvent(event);
		this.#host.onEvent(this, logged);
		if (event.type === "run.paused") this.#pause();
		else if (this.result !== undefined) this.#releaseEnded();
	}

	#applyResult(event: SourceEvent & { readonly result: RunResult }, logged: LazyRecord): void {
		this.#lastResult = logged;
		this.#stored.status = event.result.status;
		if (event.type === "run.paused") {
			this.paused = event.result;
			this.#lastPause = event.result;
			return;
		}
		this.paused = undefined;
		this.result = event.result;
		this.endedAt = toWireTime(event.at);
	}

	#pause(): void {
		const pauseError = this.#host.onPause(this);
		if (pauseError !== undefined) this.end(pauseError);
		else this.#resolveWaiters();
	}

	/** Releases everything that a run that has ended does not need, since it is kept for a while. */
	#releaseEnded(): void {
		this.#segment = undefined;
		this.#abort = noop;
		this.#lastPause = undefined;
		this.#observers = NO_OBSERVERS;
		this.text = "";
		this.#resolveWaiters();
		this.#host.onEnd(this, this.#stored);
	}

	#resolveWaiters(): void {
		const result = this.result ?? this.paused;
		const waiters = this.#settledWaiters;
		if (result === undefined || waiters === undefined) return;
		this.#settledWaiters = undefined;
		for (const resolve of waiters) resolve(result);
	}

	#createTerminalEvent(error: RunError | undefined): SourceEvent {
		const { id, text, log } = this;
		const done = { ...this.#lastPause, ...(text !== "" && { output: text }) };
		const end = error === undefined ? CANCELLED : { status: "failed" as const, error };
		return createTerminalEvent({ runId: id, lastSeq: log.lastSeq, done }, end, clock.now());
	}

	toRecord(): RunRecord {
		const result = this.result ?? this.paused;
		return {
			id: this.id,
			run_id: this.id,
			agent_id: this.subject.agentId,
			agent_slug: this.subject.agentId,
			agent_version: this.subject.agentVersion,
			status: this.status,
			background: false,
			created_at: this.createdAt,
			ended_at: this.endedAt,
			last_seq: this.log.lastSeq,
			...(result === undefined ? {} : { result }),
		};
	}
}

const toStopEvent = (event: SourceEvent, error: RunError): SourceEvent =>
	event.type === "run.cancelled"
		? { ...event, type: "run.failed", error, result: { ...event.result, status: "failed", error } }
		: event;

const interruptedError = (): StemmaError =>
	new StemmaError("The run's events stopped before its end.", {
		code: "upstream_unavailable",
		hint: "Run it again.",
	});
