import { quantile } from "../../durability/runtime/quantile.ts";

/** Times of one operation of the honest tenant, and what went wrong. */
export interface Samples {
	readonly times: number[];
	readonly failures: string[];
}

export interface SampleStats {
	readonly count: number;
	readonly failed: number;
	readonly p50: number;
	readonly p95: number;
	readonly p99: number;
	readonly slowest: number;
}

export const summarize = ({ times, failures }: Samples): SampleStats => ({
	count: times.length + failures.length,
	failed: failures.length,
	p50: round(quantile(times, 0.5)),
	p95: round(quantile(times, 0.95)),
	p99: round(quantile(times, 0.99)),
	slowest: round(quantile(times, 1)),
});

const round = (ms: number): number => Math.round(ms * 10) / 10;
