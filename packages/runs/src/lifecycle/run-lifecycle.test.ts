import type { WireRunEvent } from "@stemma/client";
import type { ApprovalDecision, RunError } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";
import { completed, finalText, pausedFor, started } from "@stemma/simulators/run-events";
import { expect, it } from "vitest";
import { parseEvent, type SourceEvent, toEventRecord } from "../store/event-record";
import { MemoryRunStore } from "../store/memory-run-store";
import { ActiveRun } from "./active-run";
import { type DecideSteps, type PausedRun, RunLifecycle } from "./run-lifecycle";
import type { RunSegment } from "./run-segment";

/** Segment whose events a test plays. */
class PlayedSegment implements RunSegment {
	readonly decided: string[] = [];
	isCancelled = false;
	#onEvent: (event: SourceEvent) => void = () => undefined;
	#break: (error: Error) => void = () => undefined;

	follow(onEvent: (event: SourceEvent) => void): Promise<unknown> {
		this.#onEvent = onEvent;
		return new Promise((_, reject) => {
			this.#break = reject;
		});
	}

	play(...events: readonly WireRunEvent[]): void {
		for (const event of events) this.#onEvent(event);
	}

	fail(): void {
		this.#break(new Error("broken"));
	}

	cancel(): void {
		this.isCancelled = true;
	}

	decide({ approval_id }: ApprovalDecision): void {
		if (approval_id === "apr_closed") throw new StemmaError("", { code: "approval_not_found" });
		this.decided.push(approval_id);
	}

	save(): string {
		return "saved";
	}
}

/** Run that was found paused. */
interface FoundRun extends PausedRun {
	readonly id: string;
}

/** Failure that is over after a while. */
class TemporaryError extends Error {}

const toRunError = (error: unknown): RunError => ({ code: "broken", message: String(error) });

/** @param cancelElsewhere - what another process does that is to cancel a run. Default: there is none. */
function createFixture(cancelElsewhere?: (store: MemoryRunStore, id: string) => Promise<void>) {
	const store = new MemoryRunStore({ maxLogLength: 1e6, maxEndedLength: 1e6, endedTtlMs: 60_000 });
	const recorded: ApprovalDecision[] = [];
	const released: string[] = [];
	const resumed: PlayedSegment[] = [];
	const opened: { readonly state: string; readonly decisions: readonly string[] }[] = [];
	let next: PlayedSegment | undefined = new PlayedSegment();
	let failure: Error | undefined;

	class StoredRun extends ActiveRun {
		constructor(id: string, lastSeq: number, segment: RunSegment) {
			super({ id, isBackground: false, lastSeq });
			this.follow(segment);
		}
		protected override onEvent(event: SourceEvent): void {
			const { status } = "result" in event ? event.result : { status: "running" as const };
			const record = { ...toEventRecord(event), runId: this.id, status };
			const pause = { state: this.save(), resumeContext: "", approvals: [] };
			void store.append({ events: [status === "paused" ? { ...record, pause } : record], receipts: [] });
		}
		protected override onSettled(): void {
			lifecycle.active.delete(this.id);
			this.resolveSettled();
		}
		protected override toRunError = toRunError;
	}

	const lifecycle: RunLifecycle<StoredRun, FoundRun> = new RunLifecycle(store, {
		async findPaused(id) {
			const head = await store.findHead(id);
			return head?.status === "paused" ? { id, lastSeq: head.lastSeq } : undefined;
		},
		listDecisions: async () => recorded.splice(0),
		acquire: () => undefined,
		release: (id) => void released.push(id),
		async endPaused({ id, lastSeq }, end) {
			const run = new StoredRun(id, lastSeq, new PlayedSegment());
			run.end(end.status === "failed" ? end.error : undefined);
		},
		...(cancelElsewhere !== undefined && { cancelElsewhere: (id) => cancelElsewhere(store, id) }),
		isTemporary: (error) => error instanceof TemporaryError,
		toRunError,
	});

	function open(id: string, lastSeq: number): PlayedSegment {
		if (next === undefined) throw new Error("No agent.");
		const segment = next;
		next = new PlayedSegment();
		lifecycle.active.add(id, new StoredRun(id, lastSeq, segment));
		return segment;
	}

	const steps = (id: string): DecideSteps<FoundRun> => ({
		async record() {
			const decision = { approval_id: id, decision: "approve" } as const;
			recorded.push(decision);
			return [decision];
		},
		async prepare({ id: runId, lastSeq }, { state }, decisions) {
			if (failure !== undefined) throw failure;
			return () => {
				opened.push({ state, decisions: decisions.map(({ approval_id }) => approval_id) });
				resumed.push(open(runId, lastSeq));
			};
		},
	});

	return {
		lifecycle,
		store,
		opened,
		released,
		resumed,
		start: (id: string) => open(id, 0),
		decide: (runId: string, id: string) => lifecycle.decide(runId, steps(id)),
		loseAgent() {
			next = undefined;
		},
		/** Makes all preparations fail, or none. */
		failPreparations(error: Error | undefined) {
			failure = error;
		},
		read: async (id: string) => (await store.readEvents(id, 0, 100)).map(parseEvent),
	};
}

const ID = "run_1";

it("resumes a paused run once with all that was decided, however many decide", async () => {
	const { start, decide, opened, lifecycle, released } = createFixture();
	start(ID).play(started(ID), pausedFor(ID, 2, "apr_1", "apr_2"));
	await Promise.all([decide(ID, "apr_1"), decide(ID, "apr_2")]);
	expect(opened).toEqual([{ state: "saved", decisions: ["apr_1"] }]);
	expect(lifecycle.active.get(ID)?.lastSeq).toBe(2);
	expect(released).toEqual([]);
});

it("hands a decision to a run in progress; one that has just paused is resumed with it", async () => {
	const { start, decide, opened } = createFixture();
	const segment = start(ID);
	segment.play(started(ID));
	await decide(ID, "apr_1");
	expect(segment.decided).toEqual(["apr_1"]);
	const decided = decide(ID, "apr_closed");
	// Its pause is on the way for a while.
	await new Promise((resolve) => setTimeout(resolve));
	segment.play(pausedFor(ID, 2, "apr_closed"));
	await decided;
	expect(opened).toMatchObject([{ decisions: ["apr_1", "apr_closed"] }]);
});

it("leaves a run paused where nothing was decided, and gives its room back", async () => {
	const { start, lifecycle, opened, released } = createFixture();
	start(ID).play(started(ID), pausedFor(ID, 2, "apr_1"));
	const prepare = () => Promise.reject(new Error("not used"));
	await lifecycle.decide(ID, { record: async () => [], prepare });
	await expect(
		lifecycle.decide(ID, { record: () => Promise.reject(new Error("refused")), prepare }),
	).rejects.toThrow("refused");
	expect([opened, released]).toEqual([[], [ID, ID]]);
});

it("ends a run that cannot be resumed, as failed", async () => {
	const { start, decide, read, loseAgent, released } = createFixture();
	start(ID).play(started(ID), pausedFor(ID, 2, "apr_1"));
	loseAgent();
	await decide(ID, "apr_1");
	expect((await read(ID)).at(-1)).toMatchObject({ type: "run.failed", seq: 3, error: { code: "broken" } });
	expect(released).toEqual([ID]);
});

it("ends a run as failed whose preparation fails, and leaves it paused where that is temporary", async () => {
	const { start, decide, read, failPreparations, lifecycle, released } = createFixture();
	start(ID).play(started(ID), pausedFor(ID, 2, "apr_1"));
	failPreparations(new TemporaryError("unavailable"));
	await expect(decide(ID, "apr_1")).rejects.toThrow("unavailable");
	expect((await read(ID)).map(({ type }) => type)).toEqual(["run.started", "run.paused"]);
	failPreparations(new Error("deleted"));
	await decide(ID, "apr_1");
	expect((await read(ID)).at(-1)).toMatchObject({ type: "run.failed", seq: 3 });
	expect([released, lifecycle.isIdle]).toEqual([[ID, ID], true]);
});

it("hands decisions of another process to a run once it is resumed, and to no other", async () => {
	const { start, decide, lifecycle, resumed } = createFixture();
	const decision = { approval_id: "apr_2", decision: "approve" } as const;
	const list = async () => [decision];
	await lifecycle.deliver(ID, list);
	start(ID).play(started(ID), pausedFor(ID, 2, "apr_1", "apr_2"));
	await lifecycle.deliver(ID, list);
	const decided = decide(ID, "apr_1");
	const delivered = lifecycle.deliver(ID, list);
	await Promise.all([decided, delivered]);
	expect(resumed.map((segment) => segment.decided)).toEqual([["apr_2"]]);
});

it("cancels a paused run, and one in progress by its source", async () => {
	const { start, lifecycle, read } = createFixture();
	start(ID).play(started(ID), pausedFor(ID, 2, "apr_1"));
	await lifecycle.cancel(ID);
	expect((await read(ID)).map(({ type }) => type)).toEqual(["run.started", "run.paused", "run.cancelled"]);
	const segment = start("run_2");
	segment.play(started("run_2"));
	const cancelled = lifecycle.cancel("run_2");
	await expect.poll(() => segment.isCancelled).toBe(true);
	segment.play(completed("run_2", 2, "done"));
	await cancelled;
	expect(lifecycle.isIdle).toBe(true);
});

it("cancels a run of another process that pauses before it is asked to cancel it", async () => {
	let asked = 0;
	const { lifecycle, store, read } = createFixture(async (store, id) => {
		asked += 1;
		const paused = { ...toEventRecord(pausedFor(id, 2, "apr_1")), runId: id, status: "paused" } as const;
		const pause = { state: "saved", resumeContext: "", approvals: [] };
		await store.append({ events: [{ ...paused, pause }], receipts: [] });
	});
	await store.append({ events: [{ ...toEventRecord(started(ID)), runId: ID }], receipts: [] });
	await lifecycle.cancel(ID);
	expect((await read(ID)).map(({ type }) => type)).toEqual(["run.started", "run.paused", "run.cancelled"]);
	expect(asked).toBe(1);
});

it("gives a run whose source breaks off a last event, with what it had said", async () => {
	const { start, lifecycle, read } = createFixture();
	const segment = start(ID);
	segment.play(started(ID), finalText(ID, 2, "so far"));
	segment.fail();
	await lifecycle.active.get(ID)?.settled();
	expect((await read(ID)).at(-1)).toMatchObject({
		type: "run.failed",
		seq: 3,
		result: { output: "so far", error: { code: "broken" } },
	});
});

it("ends a run as failed that is stopped for a reason, and lets others end while it closes", async () => {
	const { start, lifecycle, read } = createFixture();
	const segment = start(ID);
	segment.play(started(ID));
	const reason = { code: "shutting_down", message: "" };
	await lifecycle.close({
		graceMs: 1,
		stopMs: 1,
		stop: (runs) => {
			for (const run of runs) run.stop(reason);
		},
	});
	const { type: _, ...cancelled } = completed(ID, 2, "done");
	segment.play({ ...cancelled, type: "run.cancelled" } as WireRunEvent);
	expect((await read(ID)).at(-1)).toMatchObject({ type: "run.failed", result: { error: reason } });
	expect(lifecycle.isClosing).toBe(true);
});
