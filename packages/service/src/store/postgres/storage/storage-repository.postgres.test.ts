import { expect, it } from "vitest";
import { DAY_MS } from "../../../usage/day";
import { createWorkspaceStore } from "../../repositories/workspace-store";
import { toNewRun } from "../../test-support/run-fixture";
import { describeStorageRepository, type OpenedStorage } from "../../test-support/storage-contract";
import { describeOnPostgres } from "../test-support/describe-on-postgres";

const admit = (): void => undefined;

describeOnPostgres("the storage of a workspace", ({ openWorkspace }) => {
	async function open(now: number, days: number): Promise<OpenedStorage> {
		const database = openWorkspace();
		const { read, write } = database;
		const store = createWorkspaceStore(database);
		for (let age = days - 1; age >= 0; age--) {
			const at = now - age * DAY_MS;
			const ended = { status: "completed", ended_at: at } as const;
			await store.runs.insert(toNewRun(`run_${at}`, { created_at: at, ...(age > 1 && ended) }), admit);
			await store.responses.insert({
				...{ id: `resp_${at}`, owner: "cl", parent_id: null, background: false, created_at: at },
				...{ head: {}, input: [], outcome: { status: age > 1 ? "cancelled" : "in_progress" } },
			});
		}
		async function listAges(table: "runs" | "responses"): Promise<readonly number[]> {
			const rows = await read.selectFrom(table).select("created_at").orderBy("id").execute();
			return rows.map(({ created_at }) => (now - created_at) / DAY_MS);
		}
		return {
			repository: store.storage,
			listRuns: () => listAges("runs"),
			listResponses: () => listAges("responses"),
			async addBytes(bytes) {
				const { id } = await read.selectFrom("runs").select("id").executeTakeFirstOrThrow();
				await write
					.insertInto("run_events")
					.values({ run_id: id, seq: 1, event: "x".repeat(bytes) })
					.execute();
			},
			async removeBytes() {
				await write.deleteFrom("run_events").execute();
			},
			close: database.close,
		};
	}

	describeStorageRepository(open);

	it("counts what goes with a run, a thread and an agent, down to nothing", async () => {
		const store = createWorkspaceStore(openWorkspace());
		const { storage, runs } = store;
		expect(await storage.readBytes()).toBe(0);
		for (const id of ["run_1", "run_2"])
			await runs.insert(toNewRun(id, { ended_at: 1, input: "x".repeat(100_000) }), admit);
		await runs.append({
			events: [1, 2, 3].map((seq) => ({ type: "text.delta", runId: "run_1", seq, json: "y".repeat(1_000) })),
			receipts: [],
		});
		const full = await storage.readBytes();
		expect(full).toBeGreaterThan(203_000);
		expect(full).toBeLessThan(206_000);
		while (await storage.sweep({ retention: { runs: 0, receipts: 0, feedback: 0 }, now: 1 }));
		expect(await storage.readBytes()).toBe(0);
	});
});
