import { runWithTimeout } from "../../http/call-timeout";

/**
 * Requests that use up a code or a refresh token, one after the other. Each exchange runs to its end, as an answer that is
 * lost takes with it what the request used up. A signal ends the wait for it and nothing else.
 */
export class ExchangeQueue<Result> {
	#last: Promise<Result> | undefined;

	/** The exchange that is under way; starts one if there is none. */
	share(signal: AbortSignal, start: () => Promise<Result>): Promise<Result> {
		return waitFor(this.#last ?? this.#run(start), signal);
	}

	/** Starts another exchange, after the one that is under way. */
	add(signal: AbortSignal, start: () => Promise<Result>): Promise<Result> {
		return waitFor(this.#run(start), signal);
	}

	/** Waits until no exchange is under way, whether it succeeds or not. */
	async waitUntilIdle(signal: AbortSignal): Promise<void> {
		while (this.#last !== undefined)
			await waitFor(
				this.#last.catch(() => undefined),
				signal,
			);
	}

	#run(start: () => Promise<Result>): Promise<Result> {
		const exchange = this.#last === undefined ? start() : this.#last.then(start, start);
		const end = (): void => {
			if (this.#last === exchange) this.#last = undefined;
		};
		exchange.then(end, end);
		this.#last = exchange;
		return exchange;
	}
}

const waitFor = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
	runWithTimeout({}, signal, (limit) => limit.wait(work));
