import { sleep } from "@stemma/core/internal";
import { rejectOnAbort } from "../ingest/reject-on-abort";
import { backoffMs } from "./backoff";
import { toFailureKind } from "./embedding-failure";
import type { PassageEmbedder } from "./passage-embedder";

/** The calls for vectors of one workspace: they share the vendor, and so what is known of it. */
export interface EmbeddingCircuitBreaker {
	/** @throws what the embedder rejects with, or the signal's reason. */
	embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
	/** Checks whether the vendor responds to a text that comes from no document. */
	probe(): Promise<boolean>;
	/** Creates an attempt: one call and its retries. */
	createAttempt(): CircuitAttempt;
	/** Ends all pauses: calls are made with another credential from now on. */
	retryNow(): void;
}

/**
 * One call and its retries. During an outage of the vendor for all texts, one attempt checks whether it has recovered,
 * and the others wait for that.
 */
export interface CircuitAttempt {
	/** Checks whether another attempt has found that the vendor is down. */
	isOpen(): boolean;
	/** @throws the signal's reason. */
	waitUntilClosed(): Promise<void>;
	/** The vendor is down: waits until it is worth another try. */
	waitForRecovery(error: unknown): Promise<void>;
	/** The call failed for once: pauses before it is made again. */
	backOff(error: unknown): Promise<void>;
	/** Call it in any case. */
	release(): void;
}

export interface CircuitBreakerOptions {
	readonly embedder: PassageEmbedder;
	/** Ends all of it at once, whatever a call does. */
	readonly signal: AbortSignal;
}

const PROBE_TEXT = "Is anybody there?";

export function createEmbeddingCircuitBreaker({
	embedder,
	signal,
}: CircuitBreakerOptions): EmbeddingCircuitBreaker {
	let outage: { readonly ended: Promise<void> } | undefined;
	let credentialChange = new AbortController();

	async function embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
		return rejectOnAbort(embedder.embed(texts, signal), signal);
	}

	function createAttempt(): CircuitAttempt {
		const { promise: ended, resolve } = Promise.withResolvers<void>();
		const ownOutage = { ended };
		let failures = 0;
		// A change during a call counts, too: the call was made with the credential from before.
		let seenChange = credentialChange.signal;
		async function backOffFor(durationMs: number): Promise<void> {
			await sleep(durationMs, AbortSignal.any([signal, seenChange]));
			if (seenChange.aborted) failures = 0;
			seenChange = credentialChange.signal;
		}
		const isOpen = () => outage !== undefined && outage !== ownOutage;
		return {
			isOpen,
			async waitUntilClosed() {
				while (isOpen()) await rejectOnAbort(outage?.ended ?? Promise.resolve(), signal);
				signal.throwIfAborted();
				seenChange = credentialChange.signal;
			},
			async waitForRecovery(error) {
				outage ??= ownOutage;
				if (outage === ownOutage) await backOffFor(backoffMs(error, failures++));
			},
			backOff: (error) => backOffFor(backoffMs(error, 0)),
			release() {
				if (outage === ownOutage) outage = undefined;
				resolve();
			},
		};
	}

	return {
		embed,
		createAttempt,
		retryNow() {
			credentialChange.abort();
			credentialChange = new AbortController();
		},
		async probe() {
			try {
				await embed([PROBE_TEXT]);
				return true;
			} catch (error) {
				signal.throwIfAborted();
				return toFailureKind(error) === "text";
			}
		},
	};
}
