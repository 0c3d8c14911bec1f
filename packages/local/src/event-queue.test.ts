import { expect, it } from "vitest";
import { createEventQueue } from "./event-queue";

async function readAll(queue: ReturnType<typeof createEventQueue<number>>): Promise<number[]> {
	const read: number[] = [];
	for (let step = await queue.next(); !step.done; step = await queue.next()) read.push(step.value);
	return read;
}

it("gives what was pushed before and after the reader came, in order", async () => {
	const queue = createEventQueue<number>();
	queue.push(1);
	queue.push(2);
	const read = readAll(queue);
	await Promise.resolve();
	queue.push(3);
	queue.end();
	queue.push(4);
	expect(await read).toEqual([1, 2, 3]);
});

it("fails after what was pushed before", async () => {
	const queue = createEventQueue<number>();
	queue.push(1);
	queue.fail(new Error("broken"));
	expect((await queue.next()).value).toBe(1);
	await expect(queue.next()).rejects.toThrow("broken");
});

it("gives nothing after it was closed, and wakes whoever waits", async () => {
	const queue = createEventQueue<number>();
	queue.push(1);
	queue.close();
	queue.push(2);
	expect(await readAll(queue)).toEqual([]);
	const waiting = createEventQueue<number>();
	const next = waiting.next();
	waiting.close();
	expect(await next).toEqual({ done: true, value: undefined });
});

it("takes time that grows with the number of events alone, however far behind the reader is", async () => {
	const queue = createEventQueue<number>();
	const count = 200_000;
	for (let index = 0; index < count; index++) queue.push(index);
	queue.end();
	expect(await readAll(queue)).toHaveLength(count);
});

it("hands over what was not read yet, and each other event as it is pushed", () => {
	const queue = createEventQueue<number>();
	queue.push(1);
	queue.push(2);
	const received: number[] = [];
	queue.subscribe((event) => received.push(event));
	expect(received).toEqual([1, 2]);
	queue.push(3);
	expect(received).toEqual([1, 2, 3]);
	queue.close();
	queue.push(4);
	expect(received).toEqual([1, 2, 3]);
});
