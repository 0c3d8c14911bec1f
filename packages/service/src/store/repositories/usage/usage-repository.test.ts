import { beforeEach, expect, it } from "vitest";
import { openMemoryDatabase } from "../../../http/test-support/memory-database";
import { readUsage } from "../../../usage/read-usage";
import { describeUsageRepository, NOON, sums, toReceipt } from "../../test-support/usage-contract";
import { type WorkspaceTables, workspaceMigrations } from "../../workspace-tables";
import { createRunStore } from "../runs/run-store";
import { createUsageRepository } from "./usage-repository";

function open() {
	const database = openMemoryDatabase<WorkspaceTables>(workspaceMigrations);
	const { close } = database;
	return {
		database,
		close,
		repository: createUsageRepository(database),
		runs: createRunStore(database),
	};
}

describeUsageRepository(open);

let opened: ReturnType<typeof open>;
beforeEach(() => {
	opened = open();
});
const read = () => readUsage(opened.repository, { from: "2026-01-01", to: "2026-12-31" });

it("sums receipts with the batch that they came in, or not at all", async () => {
	const { database, runs } = opened;
	await runs.append({ events: [], receipts: [toReceipt(NOON)] });
	database.file.database.exec(
		"CREATE TRIGGER refuse BEFORE UPDATE ON usage_days BEGIN SELECT raise(ABORT, 'refused'); END",
	);
	const batch = { events: [], receipts: [toReceipt(NOON, { model: "new" }), toReceipt(NOON)] };
	await expect(runs.append(batch)).rejects.toThrow("refused");
	expect(await read()).toEqual([sums]);
	expect(await database.read.selectFrom("receipts").select("id").execute()).toHaveLength(1);
});

it("stores a receipt once, however often its batch is tried", async () => {
	const { database, runs } = opened;
	const batch = { events: [], receipts: [toReceipt(NOON)] };
	for (let attempt = 0; attempt < 2; attempt++) await runs.append(batch);
	expect(await database.read.selectFrom("receipts").select("id").execute()).toHaveLength(1);
});

it("reads as many rows as an answer can hold, and no more", async () => {
	const { database, runs } = opened;
	database.file.database.exec(`
		WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 20000)
		INSERT INTO usage_days SELECT '2026-03-01', 'none', 'answer', '', number, 1, 0, 0, 0, 0 FROM numbers`);
	expect(await read()).toHaveLength(20_000);
	await runs.append({ events: [], receipts: [toReceipt(NOON, { model: "one more" })] });
	await expect(read()).rejects.toMatchObject({
		code: "invalid_request",
		param: "from",
		message: "These days have more than 20,000 rows.",
	});
});
