import { describe, expect, it } from "vitest";
import { forEachConcurrently } from "./for-each-concurrently";

const tick = () => new Promise((resolve) => setTimeout(resolve));

describe("forEachConcurrently", () => {
	it("does all of them, and no more than so many at once", async () => {
		const done: number[] = [];
		let inFlight = 0;
		let max = 0;
		await forEachConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
			max = Math.max(max, ++inFlight);
			await tick();
			inFlight--;
			done.push(item);
		});
		expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
		expect(max).toBe(3);
	});

	it("begins nothing new after an error", async () => {
		const started: number[] = [];
		const all = forEachConcurrently([1, 2, 3, 4, 5, 6], 2, async (item) => {
			started.push(item);
			await tick();
			if (item === 1) throw new Error("first");
		});
		await expect(all).rejects.toThrow("first");
		await tick();
		expect(started.length).toBeLessThan(5);
	});
});
