import { expect, test } from "vitest";
import { createMainThreadTurns } from "./main-thread-turns";

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
