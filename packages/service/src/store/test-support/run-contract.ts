import { toEventRecord } from "@stemma/runs";
import { describe, expect, it } from "vitest";
import type { RunInsertion, RunRepository } from "../../runs/repositories/run-repository";
import type { IdempotencyRepository } from "../idempotency-repository";
import { toIdempotencyRecord } from "./idempotency-contract";
import { toNewRun } from "./run-fixture";
import { NOON, toReceipt } from "./usage-contract";

const admit = (): void => undefined;
const refuse = (): never => {
	throw new Error("No room.");
};

/**
 * Contract that each store of runs keeps, besides that of `RunStore`.
 *
 * @param open - an empty one, with the requests of the same workspace.
 */
export function describeRunRepository(
	open: () => { readonly runs: RunRepository; readonly idempotency: IdempotencyRepository },
): void {
	describe("a repository of runs", () => {
		it("finds a run as it was stored, and its inputs", async () => {
			const { runs } = open();
			const { input, context, ...run } = toNewRun("run_1", {
				...{ background: false, within: "run_0", input: { order: 7 }, context: { visitor: "ü" } },
			});
			await runs.insert({ ...run, input, context }, admit);
			expect(await runs.find("run_1")).toEqual(run);
			expect(await runs.findInputs("run_1")).toEqual({ input, context });
			expect([await runs.find("run_2"), await runs.findInputs("run_2")]).toEqual([undefined, undefined]);
			expect(await runs.findHead("run_1")).toEqual({ status: "running", lastSeq: 0 });
		});

		it("lists the newest first, with one more than was asked for, of an agent or a status", async () => {
			const { runs } = open();
			const other = { agent_id: "ag_2", agent_slug: "harbour" };
			for (const run of [
				toNewRun("run_1"),
				toNewRun("run_2", other),
				toNewRun("run_3", { status: "failed" }),
			])
				await runs.insert(run, admit);
			const list = async (options: Partial<Parameters<RunRepository["list"]>[0]>) =>
				(await runs.list({ limit: 9, ...options })).map(({ id }) => id);
			expect(await list({})).toEqual(["run_3", "run_2", "run_1"]);
			expect(await list({ limit: 1 })).toEqual(["run_3", "run_2"]);
			expect(await list({ after: "run_3" })).toEqual(["run_2", "run_1"]);
			expect([await list({ agent: "ag_2" }), await list({ agent: "desk" })]).toEqual([
				["run_2"],
				["run_3", "run_1"],
			]);
			expect(await list({ status: "running", agent: "ag_1" })).toEqual(["run_1"]);
			expect([await list({ startedBy: "cl_1" }), await list({ startedBy: "usr_1" })]).toEqual([
				["run_3", "run_2", "run_1"],
				[],
			]);
			expect(await runs.listIds("failed")).toEqual(["run_3"]);
			expect([...(await runs.listIds("running"))].sort()).toEqual(["run_1", "run_2"]);
		});

		it("lists the runs of a period: from its begin on, before its end", async () => {
			const { runs } = open();
			for (const created_at of [10, 20, 30])
				await runs.insert(toNewRun(`run_${created_at}`, { created_at }), admit);
			const list = async (period: { readonly since?: number; readonly until?: number }) =>
				(await runs.list({ limit: 9, ...period })).map(({ id }) => id);
			expect(await list({ since: 20 })).toEqual(["run_30", "run_20"]);
			expect(await list({ until: 20 })).toEqual(["run_10"]);
			expect(await list({ since: 20, until: 30 })).toEqual(["run_20"]);
		});

		it("adds one run for a request, however often it is sent, and no other asks for room", async () => {
			const { runs, idempotency } = open();
			const toRequest = (reference: string) => toIdempotencyRecord({ reference, status: null, answer: null });
			const ids = ["run_1", "run_2", "run_3"];
			const inserted: RunInsertion[] = await Promise.all(
				ids.map((id) => runs.insert(toNewRun(id), admit, toRequest(id))),
			);
			const first = ids.find((_, index) => inserted[index]?.kind === "new") ?? "";
			const existing = { kind: "existing", runId: first, request: toRequest(first) };
			expect(inserted.filter(({ kind }) => kind === "existing")).toEqual([existing, existing]);
			expect(await runs.insert(toNewRun("run_4"), refuse, toRequest("run_4"))).toEqual(existing);
			expect((await runs.list({ limit: 9 })).map(({ id }) => id)).toEqual([first]);
			expect(await idempotency.find(toRequest(""), 1)).toEqual(toRequest(first));
			const late = toNewRun("run_5", { created_at: 1000 });
			expect(await runs.insert(late, admit, toRequest("run_5"))).toEqual({ kind: "new" });
		});

		it("adds neither a run nor the record of its request where there is no room", async () => {
			const { runs, idempotency } = open();
			const request = toIdempotencyRecord({ reference: "run_1" });
			await expect(runs.insert(toNewRun("run_1"), refuse, request)).rejects.toThrow("No room.");
			expect([await runs.find("run_1"), await runs.findInputs("run_1")]).toEqual([undefined, undefined]);
			expect(await idempotency.find(request, 1)).toBeUndefined();
		});

		it("adds no record of a request where the run is refused", async () => {
			const { runs, idempotency } = open();
			await runs.insert(toNewRun("run_1"), admit);
			const request = toIdempotencyRecord({ reference: "run_1" });
			await expect(runs.insert(toNewRun("run_1"), admit, request)).rejects.toThrow();
			expect(await idempotency.find(request, 1)).toBeUndefined();
		});

		it("lists the receipts of a run in their order, without those of others", async () => {
			const { runs } = open();
			await runs.insert(toNewRun("run_1"), admit);
			const receiptOf = (id: string, runId: string | null, model: string) => ({
				...toReceipt(NOON, { model }),
				...{ id, runId },
			});
			const started = { type: "run.started", run_id: "run_1", seq: 1, at: 1, agent: "desk" } as const;
			await runs.append({
				events: [{ ...toEventRecord(started), runId: "run_1" }],
				receipts: [receiptOf("rcp_2", "run_1", "b"), receiptOf("rcp_3", null, "c")],
			});
			await runs.append({ events: [], receipts: [receiptOf("rcp_1", "run_1", "a")] });
			expect((await runs.listReceipts("run_1")).map(({ model }) => model)).toEqual(["b", "a"]);
			expect(await runs.listReceipts("run_2")).toEqual([]);
			expect(await runs.find("run_1")).toMatchObject({ last_seq: 1 });
		});
	});
}
