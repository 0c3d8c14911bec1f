import { abortReason } from "./abort-reason";

interface Flight<Result> {
	readonly result: Promise<Result>;
	readonly controller: AbortController;
	waiting: number;
}

/**
 * Shares one call among all callers that want its result at the same time. A caller whose signal is aborted waits no
 * longer; the call itself is aborted when no caller waits for it any more.
 *
 * @param start - the call; it gets the request of the caller that came first.
 */
export function singleFlight<Result, Request = void>(
	start: (signal: AbortSignal, request: Request) => Promise<Result>,
): (signal: AbortSignal, request: Request) => Promise<Result> {
	let current: Flight<Result> | undefined;

	function begin(request: Request): Flight<Result> {
		const controller = new AbortController();
		const flight = { result: start(controller.signal, request), controller, waiting: 0 };
		const end = (): void => {
			if (current === flight) current = undefined;
		};
		flight.result.then(end, end);
		return flight;
	}

	return (signal, request) => {
		if (signal.aborted) return Promise.reject(abortReason(signal));
		const flight = current ?? begin(request);
		current = flight;
		flight.waiting += 1;
		return new Promise((resolve, reject) => {
			const onAbort = (): void => {
				flight.waiting -= 1;
				if (flight.waiting === 0) {
					if (current === flight) current = undefined;
					flight.controller.abort();
				}
				reject(abortReason(signal));
			};
			signal.addEventListener("abort", onAbort);
			flight.result.then(resolve, reject).then(() => signal.removeEventListener("abort", onAbort));
		});
	};
}
