import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createToolList } from "./tool-list";

beforeEach(() => vi.useFakeTimers({ toFake: ["Date", "performance"] }));
afterEach(() => vi.useRealTimers());

const HOUR = 3_600_000;

it.each([
	["as long as the server says", 5_000, 5_000],
	["a minute where it does not say", undefined, 60_000],
	["an hour at the most", 100 * HOUR, HOUR],
	["not at all where the server says so", 0, 0],
])("is kept %s", async (_, ttlMs, cachedMs) => {
	let listCalls = 0;
	const list = createToolList(async () => {
		listCalls += 1;
		return { tools: [], ttlMs };
	});
	const { signal } = new AbortController();
	await list.read(signal);
	if (cachedMs > 0) {
		vi.setSystemTime(Date.now() + cachedMs - 1);
		await list.read(signal);
		expect(listCalls).toBe(1);
	}
	vi.setSystemTime(Date.now() + 1);
	await list.read(signal);
	expect(listCalls).toBe(2);
	list.invalidate();
	await list.read(signal);
	expect(listCalls).toBe(3);
});

it("is not kept where asking failed", async () => {
	const outcomes = [Promise.reject(new Error("not now")), Promise.resolve({ tools: [] })];
	const list = createToolList(() => outcomes.shift() ?? Promise.reject());
	const { signal } = new AbortController();
	await expect(list.read(signal)).rejects.toThrow("not now");
	expect(await list.read(signal)).toEqual([]);
});
