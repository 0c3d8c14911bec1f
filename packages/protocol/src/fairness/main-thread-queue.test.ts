import { expect, test, vi } from "vitest";
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
	let turns = 0;
	const countTurns = (): void => {
		turns += 1;
		counter = setImmediate(countTurns);
	};
	let counter = setImmediate(countTurns);
	await Promise.all(Array.from({ length: 10 }, () => queue.wait("heavy").then(() => block(20))));
	clearImmediate(counter);
	// A pause that is as long as what it follows lets the event loop come round hundreds of times.
	expect(turns).toBeLessThan(30);
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

test("requests of a workspace that is alone do not take a turn of the event loop each", async () => {
	const queue = createQueue();
	await queue.start("burst");
	// The time of this turn is over.
	block(10);
	let turns = 0;
	const countTurns = (): void => {
		turns += 1;
		counter = setImmediate(countTurns);
	};
	let counter = setImmediate(countTurns);
	await Promise.all(Array.from({ length: 1_000 }, () => queue.start("burst")));
	clearImmediate(counter);
	expect(turns).toBeGreaterThan(0);
	expect(turns).toBeLessThan(500);
});

test("a request of a workspace that is alone is not started once its client has left", async () => {
	const queue = createQueue();
	const leaving = new AbortController();
	await queue.start("a");
	block(10);
	const left = queue.start("a", leaving.signal);
	leaving.abort(new Error("left"));
	await expect(left).rejects.toThrow("left");
	await queue.start("a");
});

test("what waits while a workspace is alone takes turns with another that comes", async () => {
	const queue = createQueue();
	const order: string[] = [];
	await queue.start("flood");
	block(10);
	const burst = Array.from({ length: 100 }, () =>
		queue.start("flood").then(() => {
			order.push("flood");
			block(3);
		}),
	);
	await queue.start("other").then(() => order.push("other"));
	await queue.start("other").then(() => order.push("other"));
	expect(order.length).toBeLessThan(50);
	await Promise.all(burst);
	expect(order).toHaveLength(102);
});

test("what has started goes on before new requests of its workspace", async () => {
	const queue = createQueue();
	const order: string[] = [];
	await queue.start("other");
	const starts = [1, 2, 3].map((number) => queue.start("a").then(() => void order.push(`start ${number}`)));
	const goesOn = queue.wait("a").then(() => void order.push("goes on"));
	await Promise.all([...starts, goesOn]);
	expect(order).toEqual(["start 1", "goes on", "start 2", "start 3"]);
});

test("a request that waits too long because its workspace was slowed down meanwhile is refused", async () => {
	vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
	try {
		const leaving = new AbortController();
		const state = { pauseMs: 2 * MAX_SLOWED_WAIT_MS };
		const queue = createQueue({ find: () => state.pauseMs });
		await queue.start("other");
		await queue.start("flood");
		state.pauseMs = 0;
		const refused = expect(queue.start("flood")).rejects.toThrow("2 wait");
		const goesOn = queue.wait("flood", leaving.signal);
		vi.advanceTimersByTime(MAX_SLOWED_WAIT_MS);
		state.pauseMs = 10;
		await queue.start("other");
		vi.advanceTimersByTime(MAX_SLOWED_WAIT_MS);
		await refused;
		leaving.abort(new Error("left"));
		await expect(goesOn).rejects.toThrow("left");
	} finally {
		vi.useRealTimers();
	}
});
