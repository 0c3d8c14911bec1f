import type { ReceiptRow } from "@stemma/core";
import type { LoggedReceipt, RunBatch } from "@stemma/runs";
import { beforeEach, describe, expect, it } from "vitest";
import { openMemoryDatabase } from "../http/test-support/memory-database";
import { type WorkspaceTables, workspaceMigrations } from "../store/workspace-tables";
import { readUsage } from "./read-usage";
import type { ReadUsageInput } from "./usage-job";

let database: ReturnType<typeof openMemoryDatabase<WorkspaceTables>>;

beforeEach(() => {
	database = openMemoryDatabase(workspaceMigrations);
});

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
function receipt(at: string, row: Partial<ReceiptRow> = {}): LoggedReceipt {
	receipts += 1;
	const text = JSON.stringify({ ...call, ...row });
	return { id: `rcp_${receipts}`, runId: null, at: Date.parse(at), receipt: text };
}

const appendReceipts = (batch: Partial<RunBatch>): Promise<void> =>
	database.writeJob("appendEvents", { events: [], receipts: [], ...batch });

const read = (filter: Partial<ReadUsageInput> = {}) =>
	readUsage(database, { from: "2026-01-01", to: "2026-12-31", ...filter });

const sums = {
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

const NOON = "2026-01-31T12:00:00Z";

describe("receipts are summed", () => {
	it("by day in UTC, payer, stage, provider and model, the oldest day first", async () => {
		await appendReceipts({
			receipts: [
				receipt("2026-02-01T00:00:00Z"),
				receipt("2026-01-31T23:59:59.999Z", { cached_tokens: 40 }),
				receipt(NOON, { estimated: true }),
				receipt(NOON, { payer: "workspace" }),
				receipt(NOON, { stage: "embed" }),
				receipt(NOON, { provider: "bedrock" }),
				receipt(NOON, { model: "gpt-other" }),
			],
		});
		await appendReceipts({ receipts: [receipt(NOON, { input_tokens: 7, output_tokens: 3 })] });
		const other = { ...sums, calls: 1 };
		expect(await read()).toEqual([
			{ ...other, provider: "bedrock" },
			{ ...other, model: "gpt-other" },
			{ ...sums, calls: 3, input_tokens: 207, output_tokens: 23, cached_tokens: 40, estimated_calls: 1 },
			{ ...other, stage: "embed" },
			{ ...other, payer: "workspace" },
			{ ...other, day: "2026-02-01" },
		]);
	});

	it("once, however often their batch is tried", async () => {
		const first = receipt(NOON);
		await appendReceipts({ receipts: [first] });
		await appendReceipts({ receipts: [first, receipt(NOON)] });
		expect(await read()).toEqual([{ ...sums, calls: 2, input_tokens: 200, output_tokens: 20 }]);
		expect(await database.read.selectFrom("receipts").select("id").execute()).toHaveLength(2);
	});

	it("with the batch that they came in, or not at all", async () => {
		await appendReceipts({ receipts: [receipt(NOON)] });
		database.file.database.exec(
			"CREATE TRIGGER refuse BEFORE UPDATE ON usage_days BEGIN SELECT raise(ABORT, 'refused'); END",
		);
		const batch = { receipts: [receipt(NOON, { model: "new" }), receipt(NOON)] };
		await expect(appendReceipts(batch)).rejects.toThrow("refused");
		expect(await read()).toEqual([sums]);
		expect(await database.read.selectFrom("receipts").select("id").execute()).toHaveLength(1);
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
		await appendReceipts({ receipts: [receipt(NOON, reported)] });
		expect(await read()).toEqual([{ ...sums, ...counted }]);
	});
});

describe("they are read", () => {
	beforeEach(() =>
		appendReceipts({
			receipts: [
				receipt("2026-01-30T12:00:00Z"),
				receipt(NOON, { payer: "none", stage: "embed" }),
				receipt("2026-02-01T12:00:00Z", { stage: "embed" }),
			],
		}),
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

	it("as many as an answer can hold, and no more", async () => {
		database.file.database.exec(`
			WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 19997)
			INSERT INTO usage_days SELECT '2026-03-01', 'none', 'answer', '', number, 1, 0, 0, 0, 0 FROM numbers`);
		expect(await read()).toHaveLength(20_000);
		await appendReceipts({ receipts: [receipt(NOON, { model: "one more" })] });
		await expect(read()).rejects.toMatchObject({
			code: "invalid_request",
			param: "from",
			message: "These days have more than 20,000 rows.",
		});
	});
});
