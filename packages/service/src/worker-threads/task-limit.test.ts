import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startTaskLimit } from "./task-limit";

let worker: Worker;
beforeEach(() => {
	worker = new Worker("", { eval: true });
	vi.useFakeTimers();
});
afterEach(async () => {
	vi.useRealTimers();
	await worker.terminate();
});

/** The thread as releases of Node before 24.6 have it. */
const withoutProcessorTime = (): Worker =>
	new Proxy(worker, { has: (target, name) => name !== "cpuUsage" && name in target });

it.each([
	[true, 5_000],
	[false, 1_000],
])(
	"ends a task of 1 s on the clock where Node reports no processor time (to be counted: %s) after %i ms",
	(countsProcessorTime, clockMs) => {
		const onLimit = vi.fn();
		startTaskLimit(withoutProcessorTime(), { limitMs: 1_000, countsProcessorTime, onLimit });
		vi.advanceTimersByTime(clockMs - 1);
		expect(onLimit).not.toHaveBeenCalled();
		vi.advanceTimersByTime(1);
		expect(onLimit).toHaveBeenCalledOnce();
	},
);
