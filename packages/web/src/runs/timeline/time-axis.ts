import type { RunSpan } from "../run-view";

/** Maps moments of a run to their places on a line, from 0 to 1. */
export type TimeAxis = (time: number) => number;

/** Part of the line that a wait gets at most, compared with the time in which the run was busy. */
const MAX_WAIT_SHARE = 0.2;

interface Interval {
	readonly from: number;
	readonly to: number;
}

/**
 * Creates the axis of a run. People decide after hours, models within seconds: waits are shortened, so that the rest can
 * be seen.
 *
 * @param end - end of the run, or now.
 */
export function createTimeAxis(spans: readonly RunSpan[], end: number): TimeAxis {
	const start = Math.min(end, ...spans.slice(0, 1).map(({ startedAt }) => startedAt));
	const waits = spans
		.filter(({ kind }) => kind === "wait")
		.map(({ startedAt, endedAt = end }): Interval => ({ from: startedAt, to: Math.max(startedAt, endedAt) }));
	const waited = waits.reduce((sum, { from, to }) => sum + to - from, 0);
	const busy = Math.max(1, end - start - waited);
	const shown = ({ from, to }: Interval): number => Math.min(to - from, busy * MAX_WAIT_SHARE);
	const place = (time: number): number => {
		let length = time - start;
		for (const wait of waits) {
			const passed = Math.min(Math.max(0, time - wait.from), wait.to - wait.from);
			if (passed > 0) length -= passed - (passed / (wait.to - wait.from)) * shown(wait);
		}
		return length;
	};
	const whole = Math.max(1, place(end));
	return (time) => Math.min(1, Math.max(0, place(time) / whole));
}
