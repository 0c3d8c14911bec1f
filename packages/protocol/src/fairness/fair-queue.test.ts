import fc from "fast-check";
import { expect, test } from "vitest";
import { createFairQueue, type FairQueueOptions } from "./fair-queue";

/** A queue whose work ends when the test says so; `order` lists what has started. */
function createFixture(options: Partial<FairQueueOptions> = {}) {
	const order: string[] = [];
	const running: { readonly name: string; end(): void }[] = [];
	const clock = { ms: 0 };
	const queue = createFairQueue({
		concurrency: 1,
		maxWaiting: 100,
		createError: (reason) => new Error(reason),
		now: () => clock.ms,
		...options,
	});
	function add(workspace: string, count = 1, signal?: AbortSignal): Promise<unknown>[] {
		return Array.from({ length: count }, (_, index) => {
			const name = `${workspace}${index + 1}`;
			const work = () =>
				new Promise<string>((resolve) => {
					order.push(name);
					running.push({ name, end: () => resolve(name) });
				});
			const result = queue.run(workspace, work, { signal });
			result.catch(() => undefined);
			return result;
		});
	}
	async function endOldest(durationMs = 1): Promise<void> {
		clock.ms += durationMs;
		running.shift()?.end();
		await flush();
	}
	return { queue, order, running, add, endOldest };
}

const flush = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a workspace that comes late waits for one piece of work, not for all of another's", async () => {
	const { order, add, endOldest } = createFixture();
	add("flood", 60);
	const [late] = add("late");
	await endOldest();
	expect(order).toEqual(["flood1", "late1"]);
	await endOldest();
	await expect(late).resolves.toBe("late1");
	expect(order).toEqual(["flood1", "late1", "flood2"]);
});

test("workspaces take turns, and each is served in the order in which it came", async () => {
	const { order, add, endOldest } = createFixture();
	add("a", 3);
	add("b", 3);
	add("c", 2);
	for (let piece = 0; piece < 8; piece++) await endOldest();
	expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3"]);
});

test("who takes long gets fewer turns", async () => {
	const { order, running, add, endOldest } = createFixture();
	add("slow", 5);
	add("quick", 20);
	for (let piece = 0; piece < 12; piece++) await endOldest(running[0]?.name.startsWith("slow") ? 10 : 1);
	expect(order.slice(0, 12).filter((name) => name.startsWith("slow"))).toHaveLength(2);
});

test("alone, a workspace has everything; with another, half", async () => {
	const { running, add, endOldest } = createFixture({ concurrency: 4 });
	add("a", 20);
	await flush();
	expect(running).toHaveLength(4);
	add("b", 20);
	for (let piece = 0; piece < 4; piece++) await endOldest();
	expect(running.filter(({ name }) => name.startsWith("b"))).toHaveLength(2);
});

test("a workspace has no more in flight than it may", async () => {
	const { running, add } = createFixture({ concurrency: 4, concurrencyPerOwner: 3 });
	add("a", 20);
	await flush();
	expect(running).toHaveLength(3);
	add("b");
	await flush();
	expect(running).toHaveLength(4);
});

test("refuses what waits beyond the limit of its workspace, and of no other", async () => {
	const { queue, add } = createFixture({ maxWaiting: 2 });
	const [, , , beyond] = add("a", 4);
	await expect(beyond).rejects.toThrow("too_many");
	add("b", 2);
	expect(queue.queued).toBe(4);
});

test("a cancelled wait leaves the queue and makes room", async () => {
	const { queue, order, add, endOldest } = createFixture({ maxWaiting: 1 });
	const controller = new AbortController();
	add("a");
	const [cancelled] = add("b", 1, controller.signal);
	const reason = new Error("gone");
	controller.abort(reason);
	await expect(cancelled).rejects.toBe(reason);
	expect(queue.queued).toBe(0);
	add("b");
	await endOldest();
	expect(order).toEqual(["a1", "b1"]);
	controller.abort();
	const [neverStarted] = add("c", 1, controller.signal);
	await expect(neverStarted).rejects.toBe(reason);
});

test("all that waits of one workspace is cancelled at once", async () => {
	const { queue, order, add, endOldest } = createFixture();
	const closed = add("closed", 3);
	add("other");
	const reason = new Error("closed");
	queue.cancel("closed", reason);
	queue.cancel("unknown", reason);
	await endOldest();
	const outcomes = await Promise.allSettled(closed);
	expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
	expect(order).toEqual(["closed1", "other1"]);
});

test("failed work makes room, also when it throws at once", async () => {
	const { queue } = createFixture();
	const fail = () => queue.run("a", () => Promise.reject(new Error("broken")));
	await expect(Promise.allSettled([fail(), fail()])).resolves.toHaveLength(2);
	const crash = (): never => {
		throw new Error("at once");
	};
	await expect(queue.run("a", crash)).rejects.toThrow("at once");
	await expect(queue.run("a", () => 1)).resolves.toBe(1);
});

test("idling saves up no claim to later turns", async () => {
	const { order, add, endOldest } = createFixture();
	add("busy", 4);
	for (let piece = 0; piece < 3; piece++) await endOldest(100);
	add("late", 3);
	add("busy", 2);
	order.length = 0;
	for (let piece = 0; piece < 4; piece++) await endOldest(100);
	expect(order.filter((name) => name.startsWith("late"))).toHaveLength(2);
});

test("runs everything once, never more at a time than it may", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 1, max: 4 }),
			fc.array(fc.record({ workspace: fc.constantFrom("a", "b", "c"), ticks: fc.nat({ max: 3 }) }), {
				maxLength: 30,
			}),
			async (concurrency, pieces) => {
				const queue = createFairQueue({
					concurrency,
					maxWaiting: 100,
					createError: (reason) => new Error(reason),
				});
				let inFlight = 0;
				const results = await Promise.all(
					pieces.map(({ workspace, ticks }, index) =>
						queue.run(workspace, async () => {
							inFlight += 1;
							expect(inFlight).toBeLessThanOrEqual(concurrency);
							for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
							inFlight -= 1;
							return index;
						}),
					),
				);
				expect(results).toEqual(pieces.map((_, index) => index));
				expect(queue.queued).toBe(0);
			},
		),
	);
});

test("work that is never refused waits beyond the bound, in its order", async () => {
	const { queue, add, order, endOldest } = createFixture({ maxWaiting: 1 });
	add("a", 2);
	const paid = queue.run("a", () => order.push("paid"), { bypassesQueueLimit: true });
	await expect(queue.run("a", () => 0)).rejects.toThrow("too_many");
	await endOldest();
	await endOldest();
	await paid;
	expect(order).toEqual(["a1", "a2", "paid"]);
});

test("refuses what has waited too long, and starts the others", async () => {
	const { queue, order, add, endOldest } = createFixture({ maxWaitMs: 20 });
	add("a");
	const [late] = add("b");
	await expect(late).rejects.toThrow("too_long");
	expect(queue.queued).toBe(0);
	const [next] = add("c");
	await endOldest();
	await endOldest();
	await expect(next).resolves.toBe("c1");
	expect(order).toEqual(["a1", "c1"]);
});
