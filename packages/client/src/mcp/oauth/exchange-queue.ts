import { createCallTimeout } from "../../http/call-timeout";

/** Requests that use up a code or a refresh token, one after the other. */
export interface ExchangeQueue<Result> {
	/** The exchange that is under way; starts one if there is none. */
	share(signal: AbortSignal, start: () => Promise<Result>): Promise<Result>;
	/** Starts another exchange, after the one that is under way. */
	add(signal: AbortSignal, start: () => Promise<Result>): Promise<Result>;
	/** Waits until no exchange is under way, whether it succeeds or not. */
	waitUntilIdle(signal: AbortSignal): Promise<void>;
}

/**
 * Each exchange runs to its end, as an answer that is lost takes with it what the request used up. A signal ends the wait for
 * it and nothing else.
 */
export function createExchangeQueue<Result>(): ExchangeQueue<Result> {
	let last: Promise<Result> | undefined;

	function run(start: () => Promise<Result>): Promise<Result> {
		const exchange = last === undefined ? start() : last.then(start, start);
		const end = (): void => {
			if (last === exchange) last = undefined;
		};
		exchange.then(end, end);
		last = exchange;
		return exchange;
	}

	return {
		share: (signal, start) => waitFor(last ?? run(start), signal),
		add: (signal, start) => waitFor(run(start), signal),
		async waitUntilIdle(signal) {
			while (last !== undefined) {
				const ended = () => undefined;
				await waitFor(last.then(ended, ended), signal);
			}
		},
	};
}

function waitFor<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
	const callTimeout = createCallTimeout({}, signal);
	return callTimeout.wait(work).finally(() => callTimeout.end());
}
