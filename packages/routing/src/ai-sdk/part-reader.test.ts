import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openParts } from "./part-reader";

function toStream(parts: readonly unknown[], isEnded: boolean) {
	const cancel = vi.fn();
	let next = 0;
	const stream = new ReadableStream(
		{
			pull(controller) {
				if (next < parts.length) controller.enqueue(parts[next++]);
				else if (isEnded) controller.close();
			},
			cancel,
		},
		{ highWaterMark: 0 },
	);
	return { stream, cancel, count: () => next };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("gives the parts, and anything else as an empty one", async () => {
	const parts = openParts(toStream([{ type: "finish" }, "x", null], true).stream);
	expect([await parts.read(), await parts.read(), await parts.read(), await parts.read()]).toEqual([
		{ type: "finish" },
		{},
		{},
		undefined,
	]);
});

describe("leaves a stream", () => {
	it("that is wanted no more by cancelling it", () => {
		const { stream, cancel } = toStream([], false);
		openParts(stream).release(false);
		expect(cancel).toHaveBeenCalledTimes(1);
	});

	it("whose answer is complete by reading on", async () => {
		const { stream, cancel, count } = toStream([1, 2, 3], true);
		openParts(stream).release(true);
		await vi.runAllTimersAsync();
		expect([count(), cancel.mock.calls.length]).toEqual([3, 0]);
	});

	it("that does not end by cancelling it in a moment", async () => {
		const { stream, cancel } = toStream([1], false);
		openParts(stream).release(true);
		await vi.advanceTimersByTimeAsync(500);
		expect(cancel).not.toHaveBeenCalled();
		await vi.advanceTimersByTimeAsync(1_000);
		expect(cancel).toHaveBeenCalledTimes(1);
	});

	it("that fails, without a word", async () => {
		const stream = new ReadableStream({
			start(controller) {
				controller.error(new Error("boom"));
			},
		});
		const parts = openParts(stream);
		parts.release(true);
		parts.release(false);
		await vi.runAllTimersAsync();
		await expect(parts.read()).rejects.toThrow("boom");
	});
});
