import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ARMING_MS, armInFront } from "./arm-in-front";

class FakeWindow extends EventTarget {
	readonly document = Object.assign(new EventTarget(), {
		visibilityState: "visible" as DocumentVisibilityState,
	});
}

let page: FakeWindow;
let isArmed: boolean | undefined;
let end: () => void;
beforeEach(() => {
	vi.useFakeTimers();
	page = new FakeWindow();
	end = armInFront(page, (value) => {
		isArmed = value;
	});
});
afterEach(() => {
	end();
	vi.useRealTimers();
});

it("arms a page that was seen for long enough", () => {
	expect(isArmed).toBe(false);
	vi.advanceTimersByTime(ARMING_MS - 1);
	expect(isArmed).toBe(false);
	vi.advanceTimersByTime(1);
	expect(isArmed).toBe(true);
});

it.each<readonly [string, (page: FakeWindow) => EventTarget]>([
	["focus", (page) => page],
	["blur", (page) => page],
	["visibilitychange", ({ document }) => document],
])("begins anew with %s", (type, toTarget) => {
	vi.advanceTimersByTime(ARMING_MS);
	toTarget(page).dispatchEvent(new Event(type));
	expect(isArmed).toBe(false);
	vi.advanceTimersByTime(ARMING_MS - 1);
	toTarget(page).dispatchEvent(new Event(type));
	vi.advanceTimersByTime(ARMING_MS - 1);
	expect(isArmed).toBe(false);
	vi.advanceTimersByTime(1);
	expect(isArmed).toBe(true);
});

it("arms no page that is hidden, until it is seen", () => {
	page.document.visibilityState = "hidden";
	page.document.dispatchEvent(new Event("visibilitychange"));
	vi.advanceTimersByTime(10 * ARMING_MS);
	expect(isArmed).toBe(false);
	page.document.visibilityState = "visible";
	page.document.dispatchEvent(new Event("visibilitychange"));
	vi.advanceTimersByTime(ARMING_MS);
	expect(isArmed).toBe(true);
});

it("does nothing after its end", () => {
	end();
	vi.advanceTimersByTime(ARMING_MS);
	page.dispatchEvent(new Event("focus"));
	expect(isArmed).toBe(false);
	expect(vi.getTimerCount()).toBe(0);
});
