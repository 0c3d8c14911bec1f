import { createId } from "@stemma/core/internal";
import type { EngineHost } from "@stemma/engine";

/** The clock, timers and chance of whatever platform this is; looked up when they are needed. */
export const platformHost: EngineHost = {
	now: () => Date.now(),
	setTimer(milliseconds, callback) {
		const timer = setTimeout(callback, Math.min(milliseconds, LONGEST_TIMER));
		return () => clearTimeout(timer);
	},
	createId: (prefix) => createId(prefix, Date.now(), randomBytes(10)),
};

/** Longer delays overflow and fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** React Native and Node 18 have no global `crypto`; ids and boundaries there rest on `Math.random`. */
function randomBytes(count: number): Uint8Array {
	const bytes = new Uint8Array(count);
	const { crypto } = globalThis as { readonly crypto?: Pick<Crypto, "getRandomValues"> };
	if (crypto !== undefined) return crypto.getRandomValues(bytes);
	return bytes.map(() => Math.floor(Math.random() * 256));
}
