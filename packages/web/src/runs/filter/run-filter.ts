import type { RunListOptions } from "@stemma/client";

/** States by which runs are filtered, in the order in which they are offered. */
export const RUN_STATUSES = ["running", "paused", "completed", "failed", "cancelled"] as const;

/** Choice of runs to list. Days are those of the reader, as `2026-01-31`; empty for all. */
export interface RunFilter {
	readonly agent: string;
	readonly status: (typeof RUN_STATUSES)[number] | "";
	readonly since: string;
	/** Last day. */
	readonly until: string;
}

export const NO_FILTER: RunFilter = { agent: "", status: "", since: "", until: "" };

/** Parses a filter that the browser has stored. */
export function parseRunFilter(stored: unknown): RunFilter {
	const { agent, status, since, until } = Object(stored);
	const day = (value: unknown): string =>
		typeof value === "string" && toDayStart(value) !== undefined ? value : "";
	return {
		agent: typeof agent === "string" ? agent : "",
		status: RUN_STATUSES.find((known) => known === status) ?? "",
		since: day(since),
		until: day(until),
	};
}

/** Filter as the service takes it. */
export function toRunListOptions({ agent, status, since, until }: RunFilter): RunListOptions {
	const from = toDayStart(since);
	const to = toDayStart(until, 1);
	return {
		...(agent !== "" && { agent_id: agent }),
		...(status !== "" && { status }),
		...(from !== undefined && { since: from }),
		...(to !== undefined && { until: to }),
	};
}

/** Begin of a day here, or of one so many days later. */
function toDayStart(day: string, later = 0): string | undefined {
	const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
	if (year === undefined) return undefined;
	const time = new Date(Number(year), Number(month) - 1, Number(date) + later);
	return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
