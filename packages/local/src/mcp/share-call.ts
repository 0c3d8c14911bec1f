import { abortReason } from "../platform";

interface SharedCall<Result> {
	readonly result: Promise<Result>;
	readonly controller: AbortController;
	waiting: number;
}

/**
 * One call for all who want its result at the same time. Whoever is aborted waits no longer; the call itself is aborted
 * when nobody waits for it any more.
 */
export function shareCall<Result>(
	start: (signal: AbortSignal) => Promise<Result>,
): (signal: AbortSignal) => Promise<Result> {
	let current: SharedCall<Result> | undefined;

	function begin(): SharedCall<Result> {
		const controller = new AbortController();
		const call = { result: start(controller.signal), controller, waiting: 0 };
		const leave = (): void => {
			if (current === call) current = undefined;
		};
		call.result.then(leave, leave);
		return call;
	}

	return (signal) => {
		if (signal.aborted) return Promise.reject(abortReason(signal));
		const call = current ?? begin();
		current = call;
		call.waiting += 1;
		return new Promise((resolve, reject) => {
			const giveUp = (): void => {
				call.waiting -= 1;
				if (call.waiting === 0) {
					if (current === call) current = undefined;
					call.controller.abort();
				}
				reject(abortReason(signal));
			};
			signal.addEventListener("abort", giveUp);
			call.result.then(resolve, reject).then(() => signal.removeEventListener("abort", giveUp));
		});
	};
}
