import { clock } from "@stemma/core/internal";

/** Counts requests by who sends them, over the last minute. */
export interface RateLimiter {
	/** Counts one more; `0`, or how many seconds to wait where that were too many (then it is not counted). */
	count(key: string, perMinute: number): number;
	/** Counts more of what has been done already, whatever the limit: it is the next requests that have to wait. */
	charge(key: string, requests: number): void;
	/** Returns how many were counted in this minute and the one before. */
	countRecent(key: string): number;
}

interface Window {
	/** Number of the minute that `current` counts. */
	minute: number;
	current: number;
	previous: number;
}

const MINUTE_MS = 60_000;
/** Maximum senders that are counted. Beyond it, the one whose last request is oldest is forgotten. */
const MAX_WINDOWS = 10_000;

/** Other instances that count the same senders. */
export interface RatePeers {
	/** Tells the others of requests that were counted here. */
	add(key: string, minute: number, requests: number): void;
	/** Calls a function with the total of all instances for a sender and a minute, with what the others do not know yet. */
	onTotal(listener: (key: string, minute: number, total: number) => void): void;
}

/**
 * A sliding window of two counters: the minute before counts by what of it lies within the last 60 seconds. Exact where
 * requests come evenly, and never a burst of twice the limit, as fixed minutes would allow.
 *
 * @param peers - what they count is known here a moment later. Default: there are none.
 */
export function createRateLimiter(now: () => number = clock.now, peers?: RatePeers): RateLimiter {
	const windows = new Map<string, Window>();

	function getWindow(key: string, minute: number): Window {
		const window = windows.get(key) ?? { minute, current: 0, previous: 0 };
		if (window.minute !== minute) {
			window.previous = window.minute === minute - 1 ? window.current : 0;
			window.current = 0;
			window.minute = minute;
		}
		// Again, so that the map is in the order of the last requests.
		windows.delete(key);
		windows.set(key, window);
		const [oldest = ""] = windows.keys();
		if (windows.size > MAX_WINDOWS) windows.delete(oldest);
		return window;
	}

	function add(window: Window, key: string, requests: number): void {
		window.current += requests;
		peers?.add(key, window.minute, requests);
	}

	peers?.onTotal((key, minute, total) => {
		const window = windows.get(key);
		if (window?.minute === minute) window.current = Math.max(window.current, total);
		else if (window?.minute === minute + 1) window.previous = Math.max(window.previous, total);
	});

	return {
		count(key, perMinute) {
			const time = now();
			const minute = Math.floor(time / MINUTE_MS);
			const window = getWindow(key, minute);
			const passed = (time % MINUTE_MS) / MINUTE_MS;
			if (window.previous * (1 - passed) + window.current + 1 <= perMinute) {
				add(window, key, 1);
				return 0;
			}
			return secondsToWait(window, perMinute, passed);
		},
		charge(key, requests) {
			add(getWindow(key, Math.floor(now() / MINUTE_MS)), key, requests);
		},
		countRecent(key) {
			const { current, previous } = getWindow(key, Math.floor(now() / MINUTE_MS));
			return current + previous;
		},
	};
}

/** Computes the seconds until the counters have room for one more request. */
function secondsToWait({ current, previous }: Window, perMinute: number, passed: number): number {
	const room = perMinute - 1 - current;
	// Within this minute, where enough of the one before falls out of sight; else in the next, of what is then before.
	const share = room >= 0 ? 1 - room / Math.max(1, previous) : 2 - (perMinute - 1) / current;
	return Math.max(1, Math.ceil((share - passed) * 60));
}
