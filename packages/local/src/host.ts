import { clock, createIdGenerator } from "@stemma/core/internal";
import type { EngineHost } from "@stemma/engine";

/** The clock, timers and chance of whatever platform this is; looked up when they are needed. */
export const platformHost: EngineHost = {
	now: clock.now,
	setTimer(milliseconds, callback) {
		const timer = setTimeout(callback, Math.min(milliseconds, MAX_TIMER_MS));
		return () => clearTimeout(timer);
	},
	createId: createIdGenerator(clock.now, (count) => randomBytes(count)),
};

/** Longer delays overflow and fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Asking for few bytes takes as long as asking for many. */
const POOL_BYTES = 1_000;

let pool = new Uint8Array(0);
let usedBytes = 0;

function randomBytes(count: number): Uint8Array {
	if (usedBytes + count > pool.length) {
		pool = fill(new Uint8Array(POOL_BYTES));
		usedBytes = 0;
	}
	usedBytes += count;
	return pool.subarray(usedBytes - count, usedBytes);
}

/** React Native and Node 18 have no global `crypto`; ids and boundaries there rest on `Math.random`. */
function fill(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
	const { crypto } = globalThis as { readonly crypto?: Pick<Crypto, "getRandomValues"> };
	if (crypto !== undefined) return crypto.getRandomValues(bytes);
	return bytes.map(() => Math.floor(Math.random() * 256));
}
