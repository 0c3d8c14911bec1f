import { AsyncResource } from "node:async_hooks";
import type { RunEvent } from "@stemma/core";

/** Function that receives the events of a run. */
export type RunEventHandler = (event: RunEvent) => void;

/** Listeners are called outside of the workflow: what they ask of DBOS is no step of it. */
const outside = new AsyncResource("StemmaRunEvents");

/** Listeners to the runs that this process executes, and the events of those runs so far. */
export class RunWatchers {
	readonly #events = new Map<string, RunEvent[]>();
	readonly #listeners = new Map<string, Set<RunEventHandler>>();

	/** Begins an execution of a run; its events start from the first. */
	begin(runId: string): void {
		this.#events.set(runId, []);
	}

	/** Checks whether this process executes a run now. */
	isExecuting(runId: string): boolean {
		return this.#events.has(runId);
	}

	emit(runId: string, event: RunEvent): void {
		this.#events.get(runId)?.push(event);
		for (const listener of this.#listeners.get(runId) ?? []) this.#call(runId, listener, event);
	}

	end(runId: string): void {
		this.#events.delete(runId);
		this.#listeners.delete(runId);
	}

	/** Adds a listener: it gets the events so far at once. @returns what removes it. */
	add(runId: string, listener: RunEventHandler): () => void {
		const listeners = this.#listeners.get(runId) ?? new Set();
		this.#listeners.set(runId, listeners.add(listener));
		for (const event of [...(this.#events.get(runId) ?? [])]) this.#call(runId, listener, event);
		return () => this.#remove(runId, listener);
	}

	/** A listener that throws is removed: a run does not end for it. */
	#call(runId: string, listener: RunEventHandler, event: RunEvent): void {
		try {
			outside.runInAsyncScope(listener, undefined, event);
		} catch {
			this.#remove(runId, listener);
		}
	}

	#remove(runId: string, listener: RunEventHandler): void {
		const listeners = this.#listeners.get(runId);
		listeners?.delete(listener);
		if (listeners?.size === 0) this.#listeners.delete(runId);
	}
}
