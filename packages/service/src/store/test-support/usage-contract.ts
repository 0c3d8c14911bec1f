import type { ReceiptRow } from "@stemma/core";
import type { LoggedReceipt, RunStore } from "@stemma/runs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ReadUsageInput, UsageRepository } from "../../usage/usage-repository";

const call: ReceiptRow = {
	stage: "answer",
	node: "desk",
	payer: "deployment",
	provider: "openai-compatible",
	vendor_host: "api.example.com",
	model: "gpt-test",
	input_tokens: 100,
	output_tokens: 10,
	ms: 5,
	attempts: 1,
	reason: "The deployment pays.",
};

let receipts = 0;
/** A receipt of a call outside of runs. */
export function toReceipt(at: string, row: Partial<ReceiptRow> = {}): LoggedReceipt {
	receipts += 1;
	const text = JSON.stringify({ ...call, ...row });
	return { id: `rcp_${receipts}`, runId: null, at: Date.parse(at), receipt: text };
}

/** Usage of one call of {@link toReceipt}. */
export const sums = {
	day: "2026-01-31",
	payer: "deployment",
	stage: "answer",
	provider: "openai-compatible",
	model: "gpt-test",
	calls: 1,
	input_tokens: 100,
	output_tokens: 10,
	cached_tokens: 0,
	estimated_calls: 0,
};

export const NOON = "2026-01-31T12:00:00Z";

export interface OpenedUsage {
	readonly repository: UsageRepository;
	/** Store of the same workspace, which writes receipts. */
	readonly runs: Pick<RunStore, "append">;
	close(): Promise<void>;
}

/** Contract that each store of usage keeps. @param open - an empty one. */
export function describeUsageRepository(open: () => OpenedUsage): void {
	let opened: OpenedUsage;
	beforeEach(() => {
		opened = open();
	});
	afterEach(() => opened.close());
	const append = (...receipts: readonly LoggedReceipt[]) => opened.runs.append({ events: [], receipts });
	const read = (filter: Partial<ReadUsageInput> = {}, limit = 100) =>
		opened.repository.read({ from: "2026-01-01", to: "2026-12-31", ...filter }, limit);

	describe("costs are summed", () => {
		it("exactly, by currency, of the calls that have one, and by person", async () => {
			const cost = (amount: string, currency = "EUR") => ({ cost: { amount, currency } });
			await append(
				toReceipt(NOON, cost("0.1")),
				{ ...toReceipt(NOON, cost("0.2")), userId: "usr_1" },
				toReceipt(NOON, cost("5", "USD")),
				toReceipt(NOON),
				toReceipt(NOON, { model: "free" }),
			);
			for (let batch = 0; batch < 2; batch++)
				await append(
					...Array.from({ length: 6 }, () => toReceipt(NOON, { model: "vast", ...cost("1000000") })),
				);
			const costsOf = async (filter: Partial<ReadUsageInput> = {}) =>
				(await read(filter)).map(({ model, user_id, costs }) => [model, user_id, costs]);
			expect(await costsOf()).toEqual([
				["free", undefined, undefined],
				[
					"gpt-test",
					undefined,
					[
						{ currency: "EUR", amount: "0.3", calls: 2 },
						{ currency: "USD", amount: "5", calls: 1 },
					],
				],
				// As much as one row holds.
				["vast", undefined, [{ currency: "EUR", amount: "9000000", calls: 12 }]],
			]);
			expect(await costsOf({ user_id: "usr_1" })).toEqual([
				["gpt-test", undefined, [{ currency: "EUR", amount: "0.2", calls: 1 }]],
			]);
			const byUser = await costsOf({ group_by: "user" });
			expect(byUser.filter(([model]) => model === "gpt-test")).toEqual([
				[
					"gpt-test",
					null,
					[
						{ currency: "EUR", amount: "0.1", calls: 1 },
						{ currency: "USD", amount: "5", calls: 1 },
					],
				],
				["gpt-test", "usr_1", [{ currency: "EUR", amount: "0.2", calls: 1 }]],
			]);
		});
	});

	describe("receipts are summed", () => {
		it("by day in UTC, payer, stage, provider and model, the oldest day first", async () => {
			await append(
				toReceipt("2026-02-01T00:00:00Z"),
				toReceipt("2026-01-31T23:59:59.999Z", { cached_tokens: 40 }),
				toReceipt(NOON, { estimated: true }),
				toReceipt(NOON, { payer: "workspace" }),
				toReceipt(NOON, { stage: "embed" }),
				toReceipt(NOON, { provider: "bedrock" }),
				toReceipt(NOON, { model: "gpt-other" }),
			);
			await append(toReceipt(NOON, { input_tokens: 7, output_tokens: 3 }));
			const other = { ...sums, calls: 1 };
			expect(await read()).toEqual([
				{ ...other, provider: "bedrock" },
				{ ...other, model: "gpt-other" },
				{ ...sums, calls: 3, input_tokens: 207, output_tokens: 23, cached_tokens: 40, estimated_calls: 1 },
				{ ...other, stage: "embed" },
				{ ...other, payer: "workspace" },
				{ ...other, day: "2026-02-01" },
			]);
			expect(await read({}, 2)).toHaveLength(2);
		});

		it("once, however often their batch is tried", async () => {
			const first = toReceipt(NOON);
			await append(first);
			await append(first, toReceipt(NOON));
			expect(await read()).toEqual([{ ...sums, calls: 2, input_tokens: 200, output_tokens: 20 }]);
		});

		it.each([
			["fractions", { input_tokens: 1.4, output_tokens: 2.6 }, { input_tokens: 1, output_tokens: 3 }],
			["negative numbers", { input_tokens: -5, output_tokens: -1 }, { input_tokens: 0, output_tokens: 0 }],
			[
				"no numbers",
				{ input_tokens: Number.NaN, output_tokens: Number.POSITIVE_INFINITY },
				{ input_tokens: 0, output_tokens: 0 },
			],
			[
				"absurd numbers",
				{ input_tokens: 1e300, output_tokens: 2 ** 60 },
				{ input_tokens: 1e9, output_tokens: 1e9 },
			],
		])("where a vendor reports %s", async (_, reported, counted) => {
			await append(toReceipt(NOON, reported));
			expect(await read()).toEqual([{ ...sums, ...counted }]);
		});
	});

	describe("their sums are read", () => {
		beforeEach(() =>
			append(
				toReceipt("2026-01-30T12:00:00Z"),
				toReceipt(NOON, { payer: "none", stage: "embed" }),
				toReceipt("2026-02-01T12:00:00Z", { stage: "embed" }),
			),
		);

		it.each<[Partial<ReadUsageInput>, readonly string[]]>([
			[{ from: "2026-01-31", to: "2026-01-31" }, ["2026-01-31"]],
			[{ from: "2026-01-30", to: "2026-01-31" }, ["2026-01-30", "2026-01-31"]],
			[{ payer: "deployment" }, ["2026-01-30", "2026-02-01"]],
			[{ stage: "embed" }, ["2026-01-31", "2026-02-01"]],
			[{ stage: "embed", payer: "none" }, ["2026-01-31"]],
			[{ payer: "external" }, []],
		])("of %j", async (filter, days) => {
			expect((await read(filter)).map(({ day }) => day)).toEqual(days);
		});
	});
}
