import type { UsageRow } from "@stemma/client";

/** Property that calls are grouped by. */
export type UsageDimension = "stage" | "payer" | "model" | "user";
/** Measure of the calls that is shown. */
export type UsageMeasure = "tokens" | "calls";

/** Calls of one group, day by day. */
export interface UsageSeries {
	/** Value of the dimension; `undefined` for all groups that are too small for one of their own. */
	readonly name: string | undefined;
	/** One for each day. */
	readonly values: readonly number[];
	readonly total: number;
}

/** Usage as a chart and a table show it. */
export interface UsageTable {
	/** All days of the range, with those without a call. */
	readonly days: readonly string[];
	/** The largest first. */
	readonly series: readonly UsageSeries[];
	readonly total: number;
}

/** Group of calls that no person has asked for: those of clients, client keys, and reading documents. */
export const NO_PERSON = "";

/** Key of the series of all groups that are too small for one of their own, where lists need one. */
export const OTHERS = "\u0000others";

/** Groups with a colour of their own. */
export const MAX_SERIES = 7;

const DAY_MS = 86_400_000;

/** Sums rows by day and group. */
export function toUsageTable(
	{ from, to, data }: { readonly from: string; readonly to: string; readonly data: readonly UsageRow[] },
	dimension: UsageDimension,
	measure: UsageMeasure,
): UsageTable {
	const days = toDays(from, to);
	const places = new Map(days.map((day, index) => [day, index]));
	const groups = new Map<string, number[]>();
	for (const row of data) {
		const place = places.get(row.day);
		if (place === undefined) continue;
		const group = dimension === "user" ? (row.user_id ?? NO_PERSON) : row[dimension];
		const values = groups.get(group) ?? days.map(() => 0);
		values[place] = (values[place] ?? 0) + toValue(row, measure);
		groups.set(group, values);
	}
	const all = [...groups]
		.map(([name, values]): UsageSeries => ({ name, values, total: sum(values) }))
		.filter(({ total }) => total > 0)
		.sort((a, b) => b.total - a.total);
	return { days, series: withOthers(all), total: sum(all.map(({ total }) => total)) };
}

const toValue = ({ calls, input_tokens, output_tokens }: UsageRow, measure: UsageMeasure): number =>
	measure === "calls" ? calls : input_tokens + output_tokens;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Groups, with the smallest summed up where there are too many to tell apart. */
function withOthers(all: readonly UsageSeries[]): readonly UsageSeries[] {
	if (all.length <= MAX_SERIES) return all;
	const others = all.slice(MAX_SERIES - 1);
	const values = others[0]?.values.map((_, day) => sum(others.map((one) => one.values[day] ?? 0))) ?? [];
	return [...all.slice(0, MAX_SERIES - 1), { name: undefined, values, total: sum(values) }];
}

/** Days from one to another, both included, as `2026-01-31` (UTC). */
function toDays(from: string, to: string): readonly string[] {
	const first = Date.parse(from);
	const count = Math.max(0, Math.round((Date.parse(to) - first) / DAY_MS) + 1);
	return Array.from({ length: count }, (_, index) => toDay(first + index * DAY_MS));
}

/** Day of a time in milliseconds, in UTC. */
export const toDay = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

/** Smallest value of one significant digit (1, 2 or 5) that is not below: the upper end of an axis. */
export function toAxisEnd(value: number): number {
	if (value <= 0) return 1;
	const power = 10 ** Math.floor(Math.log10(value));
	return [1, 2, 5, 10].map((digit) => digit * power).find((end) => end >= value) ?? value;
}
