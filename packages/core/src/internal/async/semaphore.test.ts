import { describe, expect, it } from "vitest";
import { createSemaphore } from "./semaphore";

/** Work that ends when it is told to. */
function createWork() {
	const started: number[] = [];
	const ends = new Map<number, () => void>();
	return {
		started,
		work: (id: number) => () =>
			new Promise<number>((resolve) => {
				started.push(id);
				ends.set(id, () => resolve(id));
			}),
		end: (id: number) => ends.get(id)?.(),
	};
}

describe("a semaphore", () => {
	it("runs so many at once, and the others in the order in which they came", async () => {
		const semaphore = createSemaphore(2);
		const { started, work, end } = createWork();
		const results = [1, 2, 3, 4].map((id) => semaphore.run(work(id)));
		await expect.poll(() => started).toEqual([1, 2]);
		end(2);
		await expect.poll(() => started).toEqual([1, 2, 3]);
		end(1);
		await expect.poll(() => started).toEqual([1, 2, 3, 4]);
		end(3);
		end(4);
		expect(await Promise.all(results)).toEqual([1, 2, 3, 4]);
	});

	it("goes on after work that failed, or that threw before it waited", async () => {
		const semaphore = createSemaphore(1);
		await expect(semaphore.run(() => Promise.reject(new Error("late")))).rejects.toThrow("late");
		const throwing = () => {
			throw new Error("at once");
		};
		await expect(semaphore.run(throwing)).rejects.toThrow("at once");
		expect(await semaphore.run(async () => "done")).toBe("done");
	});

	it("is held from `acquire` to `release`", async () => {
		const semaphore = createSemaphore(1);
		await semaphore.acquire();
		const order: string[] = [];
		const next = semaphore.run(async () => order.push("next"));
		order.push("held");
		semaphore.release();
		await next;
		expect(order).toEqual(["held", "next"]);
	});
});
