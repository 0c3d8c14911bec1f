import { toEventRecord } from "@stemma/runs";
import { started } from "@stemma/simulators/run-events";
import { beforeEach, describe, expect, it } from "vitest";
import type { Retention } from "../../storage/storage-repository";
import { DAY_MS } from "../../usage/day";
import type { WorkspaceStore } from "../workspace-store";
import { toPushConfig } from "./a2a-fixture";
import { toRatedContent, toStoredFeedback } from "./feedback-contract";
import { toIdempotencyRecord } from "./idempotency-contract";
import { toNewRun } from "./run-fixture";
import { toNewThread, toNewTurn } from "./thread-fixture";
import { toReceipt } from "./usage-contract";

const admit = (): void => undefined;
const NOW = Date.parse("2026-03-01T12:00:00Z");
const EVERYTHING: Retention = { runs: 1_000, receipts: 1_000, feedback: 1_000 };
const DAYS = 12;

/** Id of what was made so many days ago: newer ones are behind older ones. */
const toId = (prefix: string, age: number): string => `${prefix}_${String(DAYS - age).padStart(3, "0")}`;

/**
 * Contract that each store keeps about what goes: it has a run with an event and a receipt, feedback on it, and an answer of
 * each of twelve days, the last one today.
 *
 * @param open - an empty one.
 */
export function describeRetention(open: () => WorkspaceStore): void {
	describe("the retention of a workspace", () => {
		let store: WorkspaceStore;
		beforeEach(async () => {
			store = open();
			for (let age = DAYS - 1; age >= 0; age--) await addDay(age);
		});

		async function addDay(age: number): Promise<void> {
			const [id, at] = [toId("run", age), NOW - age * DAY_MS];
			const ended = { status: "completed", created_at: at, ended_at: at } as const;
			await store.runs.insert(toNewRun(id, { ...ended, started_by: "usr_1" }), admit);
			await store.runs.append({
				events: [{ ...toEventRecord(started(id)), runId: id }],
				receipts: [{ ...toReceipt(new Date(at).toISOString()), runId: id }],
			});
			const times = { created_at: at, updated_at: at };
			await store.feedback.put(toStoredFeedback(toId("fb", age), { ...times, subject: id, sent_by: "ck_1" }));
			await store.feedback.insertAnswer({
				...{ id: toId("ans", age), asked_by: "usr_1", created_at: at, content: toRatedContent("?") },
			});
		}

		async function sweep(retention: Partial<Retention>, now = NOW): Promise<void> {
			while (await store.storage.sweep({ retention: { ...EVERYTHING, ...retention }, now }));
		}

		const LIST = { limit: 99, after: undefined } as const;
		async function count() {
			const usage = await store.usage.read({ from: "2026-01-01", to: "2026-12-31" }, 99);
			const ids = Array.from({ length: DAYS }, (_, age) => toId("run", age));
			const events = await Promise.all(ids.map((id) => store.runs.readEvents(id, 0, 9)));
			const receipts = await Promise.all(ids.map((id) => store.runs.listReceipts(id)));
			return {
				runs: (await store.runs.list(LIST)).length,
				events: events.flat().length,
				receipts: receipts.flat().length,
				usage: usage.length,
				feedback: (await store.feedback.list(LIST)).length,
				answers: (await store.feedback.listAnswers("usr_1", LIST)).length,
			};
		}
		const all = { runs: DAYS, events: DAYS, receipts: DAYS, usage: DAYS, feedback: DAYS, answers: DAYS };

		it("keeps everything where nothing is said", async () => {
			await sweep({});
			expect(await count()).toEqual(all);
		});

		it("keeps so many runs with their events, receipts, and feedback with answers", async () => {
			await sweep({ runs: 3 });
			expect(await count()).toEqual({ ...all, runs: 3, events: 3 });
			await sweep({ receipts: 4 });
			expect(await count()).toEqual({ ...all, runs: 3, events: 3, receipts: 4 });
			await sweep({ feedback: 5 });
			expect(await count()).toEqual({ ...all, runs: 3, events: 3, receipts: 4, feedback: 5, answers: 5 });
			expect((await store.feedback.list(LIST)).at(-1)?.id).toBe(toId("fb", 4));
			expect(await store.feedback.findAnswer(toId("ans", 5))).toBeUndefined();
		});

		it("keeps runs, receipts, usage and feedback for so many days", async () => {
			await sweep({ runDays: 3, receiptDays: 4, usageDays: 5, feedbackDays: 6 });
			// The day itself is kept.
			expect(await count()).toEqual({ runs: 4, events: 4, receipts: 5, usage: 6, feedback: 7, answers: 7 });
		});

		it("keeps the audit for so many days", async () => {
			await store.audit.record({ actor: "cl_1", action: "secret.set", target: "crm" });
			await sweep({ auditDays: 30 }, Date.now());
			expect(await store.audit.list(LIST)).toHaveLength(1);
			await sweep({ auditDays: 30 }, Date.now() + 31 * DAY_MS);
			expect(await store.audit.list(LIST)).toEqual([]);
		});

		it("keeps a run that has not ended, and one whose end somebody is still to be told", async () => {
			const task = { context_id: "c", message_key: "m", status_at: 1 };
			const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "?" }] } as const;
			const old = { status: "completed", created_at: 1, ended_at: 1 } as const;
			await store.tasks.insert(
				toNewRun("run_000_told", old),
				admit,
				{ ...task, message },
				toPushConfig("run_000_told"),
			);
			await store.runs.insert(toNewRun("run_000_paused", { status: "paused" }), admit);
			await sweep({ runs: 1, runDays: 1 });
			expect((await store.runs.list(LIST)).map(({ id }) => id)).toEqual(["run_000_told", "run_000_paused"]);
			await store.pushConfigs.finish({ run_id: "run_000_told", id: "push" });
			await sweep({ runs: 1 });
			expect((await store.runs.list(LIST)).map(({ id }) => id)).toEqual(["run_000_paused"]);
		});

		it("keeps a thread for so many days after its last change, and none of its runs longer", async () => {
			for (const id of ["thr_1", "thr_2"])
				await store.threads.insert(toNewThread(id, { created_at: NOW - 9 * DAY_MS }), admit);
			const turn = toNewTurn(1, { threadId: "thr_2", runId: "run_of_thread", at: NOW - 2 * DAY_MS });
			await store.runs.insert(toNewRun("run_of_thread", { turn, status: "completed", ended_at: NOW }), admit);
			await sweep({ threadDays: 5 });
			expect([await store.threads.find("thr_1"), (await store.threads.find("thr_2"))?.id]).toEqual([
				undefined,
				"thr_2",
			]);
			// An answer that is unfinished keeps its thread.
			await sweep({ threadDays: 1 });
			expect(await store.threads.find("thr_2")).toBeDefined();
			await store.threads.endMessage("a1", { status: "completed", text: "Yes." }, NOW - 2 * DAY_MS);
			await sweep({ threadDays: 1 });
			expect([await store.threads.find("thr_2"), await store.runs.find("run_of_thread")]).toEqual([
				undefined,
				undefined,
			]);
		});

		it("forgets a user: ended runs, answers, kept responses, feedback from and about them; receipts stay", async () => {
			await store.runs.insert(toNewRun("run_open", { started_by: "usr_1" }), admit);
			await store.runs.insert(toNewRun("run_other", { started_by: "usr_2", ended_at: 1 }), admit);
			const [own, other] = [
				toIdempotencyRecord({ caller_id: "usr_1" }),
				toIdempotencyRecord({ caller_id: "usr_2" }),
			];
			for (const record of [own, other]) await store.idempotency.replace(record);
			for (const [id, subject, sent_by] of [
				["fb_sent", "run_other", "usr_1"],
				["fb_answer", toId("ans", 1), "ck_1"],
				["fb_other", "run_other", "usr_2"],
			] as const)
				await store.feedback.put(toStoredFeedback(id, { subject, sent_by }));
			while (await store.storage.eraseUser("usr_1"));
			expect((await store.runs.list(LIST)).map(({ id }) => id)).toEqual(["run_other", "run_open"]);
			expect((await store.feedback.list(LIST)).map(({ id }) => id)).toEqual(["fb_other"]);
			expect(await count()).toMatchObject({ receipts: DAYS, usage: DAYS, answers: 0 });
			expect([await store.idempotency.find(own, 0), await store.idempotency.find(other, 0)]).toEqual([
				undefined,
				other,
			]);
		});
	});
}
