import { setTimeout as wait } from "node:timers/promises";
import { parseEvent } from "@stemma/runs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createId } from "../create-id";
import { describeOnPostgres } from "../store/postgres/test-support/describe-on-postgres";
import { startTestInstances, type TestInstances } from "../store/postgres/test-support/test-instance";
import { toNewRun } from "../store/test-support/run-fixture";
import { readResult } from "./stored-run";
import { RunProcess } from "./test-support/run-process";

const never = new AbortController().signal;
const POLL = { timeout: 10_000 };

describeOnPostgres("a run of one of several instances", (database) => {
	let instances: TestInstances;
	let workspaceId: string;
	let opened: RunProcess[];
	beforeEach(async () => {
		instances = await startTestInstances(database);
		workspaceId = createId("ws");
		opened = [];
	});
	afterEach(async () => {
		for (const { runs } of opened) await runs.stop(0);
		await instances.close();
	});

	async function open(maxConcurrentRuns = 10, resumesInterrupted = false): Promise<RunProcess> {
		const instance = await instances.add();
		const store = await instance.openWorkspace(workspaceId);
		const process = new RunProcess(instance, store, maxConcurrentRuns, resumesInterrupted);
		opened.push(process);
		return process;
	}

	it("is seen by watchers on another instance as it happens, to its end", async () => {
		const [owner, other] = [await open(), await open()];
		const id = await owner.start();
		const seen = other.watch(id);
		owner.say("one ");
		await expect.poll(() => seen.text, POLL).toBe("one ");
		owner.say("two");
		await expect.poll(() => seen.text, POLL).toBe("one two");
		const settled = other.runs.waitUntilSettled(id, never);
		owner.say(undefined);
		await Promise.all([seen.ended, settled]);
		expect(seen.types.at(-1)).toBe("run.completed");
		expect(seen.seqs).toEqual(seen.seqs.map((_, index) => index + 1));
	});

	it("is cancelled by another instance, which waits for the stored end", async () => {
		const [owner, other] = [await open(), await open()];
		const id = await owner.start();
		await other.runs.cancel(id);
		expect((await other.store.runs.find(id))?.status).toBe("cancelled");
		await expect.poll(() => owner.runs.running(), POLL).toBe(0);
	});

	it("ends where the lease of its instance is over, which writes nothing of it any more", async () => {
		const [owner, other] = [await open(), await open()];
		const id = await owner.start();
		const seen = owner.watch(id);
		owner.say("one");
		await expect.poll(() => seen.text, POLL).toBe("one");
		expect(await other.runs.recover()).toBe(0);
		await owner.instance.expire();
		expect(await other.runs.recover()).toBe(1);
		owner.say("two");
		owner.say(undefined);
		await seen.ended;
		await expect.poll(() => owner.runs.running(), POLL).toBe(0);
		await owner.runs.log.flushed();
		const run = await other.store.runs.find(id);
		const events = (await other.store.runs.readEvents(id, 0, 1000)).map(parseEvent);
		expect([run?.status, run?.last_seq]).toEqual(["failed", events.length]);
		expect(events.at(-1)).toMatchObject({ type: "run.failed", error: { code: "interrupted" } });
		expect(JSON.stringify(events)).not.toContain("two");
		expect(seen.types.at(-1)).toBe("run.failed");
		expect([await other.runs.recover(), owner.failures]).toEqual([0, []]);
	});

	it("is resumed by another instance where the lease of its own is over, and shows each event once", async () => {
		const [owner, other] = [await open(10, true), await open(10, true)];
		const id = await owner.start();
		const seen = owner.watch(id);
		owner.say("one");
		await expect.poll(() => seen.text, POLL).toBe("one");
		expect(await other.resumeInterrupted()).toEqual([]);
		await owner.instance.expire();
		expect(await other.resumeInterrupted()).toEqual([id]);
		// It is refused, or the owner has been told before, and has the run no more.
		const saved = owner.runs.saveState(id).then(
			() => owner.runs.running(),
			({ code }) => code,
		);
		expect(await saved).toBeOneOf(["run_moved", 0]);
		owner.say("late");
		other.say("two");
		other.say(undefined);
		await seen.ended;
		const run = await other.store.runs.find(id);
		expect(run && (await readResult(other.store.runs, run))).toMatchObject({
			status: "completed",
			output: "two",
			receipt: [{ estimated: true }, {}],
		});
		expect(seen.seqs).toEqual(seen.seqs.map((_, index) => index + 1));
		expect(seen.types).toEqual([
			...["run.started", "node.started", "text.delta", "run.resumed", "text.reset"],
			...["text.delta", "node.completed", "run.completed"],
		]);
		expect([owner.failures, other.failures]).toEqual([[], []]);
	});

	it("calls no tool again that the instance without a lease has called", async () => {
		const [owner, other] = [await open(10, true), await open(10, true)];
		const id = await owner.start(1);
		await owner.runs.waitUntilSettled(id, never);
		owner.toolsMayEnd = new Promise(() => undefined);
		const [approval = ""] = await owner.listApprovals(id);
		await owner.approve(id, approval, 1);
		await expect.poll(() => owner.called, POLL).toEqual(["tool_0"]);
		await owner.instance.expire();
		expect(await other.resumeInterrupted(1)).toEqual([id]);
		await other.runs.waitUntilSettled(id, never);
		const run = await other.store.runs.find(id);
		expect(run && (await readResult(other.store.runs, run))).toMatchObject({
			status: "failed",
			error: { code: "outcome_unknown" },
		});
		expect(other.called).toEqual([]);
	});

	it("is cancelled where that is requested before it is resumed", async () => {
		const [owner, other, third] = [await open(10, true), await open(10, true), await open(10, true)];
		const id = await owner.start();
		const seen = owner.watch(id);
		owner.say("one");
		await expect.poll(() => seen.text, POLL).toBe("one");
		await owner.instance.expire();
		await third.recover();
		const cancelled = other.runs.cancel(id);
		await expect.poll(() => third.store.claims.listCancelled(), POLL).toEqual([{ kind: "run", id }]);
		expect(await third.resumeInterrupted()).toEqual([id]);
		await cancelled;
		expect((await other.store.runs.find(id))?.status).toBe("cancelled");
	});

	it("is cancelled by the instance that resumes it while it waits for its end", async () => {
		const [owner, other] = [await open(10, true), await open(10, true)];
		const id = await owner.start();
		const seen = owner.watch(id);
		owner.say("one");
		await expect.poll(() => seen.text, POLL).toBe("one");
		owner.instance.setFaults((sql) => (sql.includes("INSERT INTO run_events") ? "not_sent" : undefined));
		await owner.instance.expire();
		const cancelled = other.runs.cancel(id);
		await expect.poll(() => owner.store.claims.listCancelled(), POLL).toEqual([{ kind: "run", id }]);
		expect(await other.resumeInterrupted()).toEqual([id]);
		await cancelled;
		expect((await other.store.runs.find(id))?.status).toBe("cancelled");
		owner.instance.setFaults(() => undefined);
	});

	it("loses nothing where other runs of its instance are lost", async () => {
		const [owner, other] = [await open(), await open()];
		const [lost, kept] = [await owner.start(), await owner.start(1)];
		await owner.runs.waitUntilSettled(kept, never);
		await owner.instance.expire();
		expect(await other.runs.recover()).toBe(1);
		const [approval = ""] = await owner.listApprovals(kept);
		await owner.approve(kept, approval, 1);
		owner.say(undefined);
		await owner.runs.waitUntilSettled(kept, never);
		const found = await Promise.all([lost, kept].map((id) => owner.store.runs.find(id)));
		expect(found.map((run) => run?.status)).toEqual(["failed", "completed"]);
	});

	it("stays with a living instance when another one starts", async () => {
		const owner = await open();
		const id = await owner.start();
		const other = await open();
		expect(await other.runs.recover()).toBe(0);
		owner.say(undefined);
		await other.runs.waitUntilSettled(id, never);
		expect((await other.store.runs.find(id))?.status).toBe("completed");
	});

	it("counts on all instances: there is one limit", async () => {
		const [first, second] = [await open(2), await open(2)];
		await first.start();
		const id = await second.start();
		await expect(first.start()).rejects.toMatchObject({ code: "too_many_runs" });
		second.say(undefined);
		await first.runs.waitUntilSettled(id, never);
		await first.start();
	});

	it("waits for room on all instances before it goes on, and nothing is decided until then", async () => {
		const [first, second] = [await open(1), await open(1)];
		const paused = await first.start(1);
		await first.runs.waitUntilSettled(paused, never);
		const [approval = ""] = await first.listApprovals(paused);
		const id = await second.start();
		await expect(first.approve(paused, approval, 1)).rejects.toMatchObject({ code: "too_many_runs" });
		expect(await first.store.approvals.listDecided(paused)).toEqual([]);
		second.say(undefined);
		await first.runs.waitUntilSettled(id, never);
		first.say(undefined);
		await first.approve(paused, approval, 1);
		await first.runs.waitUntilSettled(paused, never);
		expect((await first.store.runs.find(paused))?.status).toBe("completed");
	});

	it("has no room that another run has taken before its claim, and keeps what was decided", async () => {
		const [first, second] = [await open(1), await open(1)];
		const paused = await first.start(1);
		await first.runs.waitUntilSettled(paused, never);
		const [approval = ""] = await first.listApprovals(paused);
		let id = "";
		const resumed = first.resume(paused, 1, async () => {
			id = await second.start();
			return first.recordApproval(paused, approval);
		});
		await expect(resumed).rejects.toMatchObject({ code: "too_many_runs" });
		expect((await first.store.runs.find(paused))?.status).toBe("paused");
		second.say(undefined);
		await first.runs.waitUntilSettled(id, never);
		first.say(undefined);
		await first.resume(paused, 1);
		await first.runs.waitUntilSettled(paused, never);
		expect([first.called, first.failures]).toEqual([["tool_0"], []]);
	});

	it("is resumed once, though all instances decide on it at the same time", async () => {
		const processes = [await open(), await open(), await open()];
		const [starter] = processes;
		const id = (await starter?.start(3)) ?? "";
		await starter?.runs.waitUntilSettled(id, never);
		const watching = processes.map((process) => process.watch(id, true));
		const approvals = (await starter?.listApprovals(id)) ?? [];
		for (const process of processes) process.say(undefined);
		await Promise.all(
			processes.flatMap((process) => approvals.map((approval) => process.approve(id, approval, 3))),
		);
		let hasWatchers = true;
		const ended = Promise.all(watching.map(({ ended }) => ended)).finally(() => {
			hasWatchers = false;
		});
		while (hasWatchers) {
			for (const process of processes) await process.resumeUndelivered(3);
			await wait(10);
		}
		await ended;
		const called = processes.flatMap((process) => process.called);
		expect([...called].sort()).toEqual(["tool_0", "tool_1", "tool_2"]);
		for (const { types, seqs } of watching) {
			expect(types.at(-1)).toBe("run.completed");
			expect(seqs).toEqual(seqs.map((_, index) => index + 1));
		}
	});

	it("gets a decision that another instance records while it is in progress", async () => {
		const [owner, other] = [await open(), await open()];
		const id = await owner.start(2);
		await owner.runs.waitUntilSettled(id, never);
		const [first = "", second = ""] = await owner.listApprovals(id);
		const { promise, resolve } = Promise.withResolvers<void>();
		owner.toolsMayEnd = promise;
		await owner.approve(id, first, 2);
		await expect.poll(() => owner.called, POLL).toHaveLength(1);
		await other.approve(id, second, 2);
		await expect.poll(() => owner.called, POLL).toHaveLength(2);
		resolve();
		owner.say(undefined);
		await other.watch(id, true).ended;
		expect([await other.store.runs.find(id), other.called]).toMatchObject([{ status: "completed" }, []]);
	});

	it("is ended by its own instance where its start was not confirmed", async () => {
		const owner = await open();
		const { claims } = owner.store;
		// As if the connection had ended between the commit and its confirmation.
		const unconfirmed = claims.taking({ kind: "run", id: "run_x" }, async (take) => {
			await database
				.openWorkspace(workspaceId)
				.write.transaction()
				.execute(async (transaction) => {
					const { input: _, context: __, background, ...run } = toNewRun("run_x");
					await transaction
						.insertInto("runs")
						.values({ ...run, background: background ? 1 : 0, limits: null })
						.execute();
					await take(transaction);
				});
			throw new Error("The connection is gone.");
		});
		await expect(unconfirmed).rejects.toThrow("gone");
		expect(claims.hasUnconfirmed).toBe(true);
		await owner.recover();
		expect((await owner.store.runs.find("run_x"))?.status).toBe("failed");
		expect(claims.hasUnconfirmed).toBe(false);
	});

	it("goes on from its last pause, though it was found at the one before", async () => {
		const [owner, other] = [await open(), await open()];
		const id = await owner.start(2);
		await owner.runs.waitUntilSettled(id, never);
		const [first = "", second = ""] = await owner.listApprovals(id);
		for (const process of [owner, other]) process.say(undefined);
		await other.resume(id, 2, async () => {
			await owner.approve(id, first, 2);
			await owner.runs.waitUntilSettled(id, never);
			return other.recordApproval(id, second);
		});
		const seen = other.watch(id, true);
		await seen.ended;
		expect([owner.called, other.called]).toEqual([["tool_0"], ["tool_1"]]);
		expect(seen.types.at(-1)).toBe("run.completed");
		expect(seen.seqs).toEqual(seen.seqs.map((_, index) => index + 1));
	});

	it("is resumed where it paused just when a decision was recorded", async () => {
		const owner = await open();
		const id = await owner.start(2);
		await owner.runs.waitUntilSettled(id, never);
		const [first = "", second = ""] = await owner.listApprovals(id);
		const { promise, resolve } = Promise.withResolvers<void>();
		owner.toolsMayEnd = promise;
		await owner.approve(id, first, 2);
		// Nobody notifies the run of it.
		await owner.recordApproval(id, second);
		resolve();
		await owner.runs.waitUntilSettled(id, never);
		owner.say(undefined);
		await expect.poll(() => owner.runs.running(), POLL).toBe(0);
		await owner.resumeUndelivered(2);
		await owner.runs.waitUntilSettled(id, never);
		expect(owner.called).toEqual(["tool_0", "tool_1"]);
		expect((await owner.store.runs.find(id))?.status).toBe("completed");
	});

	it("waits on where the database is lost while it is resumed, and goes on then", async () => {
		const owner = await open();
		const id = await owner.start(1);
		await owner.runs.waitUntilSettled(id, never);
		const [approval = ""] = await owner.listApprovals(id);
		owner.instance.setFaults((sql) => (sql.includes('"run_states"') ? "not_sent" : undefined));
		await expect(owner.approve(id, approval, 1)).rejects.toMatchObject({ code: "storage_unavailable" });
		expect((await owner.store.runs.find(id))?.status).toBe("paused");
		owner.instance.setFaults(() => undefined);
		owner.say(undefined);
		await owner.approve(id, approval, 1);
		await owner.runs.waitUntilSettled(id, never);
		expect([owner.called, owner.failures]).toEqual([["tool_0"], []]);
		expect((await owner.store.runs.find(id))?.status).toBe("completed");
	});

	it("is ended by the next recovery where the database is lost during one", async () => {
		const [owner, other] = [await open(), await open()];
		const id = await owner.start();
		await owner.instance.expire();
		const { claims } = other.store;
		other.instance.setFaults((sql) => (sql.includes('"run_events"') ? "not_sent" : undefined));
		await expect(other.recover()).rejects.toMatchObject({ code: "storage_unavailable" });
		let hasClaimed = false;
		other.instance.setFaults((sql) => {
			hasClaimed ||= sql.includes("INSERT INTO stemma_deployment.claims");
			return hasClaimed && sql === "commit" ? "unconfirmed" : undefined;
		});
		await expect(other.recover()).rejects.toMatchObject({ code: "storage_unavailable" });
		expect([hasClaimed, claims.hasUnconfirmed]).toEqual([true, true]);
		expect((await other.store.runs.find(id))?.status).toBe("running");
		other.instance.setFaults(() => undefined);
		await other.recover();
		expect(claims.hasUnconfirmed).toBe(false);
		expect((await other.store.runs.find(id))?.status).toBe("failed");
	});

	it("is not ended by its own instance, whose lease was over for a while", async () => {
		const owner = await open();
		const id = await owner.start();
		await owner.instance.expire();
		await owner.recover();
		owner.say("one");
		owner.say(undefined);
		await owner.runs.waitUntilSettled(id, never);
		expect((await owner.store.runs.find(id))?.status).toBe("completed");
	});
});
