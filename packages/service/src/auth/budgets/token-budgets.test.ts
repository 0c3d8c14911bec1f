import { beforeEach, expect, test } from "vitest";
import { openMemoryDatabase } from "../../http/test-support/memory-database";
import { type DeploymentTables, deploymentMigrations } from "../../store/deployment-tables";
import { createTokenBudgetRepository } from "../../store/repositories/deployment/token-budget-repository";
import type { ClientCaller, ClientKeyCaller } from "../caller";
import { createTokenBudgets } from "./token-budgets";

const caller = (id: string): ClientKeyCaller => ({
	kind: "client_key",
	id,
	workspaceId: "ws_1",
	scopes: ["ask"],
	agents: null,
	knowledgeBaseIds: null,
	models: false,
	expose: "answer",
	requestsPerMinute: 60,
	tokensPerDay: 1000,
});
const server: ClientCaller = { kind: "client", id: "cl_1", workspaceId: "ws_1", scopes: ["ask"] };

let database: ReturnType<typeof openMemoryDatabase<DeploymentTables>>;
const clock = { time: 0 };
const open = () =>
	createTokenBudgets(
		createTokenBudgetRepository(database),
		(error) => {
			throw error;
		},
		() => clock.time,
	);

beforeEach(async () => {
	clock.time = Date.UTC(2026, 0, 31, 23, 0);
	database = openMemoryDatabase<DeploymentTables>(deploymentMigrations);
	await database.write.insertInto("workspaces").values({ id: "ws_1", name: "", created_at: 0 }).execute();
	for (const id of ["ck_1", "ck_2"])
		await database.write
			.insertInto("client_keys")
			.values({
				id,
				workspace_id: "ws_1",
				name: "",
				scopes: "[]",
				origins: "[]",
				native: 1,
				agents: null,
				knowledge_base_ids: null,
				requests_per_minute: 1,
				tokens_per_day: 1000,
				models: 0,
				expose: "answer",
				secret_hash: new Uint8Array(32),
				created_at: 0,
			})
			.execute();
});

test("what is reserved counts until it is settled; then what was used does", async () => {
	const budgets = open();
	const first = await budgets.reserveTokens(caller("ck_1"), 800);
	await expect(budgets.reserveTokens(caller("ck_1"), 300)).rejects.toMatchObject({
		code: "budget_exhausted",
		retryAfterSeconds: 3600,
	});
	budgets.commitTokens(first, 100);
	await budgets.reserveTokens(caller("ck_1"), 900);
	await expect(budgets.reserveTokens(caller("ck_1"), 1)).rejects.toMatchObject({ code: "budget_exhausted" });
});

test("reservations at the same time do not overdraw", async () => {
	const budgets = open();
	const all = await Promise.allSettled(
		Array.from({ length: 8 }, () => budgets.reserveTokens(caller("ck_1"), 300)),
	);
	expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
});

test("each key has its own, and servers have none", async () => {
	const budgets = open();
	await budgets.reserveTokens(caller("ck_1"), 1000);
	await budgets.reserveTokens(caller("ck_2"), 1000);
	const reservation = await budgets.reserveTokens(server, 1_000_000);
	budgets.commitTokens(reservation, 1_000_000);
});

test("a restart forgets nothing", async () => {
	const before = open();
	before.commitTokens(await before.reserveTokens(caller("ck_1"), 800), 700);
	await before.flush();
	await expect(open().reserveTokens(caller("ck_1"), 301)).rejects.toMatchObject({ code: "budget_exhausted" });
	await open().reserveTokens(caller("ck_1"), 300);
});

test("a new day, UTC, is a new budget; what is settled late belongs to its own day", async () => {
	const budgets = open();
	const late = await budgets.reserveTokens(caller("ck_1"), 1000);
	clock.time += 60 * 60 * 1000;
	await budgets.reserveTokens(caller("ck_1"), 1000);
	await budgets.flush();
	budgets.commitTokens(late, 10);
	await budgets.flush();
	const rows = await database.read
		.selectFrom("token_budgets")
		.select(["day", "tokens"])
		.orderBy("day")
		.execute();
	expect(rows).toEqual([
		{ day: "2026-01-31", tokens: 10 },
		{ day: "2026-02-01", tokens: 1000 },
	]);
});

test("a key that was deleted meanwhile leaves nothing", async () => {
	const budgets = open();
	const reservation = await budgets.reserveTokens(caller("ck_1"), 10);
	await database.write.deleteFrom("client_keys").where("id", "=", "ck_1").execute();
	budgets.commitTokens(reservation, 10);
	await budgets.flush();
	expect(await database.read.selectFrom("token_budgets").selectAll().execute()).toEqual([]);
});

test("an account that cannot be written holds up no other", async () => {
	const budgets = open();
	const first = await budgets.reserveTokens(caller("ck_1"), 10);
	await budgets.reserveTokens(caller("ck_2"), 20);
	budgets.commitTokens(first, 1.5);
	await expect.poll(() => budgets.tokensLeft(caller("ck_1"))).toBe(998.5);
	await expect(budgets.flush()).rejects.toThrow();
	const rows = await database.read.selectFrom("token_budgets").select(["client_key_id", "tokens"]).execute();
	expect(rows).toEqual([{ client_key_id: "ck_2", tokens: 20 }]);
});
