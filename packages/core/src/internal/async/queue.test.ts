import { expect, it } from "vitest";
import { Queue } from "./queue";

it("gives first what was pushed first, and nothing when it is empty", () => {
	const queue = new Queue<number>();
	expect([queue.length, queue.first, queue.shift()]).toEqual([0, undefined, undefined]);
	for (const item of [1, 2, 3]) queue.push(item);
	expect([queue.length, queue.first]).toEqual([3, 1]);
	expect([queue.shift(), queue.shift()]).toEqual([1, 2]);
	queue.push(4);
	expect([queue.shift(), queue.shift(), queue.shift(), queue.length]).toEqual([3, 4, undefined, 0]);
});

it("keeps the order while thousands come and go", () => {
	const queue = new Queue<number>();
	const taken: (number | undefined)[] = [];
	for (let item = 0; item < 10_000; item++) {
		queue.push(item);
		if (item % 3 > 0) taken.push(queue.shift());
	}
	expect(queue.first).toBe(taken.length);
	while (queue.length > 0) taken.push(queue.shift());
	expect(taken).toEqual(Array.from({ length: 10_000 }, (_, item) => item));
});
