import { monitorEventLoopDelay } from "node:perf_hooks";
import { writeGauge } from "@stemma/telemetry";

/** Delay of the timers of this process. */
export interface EventLoopDelay {
	write(): string;
	stop(): void;
}

const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

export function createEventLoopDelay(): EventLoopDelay {
	const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
	histogram.enable();
	return {
		write() {
			const { max } = histogram;
			const values = [
				["0.5", histogram.percentile(50)],
				["0.99", histogram.percentile(99)],
				["1", max],
			] as const;
			histogram.reset();
			return writeGauge(
				"stemma_event_loop_delay_seconds",
				"Delay of the event loop since the last scrape, in seconds.",
				// Without a sample the maximum is 0 and the others are 1.
				values.map(([quantile, value]) => [{ quantile }, max === 0 ? 0 : value / NANOSECONDS]),
			);
		},
		stop: () => void histogram.disable(),
	};
}
