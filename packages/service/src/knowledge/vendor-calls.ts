import { toFailureKind } from "./embedding-failure";
import type { PassageEmbedder } from "./passage-embedder";
import { pause } from "./pause";
import { untilAborted } from "./until-aborted";
import { toPauseMs } from "./vendor-pauses";

/** The calls for vectors of one workspace: they share the vendor, and so what is known of it. */
export interface VendorCalls {
	/** @throws what the embedder rejects with, or the signal's reason. */
	embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
	/** Whether the vendor has an answer to a text that no document is to blame for. */
	isUp(): Promise<boolean>;
	/** For one call and its repetitions. */
	createTurn(): VendorTurn;
	/** Ends all pauses: calls are made with another credential from now on. */
	retryNow(): void;
}

/** While the vendor is down for everybody, one turn tries whether it is up again, and the others wait for that. */
export interface VendorTurn {
	/** Whether another turn has found that the vendor is down. */
	isBlocked(): boolean;
	/** @throws the signal's reason. */
	whenUp(): Promise<void>;
	/** The vendor is down: waits until it is worth another try. */
	waitOut(error: unknown): Promise<void>;
	/** The call failed for once: pauses before it is made again. */
	pause(error: unknown): Promise<void>;
	/** Call it in any case. */
	end(): void;
}

export interface VendorCallsOptions {
	readonly embedder: PassageEmbedder;
	/** Ends all of it at once, whatever a call does. */
	readonly signal: AbortSignal;
}

const HARMLESS_TEXT = "Is anybody there?";

export function createVendorCalls({ embedder, signal }: VendorCallsOptions): VendorCalls {
	let outage: { readonly ended: Promise<void> } | undefined;
	let change = new AbortController();

	async function embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
		return untilAborted(embedder.embed(texts, signal), signal);
	}

	function createTurn(): VendorTurn {
		const { promise: ended, resolve } = Promise.withResolvers<void>();
		const own = { ended };
		let failures = 0;
		// A change during a call counts, too: the call was made with the credential from before.
		let seen = change.signal;
		async function pauseFor(durationMs: number): Promise<void> {
			await pause(durationMs, AbortSignal.any([signal, seen]));
			if (seen.aborted) failures = 0;
			seen = change.signal;
		}
		const isBlocked = () => outage !== undefined && outage !== own;
		return {
			isBlocked,
			async whenUp() {
				while (isBlocked()) await untilAborted(outage?.ended ?? Promise.resolve(), signal);
				signal.throwIfAborted();
				seen = change.signal;
			},
			async waitOut(error) {
				outage ??= own;
				if (outage === own) await pauseFor(toPauseMs(error, failures++));
			},
			pause: (error) => pauseFor(toPauseMs(error, 0)),
			end() {
				if (outage === own) outage = undefined;
				resolve();
			},
		};
	}

	return {
		embed,
		createTurn,
		retryNow() {
			change.abort();
			change = new AbortController();
		},
		async isUp() {
			try {
				await embed([HARMLESS_TEXT]);
				return true;
			} catch (error) {
				signal.throwIfAborted();
				return toFailureKind(error) === "text";
			}
		},
	};
}
