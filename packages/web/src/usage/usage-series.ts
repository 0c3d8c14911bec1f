import type { UsageRow } from "@stemma/client";
import { fromNanoUnits, toNanoUnits } from "@stemma/core/internal";
import { formatMoney, formatNumber } from "../data/format";

/** Property that calls are grouped by. */
export type UsageDimension = "stage" | "payer" | "model" | "user";
/** Measure of the calls that is shown: money is counted in one currency, named by its code. */
export type UsageMeasure = "tokens" | "calls" | `cost ${string}`;

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

/** Value of a row; of money, in billionths of the currency, so that sums are of whole numbers. */
function toValue(
	{ calls, input_tokens, output_tokens, costs = [] }: UsageRow,
	measure: UsageMeasure,
): number {
	if (measure === "calls") return calls;
	if (measure === "tokens") return input_tokens + output_tokens;
	const cost = costs.find(({ currency }) => currency === toCurrency(measure));
	return cost === undefined ? 0 : Number(toNanoUnits(cost.amount));
}

const toCurrency = (measure: UsageMeasure): string => measure.slice("cost ".length);

/** Words for a value of a measure. */
export const toFormat = (measure: UsageMeasure): ((value: number) => string) =>
	measure === "tokens" || measure === "calls"
		? formatNumber
		: (value) => formatMoney(fromNanoUnits(BigInt(Math.round(value))), toCurrency(measure));

/** Currencies of the costs of rows, in the order of their codes. */
export const listCurrencies = (rows: readonly UsageRow[]): readonly string[] =>
	[...new Set(rows.flatMap(({ costs = [] }) => costs.map(({ currency }) => currency)))].sort();

/** Counts the calls that somebody pays for and that have no price. */
export const countUnpriced = (rows: readonly UsageRow[]): number =>
	sum(
		rows
			.filter(({ payer }) => payer !== "none")
			.map(({ calls, costs = [] }) => calls - sum(costs.map((cost) => cost.calls))),
	);

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
