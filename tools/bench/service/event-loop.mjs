import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 1;
const SAMPLE_MS = 5;
const NANOSECONDS_A_MS = 1e6;
const MICROSECONDS_A_MS = 1e3;

/**
 * Watches the event loop of this process. How late its timers are depends on what else the machine does; how much processor
 * time its thread takes between two of them, which is as long as it can have been busy without a pause, does not.
 */
export function watchEventLoop() {
	const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
	let busyMs = 0;
	let before = process.threadCpuUsage();
	const timer = setInterval(() => {
		const { user, system } = process.threadCpuUsage(before);
		before = process.threadCpuUsage();
		busyMs = Math.max(busyMs, (user + system) / MICROSECONDS_A_MS);
	}, SAMPLE_MS);
	histogram.enable();
	return {
		/** In milliseconds: how late timers were, and the longest time without a pause. */
		stop() {
			clearInterval(timer);
			histogram.disable();
			return {
				p99: histogram.percentile(99) / NANOSECONDS_A_MS,
				max: histogram.max / NANOSECONDS_A_MS,
				busy: busyMs,
			};
		},
	};
}
