import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createCallWatch } from "./call-watch";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const late = (): Error => new Error("late");
const never = (): Promise<never> => new Promise(() => undefined);

it("ends a call that is armed for too long, from the first time that it was", async () => {
	const watch = createCallWatch(undefined);
	const guarded = watch.guard(never());
	const check = expect(guarded).rejects.toThrow("late");
	watch.arm(100, late);
	vi.advanceTimersByTime(60);
	watch.arm(100, late);
	vi.advanceTimersByTime(40);
	await check;
	expect(watch.signal.aborted).toBe(true);
	expect(watch.throwIfEnded).toThrow("late");
});

it("does nothing once disarmed, and can be armed again", () => {
	const watch = createCallWatch(undefined);
	watch.arm(100, late);
	watch.arm(100, late);
	watch.disarm();
	expect(vi.getTimerCount()).toBe(0);
	watch.arm(Number.POSITIVE_INFINITY, late);
	expect(vi.getTimerCount()).toBe(0);
	watch.arm(100, late);
	vi.advanceTimersByTime(99);
	watch.throwIfEnded();
	watch.release();
	expect([vi.getTimerCount(), watch.signal.aborted]).toEqual([0, false]);
});

it("leaves no timer behind where a pause is cut short", async () => {
	const controller = new AbortController();
	const watch = createCallWatch(controller.signal);
	const check = expect(watch.pause(1000)).rejects.toBe("enough");
	controller.abort("enough");
	await check;
	expect(vi.getTimerCount()).toBe(0);
});

it("gives what a promise gives, and refuses it when the call has ended", async () => {
	const controller = new AbortController();
	const watch = createCallWatch(controller.signal);
	expect(await watch.guard(Promise.resolve(1))).toBe(1);
	await expect(watch.guard(Promise.reject(late()))).rejects.toThrow("late");
	controller.abort("enough");
	await expect(watch.guard(Promise.resolve(1))).rejects.toBe("enough");
});
