import { clock } from "@stemma/core/internal";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SharedCounts } from "../store/instances/shared-counts";
import { createSharedMinuteCounts } from "../store/postgres/instances/shared-minute-counts";
import { describeOnPostgres } from "../store/postgres/test-support/describe-on-postgres";
import { createTokenBudgetRepository } from "../store/repositories/deployment/token-budget-repository";
import { createSharedTokenBudgets } from "./budgets/shared-token-budgets";
import type { ClientKeyCaller } from "./caller";
import type { RateLimiter } from "./rate-limiter";
import { createSharedRates, type SharedRates } from "./shared-rates";

const LIMIT = 20;
const NOW = clock.now();
const MINUTE = Math.floor(NOW / 60_000);

describeOnPostgres("the limits of several instances", (database) => {
	describe("rates", () => {
		let opened: SharedRates[];
		let failures: unknown[];
		let isDown: boolean;
		/** Time of all requests: no minute ends unless the test says so. */
		let time: number;
		beforeEach(() => {
			[opened, failures, isDown, time] = [[], [], false, NOW];
		});
		afterEach(async () => {
			for (const rates of opened) await rates.stop();
		});

		/** Limiter of one instance, and what makes it exchange counts at once. */
		interface OpenedRate {
			readonly limiter: RateLimiter;
			exchange(): Promise<void>;
		}

		function open(): OpenedRate {
			const counts = createSharedMinuteCounts(database.pool);
			const failing: SharedCounts = {
				add: async (added) => (isDown ? Promise.reject(new Error("down")) : counts.add(added)),
			};
			const rates = createSharedRates(
				failing,
				(error) => failures.push(error),
				() => time,
			);
			opened.push(rates);
			return { limiter: rates.open("requests"), exchange: rates.stop };
		}
		const key = () => `cl_${Math.random()}`;
		/** Sends requests, and returns how many were let in. */
		const send = ({ limiter }: OpenedRate, sender: string, requests: number): number =>
			Array.from({ length: requests }, () => limiter.count(sender, LIMIT)).filter((wait) => wait === 0)
				.length;

		it("are of all requests together, known with the next exchange", async () => {
			const [first, second, sender] = [open(), open(), key()];
			expect(send(first, sender, LIMIT - 1)).toBe(LIMIT - 1);
			await first.exchange();
			// The second one learns of them with its own first request.
			expect(send(second, sender, 1)).toBe(1);
			await second.exchange();
			expect(send(second, sender, LIMIT)).toBe(0);
			expect(send(first, sender, 1)).toBe(1);
			await first.exchange();
			expect(send(first, sender, LIMIT)).toBe(0);
			expect(send(second, key(), LIMIT)).toBe(LIMIT);
			expect(failures).toEqual([]);
		});

		it("are exchanged without being asked", async () => {
			const [first, sender] = [open(), key()];
			expect(send(first, sender, 7)).toBe(7);
			await expect.poll(() => readTotal(sender)).toBe(7);
		});

		it("let in at most the limit of each instance before it hears of the others, and make up for it", async () => {
			const [instances, sender] = [[open(), open(), open()], key()];
			for (const instance of instances) expect(send(instance, sender, LIMIT * 2)).toBe(LIMIT);
			for (const { exchange } of instances) await exchange();
			for (const instance of instances) send(instance, sender, 1);
			time += 60_000 + 30_000 - (time % 60_000);
			const last = instances.at(-1);
			// By its own count it would let in half of the limit.
			expect(last && send(last, sender, LIMIT)).toBe(0);
		});

		it("go on by what each instance knows while the database is gone, and tell it later", async () => {
			const [first, second, sender] = [open(), open(), key()];
			isDown = true;
			expect(send(first, sender, LIMIT * 2)).toBe(LIMIT);
			await expect.poll(() => failures).toHaveLength(1);
			isDown = false;
			await first.exchange();
			expect(send(second, sender, 1)).toBe(1);
			await second.exchange();
			expect(send(second, sender, LIMIT)).toBe(0);
			expect(failures).toHaveLength(1);
		});

		async function readTotal(sender: string): Promise<number> {
			const totals = await createSharedMinuteCounts(database.pool).add([
				{ key: `requests ${sender}`, minute: MINUTE, count: 0 },
			]);
			return totals.find((total) => total.minute === MINUTE)?.count ?? 0;
		}

		it("store no address of a person, and forget after two minutes", async () => {
			const counts = createSharedMinuteCounts(database.pool);
			await counts.add([{ key: "failures 203.0.113.9", minute: 5, count: 1 }]);
			expect(JSON.stringify(await list())).not.toContain("203.0.113.9");
			await counts.add([{ key: "failures 203.0.113.9", minute: 8, count: 1 }]);
			expect((await list()).filter(({ minute }) => Number(minute) < 8)).toEqual([]);
		});

		async function list(): Promise<readonly Readonly<Record<string, unknown>>[]> {
			const client = await database.pool.connect();
			const { rows } = await client.query("select * from stemma_deployment.minute_counts");
			client.release();
			return rows;
		}
	});

	describe("token budgets", () => {
		const caller = (id: string): ClientKeyCaller => ({
			...{
				kind: "client_key",
				id,
				workspaceId: "ws_1",
				scopes: ["ask"],
				agents: null,
				knowledgeBaseIds: null,
			},
			...{ models: false, expose: "answer", requestsPerMinute: 60, tokensPerDay: 1000 },
		});

		async function openBudgets() {
			const deployment = database.openDeployment();
			await deployment.write
				.insertInto("workspaces")
				.values({ id: "ws_1", name: "", created_at: 0 })
				.execute();
			await deployment.write
				.insertInto("client_keys")
				.values({
					...{ id: "ck_1", workspace_id: "ws_1", name: "", scopes: "[]", origins: "[]", native: 1 },
					...{ agents: null, knowledge_base_ids: null, requests_per_minute: 1, tokens_per_day: 1000 },
					...{ models: 0, expose: "answer", secret_hash: new Uint8Array(32), created_at: 0 },
				})
				.execute();
			const repository = createTokenBudgetRepository(deployment);
			const fail = (error: unknown): never => {
				throw error;
			};
			return [1, 2].map(() => createSharedTokenBudgets(repository, fail));
		}

		it("are not overdrawn by reservations on all of them at the same time", async () => {
			const budgets = await openBudgets();
			const all = await Promise.allSettled(
				Array.from({ length: 8 }, (_, index) => budgets[index % 2]?.reserveTokens(caller("ck_1"), 300)),
			);
			expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
		});

		it("get back on one what was not used on another", async () => {
			const [first, second] = await openBudgets();
			const reservation = await first?.reserveTokens(caller("ck_1"), 800);
			await expect(second?.reserveTokens(caller("ck_1"), 300)).rejects.toMatchObject({
				code: "budget_exhausted",
			});
			if (reservation !== undefined) first?.commitTokens(reservation, 100);
			await first?.flush();
			expect(await second?.tokensLeft(caller("ck_1"))).toBe(900);
			await second?.reserveTokens(caller("ck_1"), 900);
			await expect(second?.reserveTokens(caller("ck_gone"), 1)).rejects.toMatchObject({
				code: "budget_exhausted",
			});
		});
	});
});
