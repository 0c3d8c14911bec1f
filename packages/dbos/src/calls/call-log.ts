import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { ConfigurationError } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import { endOfJournal } from "../journal/end-of-journal";
import type { Journal } from "../journal/journal";
import type { CallRecord, CallRequest, DiscardedCall } from "./call";
import { createDeferred } from "./deferred";
import { OpenCall } from "./open-call";

/**
 * Calls of one run. All of them are made at once, each as a step of the journal; their outcomes are stored one at a time,
 * with a number, and given to the engine in that order. So an execution that reads them from the journal makes the same
 * run of them as the one that stored them, in which any of them could have come first.
 */
export class CallLog {
	readonly #journal: Journal;
	/** Names this execution of the run, as opposed to those before it. */
	readonly #execution = randomUUID();
	readonly #requests: CallRequest[] = [];
	readonly #open = new Set<OpenCall>();
	readonly #finished: OpenCall[] = [];
	readonly #interrupted = createDeferred<never>();
	#failure: { readonly error: unknown } | undefined;
	#delivered = 0;
	#changed = createDeferred();
	#now: number;
	/** Time for which no execution ran, up to this one. */
	#downtimeMs: number | undefined;

	/** @param now - epoch milliseconds at which the run began. */
	constructor(journal: Journal, now: number) {
		this.#journal = journal;
		this.#now = now;
	}

	/** Time of the last outcome: that of the run, which is the same in every execution. */
	get now(): number {
		return this.#now;
	}

	/** Sets the time of the run to one that was stored. */
	moveTo(now: number): void {
		this.#now = Math.max(this.#now, now);
		this.#downtimeMs = undefined;
	}

	/** Reads the clock. The time of a run is stopped while no process runs it: its limit is one of running time. */
	readClock(): number {
		const now = clock.now();
		this.#downtimeMs ??= now - this.#now;
		return Math.max(this.#now, now - this.#downtimeMs);
	}

	request(call: CallRequest): void {
		this.#requests.push(call);
	}

	/**
	 * Starts the calls that were requested, and delivers one outcome.
	 *
	 * @throws what a step rejects with, where the run cannot go on in this execution.
	 */
	async deliverNext(): Promise<void> {
		await this.#startRequested();
		await this.#until(() => [...this.#open].every(({ isKnown }) => isKnown));
		const call = this.#findRecorded() ?? (await this.#recordNext());
		const { record } = call;
		if (record === undefined || "discarded" in record) return;
		this.#open.delete(call);
		this.#delivered += 1;
		this.#now = record.at;
		call.request.deliver(record.outcome);
		await settle();
	}

	/** Ends all calls that are open: the run does not wait for their outcomes any more. */
	async discard(): Promise<void> {
		await this.#startRequested();
		for (const call of this.#open) call.discard();
		await this.#until(() => [...this.#open].every(({ record }) => record !== undefined));
		this.#open.clear();
		this.#finished.length = 0;
	}

	async #startRequested(): Promise<void> {
		if (this.#failure !== undefined) throw this.#failure.error;
		const requests = this.#requests.splice(0);
		const stored = requests.filter(({ storesStart }) => storesStart);
		const isRepeated = stored.length > 0 && (await this.#storeStart(stored));
		for (const request of requests) this.#start(new OpenCall(request, isRepeated && request.storesStart));
	}

	/** @returns whether an earlier execution has stored their start. */
	async #storeStart(requests: readonly CallRequest[]): Promise<boolean> {
		const names = requests.map(({ name }) => name).join(", ");
		return (await this.#journal.step(`start ${names}`, async () => this.#execution)) !== this.#execution;
	}

	#start(call: OpenCall): void {
		this.#open.add(call);
		const stored = this.#journal.step<CallRecord | DiscardedCall>(call.request.name, (signal) =>
			this.#perform(call, signal),
		);
		stored.then(
			(record) => this.#change(() => call.setRecord(record)),
			(error: unknown) => this.#fail(error),
		);
	}

	/** Body of a call's step: reached only where its outcome is not stored yet. */
	#perform(call: OpenCall, signal: AbortSignal | undefined): Promise<CallRecord | DiscardedCall> {
		this.#change(() => call.setUnrecorded());
		const cancelled = createDeferred<never>();
		const cancel = (): void => cancelled.reject(signal?.reason);
		signal?.addEventListener("abort", cancel, { once: true });
		if (signal?.aborted === true) cancel();
		const recorded = call.perform(() => this.#change(() => this.#finished.push(call)));
		return Promise.race([recorded, cancelled.promise, this.#interrupted.promise]).finally(() =>
			signal?.removeEventListener("abort", cancel),
		);
	}

	/** Finds the call whose stored outcome comes next. */
	#findRecorded(): OpenCall | undefined {
		const recorded = [...this.#open].filter(({ order }) => order !== undefined);
		const next = recorded.find(({ order }) => order === this.#delivered);
		if (next === undefined && recorded.length > 0) throw journalMismatch();
		return next;
	}

	/** Waits for a call to end, and stores its outcome as the next one. Calls start only here, where nothing is left to read. */
	async #recordNext(): Promise<OpenCall> {
		if (!this.#journal.isOpen) throw endOfJournal();
		this.readClock();
		for (const call of this.#open) call.start();
		const next = await this.#until(() => this.#finished.shift());
		next.admit({ order: this.#delivered, at: this.readClock() });
		return this.#until(() => (next.record === undefined ? undefined : next));
	}

	/** The first error counts. Steps that still run end with it, but after a cancellation: those end by their signals. */
	#fail(error: unknown): void {
		if (this.#failure !== undefined) return;
		this.#change(() => {
			this.#failure = { error };
		});
		if (!this.#journal.isCancellation(error)) this.#interrupted.reject(error);
	}

	#change(change: () => void): void {
		change();
		this.#changed.resolve();
		this.#changed = createDeferred();
	}

	async #until<Value>(find: () => Value | undefined | false): Promise<Value> {
		for (;;) {
			if (this.#failure !== undefined) throw this.#failure.error;
			const found = find();
			if (found !== undefined && found !== false) return found;
			await this.#changed.promise;
		}
	}
}

/** Waits until the engine has done all that follows from an outcome: it waits for nothing but its ports. */
export const settle = (): Promise<void> => setImmediate();

const journalMismatch = (): ConfigurationError =>
	new ConfigurationError("The stored steps of this run are not those that its graph and ports lead to.", {
		code: "journal_mismatch",
		hint: "Continue a run with the version of the program that started it: give each version an `applicationVersion` of DBOS.",
	});
