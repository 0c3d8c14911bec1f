import { expect, it } from "vitest";
import { openMemoryDatabase } from "../http/test-support/memory-database";
import { createWorkspaceStore } from "../store/repositories/workspace-store";
import { toNewRun } from "../store/test-support/run-fixture";
import { toNewThread, toNewTurn } from "../store/test-support/thread-fixture";
import { type WorkspaceTables, workspaceMigrations } from "../store/workspace-tables";
import { ThreadTurns } from "./thread-turns";

async function open() {
	const { threads, runs } = createWorkspaceStore(openMemoryDatabase<WorkspaceTables>(workspaceMigrations));
	await threads.insert(toNewThread("thr_1"), () => undefined);
	const cancelled: string[] = [];
	const turns = new ThreadTurns({
		repository: threads,
		runs: {
			watch: () => expect.unreachable(),
			async cancel(runId) {
				cancelled.push(runId);
			},
		},
	});
	return { threads, runs, turns, cancelled };
}

const refuse = (): never => {
	throw new Error("No.");
};

it("cancels nothing of a thread where a run is among it that may not be cancelled", async () => {
	const { threads, runs, turns, cancelled } = await open();
	const answer = await turns.append(toNewTurn(1));
	await runs.insert(toNewRun("run_1", { turn: toNewTurn(2, { runId: "run_1" }) }), () => undefined);
	await expect(turns.interrupt({ threadId: "thr_1" }, refuse)).rejects.toThrow("No.");
	expect([cancelled, answer.signal.aborted]).toEqual([[], false]);
	expect(await threads.listUnfinished("thr_1")).toHaveLength(2);
	answer.signal.addEventListener("abort", answer.close);
	await turns.interrupt({ threadId: "thr_1" });
	expect([cancelled, answer.signal.aborted]).toEqual([["run_1"], true]);
	expect(await threads.listUnfinished("thr_1")).toEqual([]);
});

it("cancels questions without runs for those who may not cancel runs", async () => {
	const { turns } = await open();
	const answer = await turns.append(toNewTurn(1));
	answer.signal.addEventListener("abort", answer.close);
	await turns.interrupt({ threadId: "thr_1" }, refuse);
	expect(answer.signal.aborted).toBe(true);
});
