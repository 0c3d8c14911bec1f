import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchSource } from "./watch-source";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
	[undefined, 1_000],
	[50, 50],
])("looks again after the pause of the source (%s ms)", async (pollMs, pauseMs) => {
	let looks = 0;
	const source = {
		...(pollMs !== undefined && { pollMs }),
		readChanges: () => {
			looks++;
			return Promise.resolve(undefined);
		},
	};
	const stop = await watchSource(
		source,
		() => Promise.resolve(new Set()),
		() => undefined,
	);
	await vi.advanceTimersByTimeAsync(pauseMs - 1);
	expect(looks).toBe(1);
	await vi.advanceTimersByTimeAsync(1);
	expect(looks).toBe(2);
	stop();
	await vi.advanceTimersByTimeAsync(10 * pauseMs);
	expect(looks).toBe(2);
});
