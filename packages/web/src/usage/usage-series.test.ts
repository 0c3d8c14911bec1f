import type { UsageRow } from "@stemma/client";
import { describe, expect, it } from "vitest";
import {
	countUnpriced,
	listCurrencies,
	MAX_SERIES,
	NO_PERSON,
	toAxisEnd,
	toFormat,
	toUsageTable,
} from "./usage-series";

const row = (day: string, changes: Partial<UsageRow> = {}): UsageRow => ({
	...{ day, payer: "workspace", stage: "answer", provider: "openai-compatible", model: "a" },
	...{ calls: 1, input_tokens: 10, output_tokens: 5, cached_tokens: 0, estimated_calls: 0 },
	...changes,
});

describe("a table of usage", () => {
	it("sums tokens by day and group, the largest first, with days without a call", () => {
		const data = [
			row("2026-02-28"),
			row("2026-03-01", { stage: "score", input_tokens: 100 }),
			row("2026-02-28", { model: "b", payer: "deployment" }),
		];
		expect(toUsageTable({ from: "2026-02-27", to: "2026-03-01", data }, "stage", "tokens")).toEqual({
			days: ["2026-02-27", "2026-02-28", "2026-03-01"],
			series: [
				{ name: "score", values: [0, 0, 105], total: 105 },
				{ name: "answer", values: [0, 30, 0], total: 30 },
			],
			total: 135,
		});
	});

	it("counts calls by another group", () => {
		const data = [row("2026-03-01", { calls: 4 }), row("2026-03-01", { payer: "deployment" })];
		const { series } = toUsageTable({ from: "2026-03-01", to: "2026-03-01", data }, "payer", "calls");
		expect(series.map(({ name, total }) => [name, total])).toEqual([
			["workspace", 4],
			["deployment", 1],
		]);
	});

	it("adds up money in whole billionths, one currency at a time", () => {
		const costs = (amount: string, currency = "EUR") => [{ currency, amount, calls: 1 }];
		const data = [
			row("2026-03-01", { costs: costs("0.1") }),
			row("2026-03-01", { costs: costs("0.2"), calls: 3 }),
			row("2026-03-01", { costs: costs("5", "USD") }),
			row("2026-03-01", { payer: "none" }),
		];
		const table = toUsageTable({ from: "2026-03-01", to: "2026-03-01", data }, "stage", "cost EUR");
		expect(table.total).toBe(300_000_000);
		expect(toFormat("cost EUR")(table.total)).toMatch(/^EUR\s0\.30$/);
		expect(listCurrencies(data)).toEqual(["EUR", "USD"]);
		expect(countUnpriced(data)).toBe(2);
	});

	it("sums by person, and what nobody has asked for by itself", () => {
		const data = [row("2026-03-01", { user_id: "usr_1" }), row("2026-03-01", { user_id: null, calls: 3 })];
		const { series } = toUsageTable({ from: "2026-03-01", to: "2026-03-01", data }, "user", "calls");
		expect(series.map(({ name, total }) => [name, total])).toEqual([
			[NO_PERSON, 3],
			["usr_1", 1],
		]);
	});

	it("sums up what is too small to tell apart, and loses nothing", () => {
		const data = Array.from({ length: 12 }, (_, index) =>
			row("2026-03-01", { model: `m${index}`, input_tokens: index, output_tokens: 1 }),
		);
		const { series, total } = toUsageTable({ from: "2026-03-01", to: "2026-03-01", data }, "model", "tokens");
		expect(series).toHaveLength(MAX_SERIES);
		expect(series.at(-1)?.name).toBeUndefined();
		expect(series.reduce((all, one) => all + one.total, 0)).toBe(total);
		expect(total).toBe(78);
	});
});

it.each([
	[0, 1],
	[1, 1],
	[3, 5],
	[5, 5],
	[51, 100],
	[1_200_000, 2_000_000],
])("ends an axis of %j at %j", (value, end) => {
	expect(toAxisEnd(value)).toBe(end);
});
