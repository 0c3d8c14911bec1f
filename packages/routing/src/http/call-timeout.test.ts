import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createCallTimeout, sleep } from "./call-timeout";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const timeoutError = (): Error => new Error("late");
const never = (): Promise<never> => new Promise(() => undefined);

it("ends a call that is armed for too long, from the first time that it was", async () => {
	const callTimeout = createCallTimeout(undefined);
	const guarded = callTimeout.guard(never());
	const check = expect(guarded).rejects.toThrow("late");
	callTimeout.arm(100, timeoutError);
	vi.advanceTimersByTime(60);
	callTimeout.arm(100, timeoutError);
	vi.advanceTimersByTime(40);
	await check;
	expect(callTimeout.signal.aborted).toBe(true);
	expect(callTimeout.throwIfEnded).toThrow("late");
});

it("does nothing once disarmed, and can be armed again", () => {
	const callTimeout = createCallTimeout(undefined);
	callTimeout.arm(100, timeoutError);
	callTimeout.arm(100, timeoutError);
	callTimeout.disarm();
	expect(vi.getTimerCount()).toBe(0);
	callTimeout.arm(Number.POSITIVE_INFINITY, timeoutError);
	expect(vi.getTimerCount()).toBe(0);
	callTimeout.arm(100, timeoutError);
	vi.advanceTimersByTime(99);
	callTimeout.throwIfEnded();
	callTimeout.release();
	expect([vi.getTimerCount(), callTimeout.signal.aborted]).toEqual([0, false]);
});

it("leaves no timer behind where a pause is cut short", async () => {
	const controller = new AbortController();
	const callTimeout = createCallTimeout(controller.signal);
	const check = expect(sleep(callTimeout, 1000)).rejects.toBe("enough");
	controller.abort("enough");
	await check;
	expect(vi.getTimerCount()).toBe(0);
});

it("gives what a promise gives, and refuses it when the call has ended", async () => {
	const controller = new AbortController();
	const callTimeout = createCallTimeout(controller.signal);
	expect(await callTimeout.guard(Promise.resolve(1))).toBe(1);
	await expect(callTimeout.guard(Promise.reject(timeoutError()))).rejects.toThrow("late");
	controller.abort("enough");
	await expect(callTimeout.guard(Promise.resolve(1))).rejects.toBe("enough");
});
