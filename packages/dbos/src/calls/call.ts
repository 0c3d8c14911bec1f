import type { Json } from "@stemma/core";

/** A call of a port that waits to be made, and what takes its outcome. */
export interface CallRequest {
	/** Name of its step: `tool refund`. */
	readonly name: string;
	/**
	 * Stores that the call is about to start, before it does: a later execution knows then that it may have been made. True for
	 * calls that change something, or cost something.
	 */
	readonly storesStart: boolean;
	/**
	 * Makes the call. Never rejects.
	 *
	 * @param isRepeated - an earlier execution has started it, and ended before the outcome was stored.
	 */
	perform(isRepeated: boolean): Promise<Outcome>;
	/** Gives the stored outcome to the engine. */
	deliver(outcome: Outcome): void;
}

/** Outcome of a call as it is stored: JSON. */
export type Outcome = Readonly<Record<string, Json>>;

/** Record of a call: its outcome, and its place among the outcomes of the run. */
export interface CallRecord {
	readonly order: number;
	/** Epoch milliseconds. */
	readonly at: number;
	readonly outcome: Outcome;
}

/** Record of a call that the run no longer waited for. */
export interface DiscardedCall {
	readonly discarded: true;
}
