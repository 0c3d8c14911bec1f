import { createTerminalEvent, type LoggedEvent, type SourceEvent, toEventRecord } from "@stemma/runs";
import { completed, pausedFor, started } from "@stemma/simulators/run-events";
import { describe, expect, it } from "vitest";
import type { RunRepository } from "../../runs/repositories/run-repository";
import { INTERRUPTED, type MessageOutcome } from "../../threads/stored-thread";
import type { MessagePage, ThreadCounts, ThreadRepository } from "../../threads/thread-repository";
import type { IdempotencyRecord } from "../idempotency-repository";
import { toNewRun } from "./run-fixture";
import { recordFacts, toNewThread, toNewTurn, toRepeatedTurn } from "./thread-fixture";

const admit = (): void => undefined;
const outcome: MessageOutcome = { status: "completed", text: "Yes.", citations: [], receipt: [] };
const RUN = "run_1";

/** Request that may be sent again, but for what it refers to. */
const REQUEST = {
	...{ caller_id: "cl_1", route: "POST /v1/ask", key: "once", body_fingerprint: "f" },
	...{ status: null, answer: null, expires_at: 1_000 },
};

const toLogged = (event: SourceEvent, more: Partial<LoggedEvent> = {}): LoggedEvent => ({
	...toEventRecord(event),
	runId: RUN,
	...more,
});

const startedEvent = toLogged(started(RUN), { statusAt: 5 });
const pausedEvent = toLogged(pausedFor(RUN, 2, "apr_1"), { status: "paused", statusAt: 6 });
const resumedEvent = toLogged(
	{ type: "run.resumed", run_id: RUN, seq: 3, at: 7 },
	{ status: "running", statusAt: 7 },
);
const completedEvent = toLogged(completed(RUN, 4, "Five days [1]."), { status: "completed", endedAt: 9 });
const failedEvent = toLogged(
	createTerminalEvent(
		{ runId: RUN, lastSeq: 1, done: { output: { days: 5 } } },
		{ status: "failed", error: { code: "timeout", message: "It took too long." } },
		9,
	),
	{ status: "failed", endedAt: 9 },
);

/**
 * Contract that each store of threads keeps.
 *
 * @param open - an empty one, with the runs of the same workspace.
 */
export function describeThreadRepository(
	open: () => { readonly threads: ThreadRepository; readonly runs: RunRepository },
): void {
	async function openWithThread() {
		const store = open();
		await store.threads.insert(toNewThread("thr_1"), admit);
		const list = async () =>
			(await store.threads.listMessages("thr_1")).map(({ id, parent_id, status }) => [id, parent_id, status]);
		return { ...store, list };
	}

	describe("a repository of threads", () => {
		it("finds a thread as it was stored, and changes it", async () => {
			const { threads } = open();
			const thread = toNewThread("thr_1", { title: "Größe", metadata: { topic: "ü" }, agent_id: "ag_1" });
			await threads.insert(thread, admit);
			const stored = {
				...thread,
				...{ message_count: 0, characters: 0, updated_at: 1, active_run_id: null },
			};
			expect(await threads.find("thr_1")).toEqual(stored);
			expect(await threads.find("thr_2")).toBeUndefined();
			expect(await threads.update("thr_1", { metadata: { a: "b" } }, 7)).toEqual({
				...stored,
				metadata: { a: "b" },
				updated_at: 7,
			});
			expect(await threads.update("thr_2", { title: "x" }, 7)).toBeUndefined();
		});

		it("adds no thread where there are too many, and counts them", async () => {
			const { threads } = open();
			const counts: ThreadCounts[] = [];
			for (const [id, owner_id] of [
				["thr_1", "ck_1"],
				["thr_2", "cl_1"],
				["thr_4", "ck_1"],
			] as const)
				await threads.insert(toNewThread(id, { owner_id }), (seen) => void counts.push(seen));
			const refused = threads.insert(toNewThread("thr_3"), () => {
				throw new Error("Too many.");
			});
			await expect(refused).rejects.toThrow("Too many.");
			expect([counts, await threads.find("thr_3")]).toEqual([
				[
					{ workspace: 0, owner: 0 },
					{ workspace: 1, owner: 0 },
					{ workspace: 2, owner: 1 },
				],
				undefined,
			]);
		});

		it("lists the newest first, by owner and by text in titles and messages", async () => {
			const { threads } = open();
			await threads.insert(toNewThread("thr_1"), admit);
			await threads.insert(toNewThread("thr_2", { title: "100% of it", owner_id: "ck_1" }), admit);
			await threads.insert(toNewThread("thr_3", { title: "100 of it" }), admit);
			await threads.appendTurn(toNewTurn(1));
			const list = async (options: Partial<Parameters<ThreadRepository["list"]>[0]>) =>
				(await threads.list({ limit: 9, ...options })).map(({ id }) => id);
			expect(await list({})).toEqual(["thr_3", "thr_2", "thr_1"]);
			expect(await list({ limit: 1 })).toEqual(["thr_3", "thr_2"]);
			expect(await list({ after: "thr_3", limit: 1 })).toEqual(["thr_2", "thr_1"]);
			expect(await list({ owner: "ck_1" })).toEqual(["thr_2"]);
			expect(await list({ query: "question 1" })).toEqual(["thr_1"]);
			expect([await list({ query: "100%" }), await list({ query: "_00" })]).toEqual([["thr_2"], []]);
		});

		it("appends a message and its answer behind the newest message, and gives the thread a title", async () => {
			const { threads, list } = await openWithThread();
			await threads.appendTurn(toNewTurn(1));
			expect(await list()).toEqual([
				["q1", null, "completed"],
				["a1", "q1", "in_progress"],
			]);
			expect(await threads.find("thr_1")).toMatchObject({
				...{ title: "Title 1", message_count: 2, characters: 10, updated_at: 2 },
			});
			await threads.endMessage("a1", outcome, 3);
			await threads.appendTurn(toNewTurn(2));
			expect((await list()).slice(2)).toEqual([
				["q2", "a1", "completed"],
				["a2", "q2", "in_progress"],
			]);
			expect(await threads.find("thr_1")).toMatchObject({ title: "Title 1", characters: 24 });
		});

		it("lists messages of a thread in pages", async () => {
			const { threads } = await openWithThread();
			for (const number of [1, 2]) await threads.appendTurn(toNewTurn(number));
			const list = async (page: MessagePage) =>
				(await threads.listMessages("thr_1", page)).map(({ id }) => id);
			expect(await list({ limit: 2 })).toEqual(["q1", "a1", "q2"]);
			expect(await list({ limit: 2, after: "a1" })).toEqual(["q2", "a2"]);
			expect(await list({ after: "q2" })).toEqual(["a2"]);
			await threads.insert(toNewThread("thr_2"), admit);
			await threads.appendTurn(toNewTurn(3, { threadId: "thr_2" }));
			expect([await list({ after: "q3" }), await list({ after: "q9" })]).toEqual([[], []]);
		});

		it("queues an answer behind those that are unfinished", async () => {
			const { threads, list } = await openWithThread();
			for (const number of [1, 2, 3]) await threads.appendTurn(toNewTurn(number));
			expect((await list()).map(([, , status]) => status)).toEqual([
				...["completed", "in_progress", "completed", "queued", "completed", "queued"],
			]);
			const listIds = async (before?: string) =>
				(await threads.listUnfinished("thr_1", before)).map(({ id }) => id);
			expect([await listIds(), await listIds("a3"), await listIds("a1")]).toEqual([
				["a1", "a2", "a3"],
				["a1", "a2"],
				[],
			]);
			await threads.endMessage("a1", outcome, 3);
			await threads.startMessage("a2");
			expect(await listIds("a3")).toEqual(["a2"]);
			expect(await threads.findMessage("thr_1", "a2")).toMatchObject({ status: "in_progress" });
		});

		it("checks a turn by the facts of this moment, and adds nothing where it is refused", async () => {
			const { threads, runs, list } = await openWithThread();
			const { facts, assertAllowed } = recordFacts();
			const turn = toNewTurn(1, { runId: "run_1", assertAllowed });
			await runs.insert(toNewRun("run_1", { turn }), admit);
			await threads.appendTurn(toNewTurn(2, { assertAllowed }));
			await threads.appendTurn(toRepeatedTurn(1, "a1b", { assertAllowed }));
			const refuse = (): never => {
				throw new Error("No.");
			};
			await expect(threads.appendTurn(toNewTurn(3, { assertAllowed: refuse }))).rejects.toThrow("No.");
			await expect(
				threads.appendTurn(
					toNewTurn(4, {
						parentId: "elsewhere",
						assertAllowed(seen) {
							facts.push(seen);
							refuse();
						},
					}),
				),
			).rejects.toThrow("No.");
			expect(facts).toEqual([
				{ thread: { message_count: 0, characters: 0 }, parent: undefined, unfinished: 0, unfinishedRuns: 0 },
				{
					thread: { message_count: 2, characters: 10 },
					parent: { id: "a1", role: "assistant" },
					...{ unfinished: 1, unfinishedRuns: 1 },
				},
				{
					thread: { message_count: 4, characters: 20 },
					parent: { id: "q1", role: "user" },
					...{ unfinished: 2, unfinishedRuns: 1 },
				},
				{ thread: { message_count: 5, characters: 20 }, parent: undefined, unfinished: 3, unfinishedRuns: 1 },
			]);
			expect((await list()).length).toBe(5);
		});

		it("appends the question of a request once, however often it is sent", async () => {
			const { threads, list } = await openWithThread();
			const seen: unknown[] = [];
			const request = {
				toRecord: (reference: string) => ({ ...REQUEST, reference }),
				assertSame: (stored: IdempotencyRecord) => void seen.push(stored.reference),
			};
			const { facts, assertAllowed } = recordFacts();
			expect(await threads.appendTurn(toNewTurn(1, { request, assertAllowed }))).toBe("q1");
			expect(await threads.appendTurn(toNewTurn(2, { request, assertAllowed }))).toBe("q1");
			expect(await list()).toEqual([
				["q1", null, "completed"],
				["a1", "q1", "in_progress"],
				["a2", "q1", "queued"],
			]);
			expect(seen).toEqual(["q1"]);
			expect(facts[1]?.parent).toEqual({ id: "q1", role: "user" });
			await threads.insert(toNewThread("thr_2"), admit);
			expect(await threads.appendTurn(toNewTurn(3, { threadId: "thr_2", request }))).toBe("q3");
		});

		it("knows no parent of another thread", async () => {
			const { threads } = await openWithThread();
			await threads.insert(toNewThread("thr_2"), admit);
			await threads.appendTurn(toNewTurn(1));
			const { facts, assertAllowed } = recordFacts();
			await threads.appendTurn(toNewTurn(2, { threadId: "thr_2", parentId: "a1", assertAllowed }));
			expect(facts[0]?.parent).toBeUndefined();
			expect(await threads.findMessage("thr_2", "a1")).toBeUndefined();
			expect(await threads.listBranch("thr_2", "a1")).toEqual([]);
			expect((await threads.listBranch("thr_2", "a2")).map(({ id }) => id)).toEqual(["q2", "a2"]);
		});

		it("lists a branch without its siblings, or the last of it", async () => {
			const { threads } = await openWithThread();
			await threads.appendTurn(toNewTurn(1));
			await threads.appendTurn(toNewTurn(2));
			await threads.appendTurn(toNewTurn(3, { parentId: "a1" }));
			await threads.appendTurn(toRepeatedTurn(3, "a3b"));
			await threads.appendTurn(toNewTurn(4, { parentId: null }));
			const list = async (id: string, limit?: number) =>
				(await threads.listBranch("thr_1", id, limit)).map((message) => message.id);
			expect(await list("a2")).toEqual(["q1", "a1", "q2", "a2"]);
			expect(await list("a3b")).toEqual(["q1", "a1", "q3", "a3b"]);
			expect(await list("a3b", 2)).toEqual(["q3", "a3b"]);
			expect([await list("a4"), await list("q9")]).toEqual([["q4", "a4"], []]);
			const listPage = async (page: MessagePage) =>
				(await threads.listBranch("thr_1", "a3b", undefined, page)).map((message) => message.id);
			expect(await listPage({ limit: 2 })).toEqual(["q1", "a1", "q3"]);
			expect(await listPage({ limit: 2, after: "a1" })).toEqual(["q3", "a3b"]);
		});

		it("ends an answer once, with all that it has", async () => {
			const { threads } = await openWithThread();
			await threads.appendTurn(toNewTurn(1));
			const refused = { ...outcome, refused: "no_relevant_passages" } as const;
			expect(await threads.endMessage("a1", refused, 3)).toBe(true);
			expect(await threads.endMessage("a1", { status: "cancelled", text: "" }, 4)).toBe(false);
			expect(await threads.endMessage("a9", outcome, 4)).toBe(false);
			expect(await threads.findMessage("thr_1", "a1")).toEqual({
				...{ id: "a1", thread_id: "thr_1", parent_id: "q1", role: "assistant", run_id: null, error: null },
				...{ ...refused, created_at: 2, answer_id: null },
			});
		});

		it("follows the run that answers: it waits with it, and ends with it once", async () => {
			const { threads, runs } = await openWithThread();
			await runs.insert(toNewRun("run_1", { turn: toNewTurn(1, { runId: "run_1" }) }), admit);
			await runs.insert(toNewRun("run_2", { turn: toNewTurn(2, { runId: "run_2" }) }), admit);
			const find = async (id = "a1") => threads.findMessage("thr_1", id);
			expect(await threads.findRunMessage("run_1")).toEqual({ id: "a1", thread_id: "thr_1" });
			expect(await threads.findRunMessage("run_3")).toBeUndefined();
			expect([await find(), await find("a2")]).toMatchObject([
				{ status: "in_progress" },
				{ status: "queued" },
			]);
			expect(await threads.find("thr_1")).toMatchObject({ active_run_id: "run_1" });
			await runs.append({ events: [startedEvent, pausedEvent], receipts: [] });
			expect(await find()).toMatchObject({ status: "waiting" });
			await runs.append({ events: [resumedEvent], receipts: [] });
			expect(await find()).toMatchObject({ status: "in_progress" });
			await runs.append({ events: [completedEvent], receipts: [] });
			await runs.append({ events: [completedEvent], receipts: [] });
			expect(await find()).toMatchObject({
				...{ status: "completed", text: "Five days [1].", citations: [], receipt: [], error: null },
			});
			expect(await threads.find("thr_1")).toMatchObject({ characters: 34, active_run_id: null });
			await runs.append({ events: [{ ...startedEvent, runId: "run_2" }], receipts: [] });
			expect(await find("a2")).toMatchObject({ status: "in_progress" });
			expect(await threads.find("thr_1")).toMatchObject({ active_run_id: "run_2" });
		});

		it("stores a run that fails with its error, and JSON as text", async () => {
			const { threads, runs } = await openWithThread();
			await runs.insert(toNewRun("run_1", { turn: toNewTurn(1, { runId: "run_1" }) }), admit);
			await runs.append({ events: [startedEvent, failedEvent], receipts: [] });
			expect(await threads.findMessage("thr_1", "a1")).toMatchObject({
				...{ status: "failed", text: '{"days":5}', error: { code: "timeout", message: "It took too long." } },
			});
		});

		it("adds no run where its message is refused", async () => {
			const { threads, runs, list } = await openWithThread();
			const turn = toNewTurn(1, {
				runId: "run_1",
				assertAllowed: () => {
					throw new Error("No.");
				},
			});
			await expect(runs.insert(toNewRun("run_1", { turn }), admit)).rejects.toThrow("No.");
			expect([await runs.find("run_1"), await list()]).toEqual([undefined, []]);
			expect(await threads.find("thr_1")).toMatchObject({ message_count: 0 });
		});

		it("ends what the process before has left unfinished, but for the answers of runs", async () => {
			const { threads, runs, list } = await openWithThread();
			await runs.insert(toNewRun("run_1", { turn: toNewTurn(1, { runId: "run_1" }) }), admit);
			await threads.appendTurn(toNewTurn(2));
			await threads.endInterrupted(INTERRUPTED, 9);
			expect((await list()).map(([, , status]) => status)).toEqual([
				...["completed", "in_progress", "completed", "failed"],
			]);
		});

		it("deletes a thread with its messages and their runs, once none is unfinished", async () => {
			const { threads, runs } = await openWithThread();
			for (let number = 1; number <= 120; number++) {
				const runId = `run_${number}`;
				await runs.insert(toNewRun(runId, { turn: toNewTurn(number, { runId }) }), admit);
			}
			for (let number = 1; number <= 60; number++) {
				const within = number === 1 ? "run_1" : `run_nested_${number - 1}`;
				await runs.insert(toNewRun(`run_nested_${number}`, { within, ended_at: 3 }), admit);
				await runs.insert(toNewRun(`run_beside_${number}`, { within: "run_2", ended_at: 3 }), admit);
			}
			await runs.insert(toNewRun("run_other"), admit);
			expect(await threads.delete("thr_1")).toBe("active");
			for (let number = 1; number <= 120; number++) await threads.endMessage(`a${number}`, outcome, 3);
			expect(await threads.delete("thr_1")).toBe("deleted");
			expect(await threads.delete("thr_1")).toBe("missing");
			expect([await threads.find("thr_1"), await threads.listMessages("thr_1")]).toEqual([undefined, []]);
			expect((await runs.list({ limit: 9 })).map(({ id }) => id)).toEqual(["run_other"]);
		});
	});
}
