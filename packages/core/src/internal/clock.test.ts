import { afterEach, describe, expect, it, vi } from "vitest";
import { createClock, clock as processClock } from "./clock";

function start() {
	const times = { ofDay: 1_000_000, elapsed: 50 };
	const clock = createClock(
		() => times.ofDay,
		() => times.elapsed,
	);
	return {
		clock,
		times,
		pass(milliseconds: number) {
			times.ofDay += milliseconds;
			times.elapsed += milliseconds;
		},
	};
}

describe("the clock", () => {
	it("is the time of day", () => {
		const { clock, pass } = start();
		expect(clock.now()).toBe(1_000_000);
		pass(500);
		expect(clock.now()).toBe(1_000_500);
	});

	it("goes on at its pace where the time of day is set back", () => {
		const { clock, times, pass } = start();
		clock.now();
		times.ofDay -= 3_600_000;
		expect(clock.now()).toBe(1_000_000);
		pass(900_000);
		expect(clock.now()).toBe(1_900_000);
	});

	it("follows the time of day again once that is later", () => {
		const { clock, times, pass } = start();
		clock.now();
		times.ofDay -= 3_600_000;
		clock.now();
		times.ofDay += 3_600_000;
		pass(100);
		expect(clock.now()).toBe(1_000_100);
		times.ofDay += 60_000;
		expect(clock.now()).toBe(1_060_100);
	});

	it("never goes back, nor stands still, however often it is read", () => {
		const { clock, times, pass } = start();
		let last = clock.now();
		for (let step = 0; step < 1_000; step++) {
			pass(1);
			if (step % 10 === 0) times.ofDay -= 1_000;
			expect(clock.now()).toBe(last + 1);
			last = clock.now();
		}
	});

	it("continues from a stored time that is later", () => {
		const { clock, pass } = start();
		clock.advanceTo(2_000_000);
		pass(10);
		expect(clock.now()).toBe(2_000_010);
		clock.advanceTo(1_500_000);
		expect(clock.now()).toBe(2_000_010);
	});
});

describe("the clock of the process", () => {
	afterEach(() => {
		vi.useRealTimers();
	});

	it("is the time of fake timers while there are any", () => {
		vi.useFakeTimers({ now: 1_000_000 });
		expect(processClock.now()).toBe(1_000_000);
		vi.advanceTimersByTime(5_000);
		expect(processClock.now()).toBe(1_005_000);
		vi.setSystemTime(Date.now() - 1_000);
		expect(processClock.now()).toBe(1_005_000);
		vi.useRealTimers();
		expect(Math.abs(processClock.now() - Date.now())).toBeLessThan(60_000);
	});
});
