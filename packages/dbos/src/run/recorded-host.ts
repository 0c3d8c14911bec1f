import { createHash } from "node:crypto";
import { createId, sleep } from "@stemma/core/internal";
import type { EngineHost } from "@stemma/engine";
import type { CallLog } from "../calls/call-log";

/** Number of random bytes in an id. */
const ID_BYTES = 10;

/**
 * Clock, timers and ids that are the same in every execution of a run: the time is that of the last stored outcome, a timer
 * is a call that ends by the clock, and ids are made of the seed.
 *
 * @param seed - random, and stored with the run.
 */
export function createRecordedHost(log: CallLog, seed: string): EngineHost {
	let ids = 0;
	return {
		now: () => log.now,
		setTimer(milliseconds, callback) {
			const controller = new AbortController();
			const end = log.now + milliseconds;
			log.request({
				name: "time limit",
				storesStart: false,
				async perform() {
					await sleepUntil(end, log, controller.signal);
					return {};
				},
				deliver: callback,
			});
			return () => controller.abort();
		},
		createId(prefix) {
			ids += 1;
			const digest = createHash("sha256").update(`${seed} ${ids}`).digest();
			return createId(prefix, log.now, digest.subarray(0, ID_BYTES));
		},
	};
}

/** Timers end early by a millisecond, and cannot be longer than 24 days. */
async function sleepUntil(end: number, log: CallLog, signal: AbortSignal): Promise<void> {
	for (let left = end - log.readClock(); left > 0 && !signal.aborted; left = end - log.readClock())
		await sleep(left, signal);
}
