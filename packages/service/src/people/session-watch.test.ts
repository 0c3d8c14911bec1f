import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createSessionWatch, type SessionWatch } from "./session-watch";

let live: Set<string>;
let asked: (readonly string[])[];
let errors: unknown[];
let watch: SessionWatch;
beforeEach(() => {
	vi.useFakeTimers();
	live = new Set(["ses_1", "ses_2"]);
	asked = [];
	errors = [];
	watch = createSessionWatch({
		async listLive(ids) {
			asked.push(ids);
			return ids.filter((id) => live.has(id));
		},
		intervalMs: 20_000,
		onError: (error) => errors.push(error),
	});
});
afterEach(() => {
	watch.stop();
	vi.useRealTimers();
});

it("ends all streams of a session that has ended elsewhere, and no others", async () => {
	const ended: string[] = [];
	for (const [session, stream] of [
		["ses_1", "a"],
		["ses_1", "b"],
		["ses_2", "c"],
	] as const)
		watch.watch(session, () => ended.push(stream));
	await vi.advanceTimersByTimeAsync(59_000);
	expect(ended).toEqual([]);
	live.delete("ses_1");
	await vi.advanceTimersByTimeAsync(40_000);
	expect(ended).toEqual(["a", "b"]);
	expect(asked.at(-1)).toEqual(["ses_2"]);
});

it("looks at once where it is told to, and not at all while nothing is open", async () => {
	const onEnd = vi.fn();
	const ignore = watch.watch("ses_1", onEnd);
	live.clear();
	await watch.check();
	expect(onEnd).toHaveBeenCalledOnce();
	ignore();
	asked = [];
	await watch.check();
	await vi.advanceTimersByTimeAsync(100_000);
	expect([asked, vi.getTimerCount()]).toEqual([[], 0]);
});

it("goes on after an error", async () => {
	const broken = createSessionWatch({
		listLive: vi.fn().mockRejectedValueOnce(new Error("The disk is gone.")).mockResolvedValue([]),
		intervalMs: 20_000,
		onError: (error) => errors.push(error),
	});
	const onEnd = vi.fn();
	broken.watch("ses_1", onEnd);
	await vi.advanceTimersByTimeAsync(20_000);
	expect([errors.length, onEnd.mock.calls.length]).toEqual([1, 0]);
	await vi.advanceTimersByTimeAsync(20_000);
	expect(onEnd).toHaveBeenCalledOnce();
	broken.stop();
});
