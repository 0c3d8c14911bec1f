import { clock } from "@stemma/core/internal";
import { completed, started } from "@stemma/simulators/run-events";
import { afterEach, expect, it, vi } from "vitest";
import { describeRunStore } from "../test-support/run-store-contract";
import { type MemoryRun, MemoryRunStore } from "./memory-run-store";

const open = (
	options: { maxEndedLength?: number; onEvict?: (run: MemoryRun) => void } = {},
): MemoryRunStore =>
	new MemoryRunStore({ maxLogLength: 1_000_000, maxEndedLength: 1_000_000, endedTtlMs: 60_000, ...options });

afterEach(() => {
	vi.useRealTimers();
});

describeRunStore("memory", async () => {
	const store = open();
	return { store, createRun: async (runId) => void store.add(runId) };
});

function endRun(store: MemoryRunStore, id: string): void {
	const run = store.add(id);
	run.log.append(started(id));
	run.log.append(completed(id, 2, "a"));
	store.end(run);
}

it("tells at least the last 10,000 evicted runs from runs that never were, and its size", () => {
	const evicted: (object | undefined)[] = [];
	const store = new MemoryRunStore<{ readonly name: string }>({
		maxLogLength: 1_000,
		maxEndedLength: 0,
		endedTtlMs: 60_000,
		onEvict: ({ owner }) => evicted.push(owner),
	});
	for (let index = 0; index < 30_000; index++) store.end(store.add(`run_${index}`, { name: `${index}` }));
	expect([0, 9_999, 20_000, 29_999, 30_000].map((index) => store.isEvicted(`run_${index}`))).toEqual([
		false,
		false,
		true,
		true,
		false,
	]);
	expect([store.size, evicted.length, evicted[7]]).toEqual([0, 30_000, { name: "7" }]);
	store.add("run_next", { name: "next" });
	expect([store.size, store.find("run_next")?.owner, store.find("run_0")]).toEqual([
		1,
		{ name: "next" },
		undefined,
	]);
});

it("evicts the runs that ended first: after a while, or when all of them grow too large", async () => {
	const evicted: string[] = [];
	const store = open({ maxEndedLength: 5_500, onEvict: ({ id }) => evicted.push(id) });
	for (const id of ["run_1", "run_2", "run_3"]) endRun(store, id);
	expect(evicted).toEqual(["run_1"]);
	store.sweep(clock.now() + 120_000);
	expect(evicted).toEqual(["run_1", "run_2", "run_3"]);
	expect(store.isEvicted("run_1")).toBe(true);
	expect(store.isEvicted("run_x")).toBe(false);
	expect(await store.findHead("run_3")).toBeUndefined();
});

it("refuses to read events that were dropped", async () => {
	const store = new MemoryRunStore({ maxLogLength: 200, maxEndedLength: 1_000, endedTtlMs: 1_000 });
	const { log } = store.add("run_1");
	log.append(started("run_1"));
	log.append(completed("run_1", 2, "a".repeat(500)));
	await expect(store.readEvents("run_1", 0, 10)).rejects.toMatchObject({ code: "events_expired" });
	expect(await store.readEvents("run_1", 1, 10)).toHaveLength(1);
});

it("keeps the events of ended runs as text, after a moment", () => {
	const store = open();
	const run = store.add("run_1");
	const event = { ...started("run_1") };
	run.log.append(event);
	run.log.append(completed("run_1", 2, "a"));
	store.end(run);
	store.sweep(run.endedAtMs + 4_000);
	Object.assign(event, { agent: "a moment" });
	store.sweep(run.endedAtMs + 6_000);
	Object.assign(event, { agent: "too late" });
	expect(run.log.after(0)?.[0]?.json).toContain('"agent":"a moment"');
});
