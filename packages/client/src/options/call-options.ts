/** Deadlines of a call, in milliseconds. */
export interface Timeouts {
	/**
	 * Timeout for the headers of a response, for each try; and again for the whole body of a JSON response. For a
	 * stream it covers the headers only; a token that has to be fetched first is covered, too. Default 60,000.
	 *
	 * Where `fetch` cannot stream (React Native's own), the headers come with the whole body.
	 */
	readonly headersTimeoutMs: number;
	/**
	 * Timeout without a single byte on a stream; a byte comes every 15 seconds at least. After it, runs are rejoined.
	 * Default 45,000.
	 */
	readonly idleTimeoutMs: number;
	/**
	 * Timeout without an event on a stream of a run or an answer that is being read; heartbeats that are no events do
	 * not count. After it, the run is cancelled; one that is only followed goes on. Default 600,000.
	 */
	readonly eventTimeoutMs: number;
	/** The whole call with all its retries and rejoins; a run that it started is cancelled then. Default: none. */
	readonly timeoutMs?: number;
}

/** Options of every method, as its last argument. */
export interface CallOptions {
	/** Ends the call, and the run that it started; it rejects with the signal's reason. */
	readonly signal?: AbortSignal | undefined;
	/** Timeouts that replace the client's own. */
	readonly timeouts?: Partial<Timeouts> | undefined;
	/** Headers that are added to the client's own, or replace them. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/**
	 * 1 to 200 printable ASCII characters, for POST: the same key with the same request gives the same answer for 24
	 * hours. Default: made for each call, and the same for its retries. Replies that are streams of their own (`ask`,
	 * `chatCompletions`) are not kept under it.
	 */
	readonly idempotencyKey?: string | undefined;
}

/** A result with `requestId`: not enumerable, so that results print, compare and serialise as the service sent them. */
export type WithRequestId<Result> = Result & {
	/** `x-request-id` of the answer, to look for in the service's log; empty when it had none. */
	readonly requestId: string;
};

export function withRequestId<Result extends object>(
	result: Result,
	requestId: string,
): WithRequestId<Result> {
	return Object.defineProperty(result, "requestId", { value: requestId }) as WithRequestId<Result>;
}
