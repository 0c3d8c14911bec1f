import { isJsonObject } from "../../json";

/** Longest delay of a timer, in milliseconds: longer ones overflow, and fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** A timer that keeps no process alive, where processes are kept alive by timers. Returns what stops it. */
export function startBackgroundTimer(milliseconds: number, callback: () => void): () => void {
	const timer = setTimeout(callback, Math.min(milliseconds, MAX_TIMER_MS));
	const handle: unknown = timer;
	if (isJsonObject(handle) && typeof handle.unref === "function") handle.unref();
	return () => clearTimeout(timer);
}

/** Resolves after a while, or once the signal is aborted; keeps no process alive. */
export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
	new Promise((resolve) => {
		const end = (): void => {
			stopTimer();
			signal?.removeEventListener("abort", end);
			resolve();
		};
		const stopTimer = startBackgroundTimer(milliseconds, end);
		if (signal?.aborted) end();
		else signal?.addEventListener("abort", end);
	});
