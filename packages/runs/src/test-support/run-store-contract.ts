import { completed, finalText, started } from "@stemma/simulators/run-events";
import { describe, expect, it } from "vitest";
import { ActiveRuns } from "../lifecycle/active-runs";
import { isTerminal, toEventRecord } from "../store/event-record";
import { RunLog } from "../store/run-log";
import type { LoggedEvent, RunStore } from "../store/run-store";

/** Store that the contract suite tests. */
export interface StoreUnderTest {
	readonly store: RunStore;
	/** Makes a run without events. */
	createRun(runId: string): Promise<void>;
	/** Opens the same store again, as after a restart; left out where nothing outlives the process. */
	readonly reopen?: (() => Promise<RunStore>) | undefined;
}

const text = (runId: string, seq: number): LoggedEvent => ({
	...toEventRecord(finalText(runId, seq, `word ${seq}`)),
	runId,
});
const start = (runId: string): LoggedEvent => ({ ...toEventRecord(started(runId)), runId, statusAt: 1 });
const end = (runId: string, seq: number): LoggedEvent => ({
	...toEventRecord(completed(runId, seq, "ü")),
	runId,
	status: "completed",
	endedAt: 2,
});
const pause = (runId: string, seq: number, state: string): LoggedEvent => ({
	seq,
	type: "run.paused",
	json: `{"type":"run.paused","seq":${seq}}`,
	runId,
	status: "paused",
	pause: { state, resumeContext: '{"depth":1}', approvals: [] },
});
const batch = (...events: readonly LoggedEvent[]) => ({ events, receipts: [] });

/** Tests that every store of runs passes. */
export function describeRunStore(name: string, open: () => Promise<StoreUnderTest>): void {
	describe(`${name} as a store of runs`, () => {
		async function openWith(...runIds: readonly string[]): Promise<StoreUnderTest> {
			const opened = await open();
			for (const runId of runIds) await opened.createRun(runId);
			return opened;
		}

		it("gives events as the text that was appended, in order, after a number and up to a count", async () => {
			const { store } = await openWith("run_1", "run_2");
			const events = [start("run_1"), text("run_1", 2), text("run_1", 3), end("run_1", 4)];
			await store.append(batch(events[0] ?? start("run_1"), start("run_2")));
			await store.append(batch(...events.slice(1)));
			const expected = events.map(({ seq, type, json }) => ({ seq, type, json }));
			expect(await store.readEvents("run_1", 0, 100)).toMatchObject(expected);
			expect(await store.readEvents("run_1", 1, 2)).toMatchObject(expected.slice(1, 3));
			expect(await store.readEvents("run_1", 4, 100)).toEqual([]);
			expect(await store.readEvents("run_2", 0, 100)).toHaveLength(1);
		});

		it("takes a batch again, and changes nothing", async () => {
			const { store } = await openWith("run_1");
			await store.append(batch(start("run_1"), text("run_1", 2)));
			await store.append(batch(start("run_1"), { ...text("run_1", 2), json: "{}" }, text("run_1", 3)));
			const events = await store.readEvents("run_1", 0, 100);
			expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
			expect(events[1]?.json).toBe(text("run_1", 2).json);
			expect(await store.findHead("run_1")).toEqual({ status: "running", lastSeq: 3 });
		});

		it("tells how far a run is, and knows no other", async () => {
			const { store } = await openWith("run_1");
			expect(await store.findHead("run_1")).toEqual({ status: "running", lastSeq: 0 });
			await store.append(batch(start("run_1"), pause("run_1", 2, "{}")));
			expect(await store.findHead("run_1")).toEqual({ status: "paused", lastSeq: 2 });
			const resumed: LoggedEvent = { ...text("run_1", 3), type: "run.resumed", status: "running" };
			await store.append(batch(resumed, end("run_1", 4)));
			expect(await store.findHead("run_1")).toEqual({ status: "completed", lastSeq: 4 });
			expect(await store.findHead("run_x")).toBeUndefined();
			expect(await store.readEvents("run_x", 0, 100)).toEqual([]);
		});

		it("lets one claim a paused run, and nobody any other", async () => {
			const { store } = await openWith("run_1", "run_2");
			await store.append(batch(start("run_1"), start("run_2")));
			expect(await store.claimPaused("run_1", 1)).toBe(false);
			await store.append(batch(pause("run_1", 2, "{}"), end("run_2", 2)));
			const claims = await Promise.all([1, 2, 3].map(() => store.claimPaused("run_1", 2)));
			expect(claims.filter((isClaimed) => isClaimed)).toHaveLength(1);
			expect(await store.findHead("run_1")).toEqual({ status: "running", lastSeq: 2 });
			for (const runId of ["run_1", "run_2", "run_x"]) expect(await store.claimPaused(runId, 2)).toBe(false);
		});

		it("lets nobody claim a pause that is over, though the run has paused again", async () => {
			const { store } = await openWith("run_1");
			await store.append(batch(start("run_1"), pause("run_1", 2, "first")));
			await store.claimPaused("run_1", 2);
			await store.append(batch(pause("run_1", 3, "second")));
			expect(await store.claimPaused("run_1", 2)).toBe(false);
			expect(await store.findHead("run_1")).toEqual({ status: "paused", lastSeq: 3 });
			expect(await store.claimPaused("run_1", 3)).toBe(true);
		});

		it("keeps the state of the last pause until the run has ended", async () => {
			const { store } = await openWith("run_1");
			expect(await store.loadState("run_1")).toBeUndefined();
			await store.append(batch(start("run_1"), pause("run_1", 2, "first")));
			await store.claimPaused("run_1", 2);
			expect(await store.loadState("run_1")).toEqual({ state: "first", resumeContext: '{"depth":1}' });
			await store.append(batch(pause("run_1", 3, "second")));
			expect(await store.loadState("run_1")).toMatchObject({ state: "second" });
			await store.append(batch(end("run_1", 4)));
			expect(await store.loadState("run_1")).toBeUndefined();
		});

		it("keeps the last state of a run in progress, through its pause until its end", async () => {
			const { store } = await openWith("run_1");
			const stateOf = (state: string) => ({ runId: "run_1", state, resumeContext: '{"depth":2}' });
			await store.append({ ...batch(start("run_1")), states: [stateOf("first")] });
			expect(await store.loadState("run_1")).toEqual({ state: "first", resumeContext: '{"depth":2}' });
			await store.append({ ...batch(), states: [stateOf("second")] });
			expect(await store.loadState("run_1")).toMatchObject({ state: "second" });
			await store.append(batch(pause("run_1", 2, "paused")));
			expect(await store.loadState("run_1")).toEqual({ state: "paused", resumeContext: '{"depth":1}' });
			await store.claimPaused("run_1", 2);
			await store.append({ ...batch(text("run_1", 3)), states: [stateOf("third")] });
			expect(await store.loadState("run_1")).toMatchObject({ state: "third" });
			await store.append(batch(end("run_1", 4)));
			expect(await store.loadState("run_1")).toBeUndefined();
		});

		it("has all that was appended when it is opened again", async () => {
			const { store, reopen } = await openWith("run_1");
			if (reopen === undefined) return;
			await store.append(batch(start("run_1"), pause("run_1", 2, "kept")));
			const reopened = await reopen();
			expect((await reopened.readEvents("run_1", 0, 100)).map(({ seq }) => seq)).toEqual([1, 2]);
			expect(await reopened.loadState("run_1")).toMatchObject({ state: "kept" });
			expect(await reopened.claimPaused("run_1", 2)).toBe(true);
		});

		it("shows its events to watchers once each and in order, whenever they begin", async () => {
			const { store } = await openWith("run_1");
			const active = new ActiveRuns(store);
			const log = new RunLog(store, {
				onWritten: (events) => active.feed.publish(events),
				onFailure: (error) => expect.unreachable(String(error)),
			});
			const count = 1_500;
			async function watch(after: number): Promise<number[]> {
				const { signal } = new AbortController();
				const seen: number[] = [];
				let terminals = 0;
				for await (const events of active.watchEvents("run_1", after, signal)) {
					seen.push(...events.map(({ seq }) => seq));
					terminals += events.filter(isTerminal).length;
				}
				expect(terminals).toBe(1);
				return seen;
			}
			const watching = [watch(0), watch(700)];
			log.append(start("run_1"));
			for (let seq = 2; seq < count; seq++) {
				log.append(text("run_1", seq));
				if (seq % 100 === 0) await log.flushed();
				if (seq % 500 === 0) watching.push(watch(0));
			}
			log.append(end("run_1", count));
			const all = Array.from({ length: count }, (_, index) => index + 1);
			expect(await Promise.all(watching)).toEqual([all, all.slice(700), all, all]);
			expect(active.feed.has("run_1")).toBe(false);
		});
	});
}
