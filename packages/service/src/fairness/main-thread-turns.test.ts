import { expect, test } from "vitest";
import { createMainThreadTurns, MAX_SLOWED_REQUESTS } from "./main-thread-turns";

test("a burst of one workspace does not hold up another's request", async () => {
	const turns = createMainThreadTurns();
	const order: string[] = [];
	const start = (workspace: string) => turns.wait(workspace).then(() => void order.push(workspace));
	const burst = Array.from({ length: 100 }, () => start("flood"));
	await start("other");
	expect(order.length).toBeLessThanOrEqual(3);
	await Promise.all(burst);
	expect(order).toHaveLength(101);
});

test("other events come in between the work of a burst", async () => {
	const turns = createMainThreadTurns();
	let started = 0;
	const burst = Array.from({ length: 50 }, () => turns.wait("flood").then(() => (started += 1)));
	await new Promise((resolve) => setImmediate(resolve));
	expect(started).toBeLessThan(5);
	await Promise.all(burst);
});

test("a request whose client has left is not started", async () => {
	const turns = createMainThreadTurns();
	const leaving = new AbortController();
	const first = turns.wait("a");
	const second = turns.wait("a", leaving.signal);
	leaving.abort(new Error("left"));
	await expect(second).rejects.toThrow("left");
	await first;
	await turns.wait("a");
});

/** Takes the main thread for a while. @returns for how long it was. */
function block(ms: number): number {
	const startedMs = performance.now();
	while (performance.now() < startedMs + ms);
	return performance.now() - startedMs;
}

test("long work leaves as much time to others, where there are others", async () => {
	const turns = createMainThreadTurns();
	const times: number[] = [];
	const blockOnce = () =>
		turns.wait("heavy").then(() => {
			times.push(performance.now());
			block(20);
		});
	await turns.wait("other");
	await Promise.all([blockOnce(), blockOnce()]);
	const [first = 0, second = 0] = times;
	expect(second - first).toBeGreaterThanOrEqual(39);
});

test("long work of a workspace that is alone waits for nothing", async () => {
	const turns = createMainThreadTurns();
	const startedMs = performance.now();
	const blocked = await Promise.all(
		Array.from({ length: 10 }, () => turns.wait("heavy").then(() => block(20))),
	);
	const blockedMs = blocked.reduce((sum, ms) => sum + ms, 0);
	// Pauses would be as long as what they follow.
	expect(performance.now() - startedMs).toBeLessThan(1.8 * blockedMs);
});

test("a workspace that is slowed down waits longer between its turns, and another does not", async () => {
	const turns = createMainThreadTurns({ find: (workspace) => (workspace === "flood" ? 60_000 : 0) });
	await turns.start("other");
	await turns.start("flood");
	let isStarted = false;
	void turns.start("flood").then(() => {
		isStarted = true;
	});
	for (let turn = 0; turn < 20; turn++) await turns.start("other");
	expect(isStarted).toBe(false);
});

test("a workspace that is slowed down has a limited number of requests waiting, and what has started goes on", async () => {
	const leaving = new AbortController();
	const turns = createMainThreadTurns({ find: () => 60_000 });
	await turns.start("other");
	await turns.start("flood");
	const waiting = Array.from({ length: MAX_SLOWED_REQUESTS }, () => turns.start("flood", leaving.signal));
	const beyond = { status: 429, code: "too_many_waiting", retryAfterSeconds: 1 };
	await expect(turns.start("flood")).rejects.toMatchObject(beyond);
	const started = turns.wait("flood", leaving.signal);
	leaving.abort(new Error("left"));
	const outcomes = await Promise.allSettled([...waiting, started]);
	expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason)).toEqual(
		outcomes.map(() => leaving.signal.reason),
	);
	await turns.start("other");
});

test("a workspace that is not slowed down may have any number of requests waiting", async () => {
	const turns = createMainThreadTurns({ find: () => 0 });
	const burst = Array.from({ length: 3 * MAX_SLOWED_REQUESTS }, () => turns.start("burst"));
	await expect(Promise.all(burst)).resolves.toHaveLength(burst.length);
});
