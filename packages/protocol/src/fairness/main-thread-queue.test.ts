import { expect, test } from "vitest";
import { createMainThreadQueue, MAX_SLOWED_WAIT_MS } from "./main-thread-queue";
import type { OverloadPauses } from "./overload-pauses";

const createQueue = (pauses?: OverloadPauses) =>
	createMainThreadQueue({
		createError: (waiting) => new Error(`${waiting} wait`),
		...(pauses && { pauses }),
	});

test("a burst of one workspace does not hold up another's request", async () => {
	const queue = createQueue();
	const order: string[] = [];
	const start = (workspace: string) => queue.wait(workspace).then(() => void order.push(workspace));
	const burst = Array.from({ length: 100 }, () => start("flood"));
	await start("other");
	expect(order.length).toBeLessThanOrEqual(3);
	await Promise.all(burst);
	expect(order).toHaveLength(101);
});

test("other events come in between the work of a burst", async () => {
	const queue = createQueue();
	let started = 0;
	const burst = Array.from({ length: 50 }, () => queue.wait("flood").then(() => (started += 1)));
	await new Promise((resolve) => setImmediate(resolve));
	expect(started).toBeLessThan(5);
	await Promise.all(burst);
});

test("a request whose client has left is not started", async () => {
	const queue = createQueue();
	const leaving = new AbortController();
	const first = queue.wait("a");
	const second = queue.wait("a", leaving.signal);
	leaving.abort(new Error("left"));
	await expect(second).rejects.toThrow("left");
	await first;
	await queue.wait("a");
});

/** Takes the main thread for a while. @returns for how long it was. */
function block(ms: number): number {
	const startedMs = performance.now();
	while (performance.now() < startedMs + ms);
	return performance.now() - startedMs;
}

test("long work leaves as much time to others, where there are others", async () => {
	const queue = createQueue();
	const times: number[] = [];
	const blockThreadOnce = () =>
		queue.wait("heavy").then(() => {
			times.push(performance.now());
			block(20);
		});
	await queue.wait("other");
	await Promise.all([blockThreadOnce(), blockThreadOnce()]);
	const [first = 0, second = 0] = times;
	expect(second - first).toBeGreaterThanOrEqual(39);
});

test("long work of a workspace that is alone waits for nothing", async () => {
	const queue = createQueue();
	const startedMs = performance.now();
	const blocked = await Promise.all(
		Array.from({ length: 10 }, () => queue.wait("heavy").then(() => block(20))),
	);
	const blockedMs = blocked.reduce((sum, ms) => sum + ms, 0);
	// Pauses would be as long as what they follow.
	expect(performance.now() - startedMs).toBeLessThan(1.8 * blockedMs);
});

test("a workspace that is slowed down waits longer between its turns, and another does not", async () => {
	const queue = createQueue({ find: (workspace) => (workspace === "flood" ? 60_000 : 0) });
	await queue.start("other");
	await queue.start("flood");
	let isStarted = false;
	void queue.start("flood").then(() => {
		isStarted = true;
	});
	for (let turn = 0; turn < 20; turn++) await queue.start("other");
	expect(isStarted).toBe(false);
});

test("a workspace that is slowed down has a limited number of requests waiting, and what has started goes on", async () => {
	const leaving = new AbortController();
	const queue = createQueue({ find: () => MAX_SLOWED_WAIT_MS / 9.5 });
	await queue.start("other");
	await queue.start("flood");
	const waiting = Array.from({ length: 10 }, () => queue.start("flood", leaving.signal));
	await expect(queue.start("flood")).rejects.toThrow("10 wait");
	const started = queue.wait("flood", leaving.signal);
	leaving.abort(new Error("left"));
	const outcomes = await Promise.allSettled([...waiting, started]);
	expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason)).toEqual(
		outcomes.map(() => leaving.signal.reason),
	);
	await queue.start("other");
});

test.each([
	["that is not slowed down", 0],
	["that is alone", 1],
])("a workspace %s may have any number of requests waiting", async (_, pauseMs) => {
	const queue = createQueue({ find: () => pauseMs });
	const burst = Array.from({ length: 300 }, () => queue.start("burst"));
	await expect(Promise.all(burst)).resolves.toHaveLength(burst.length);
});
