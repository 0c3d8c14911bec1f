import fc from "fast-check";
import { expect, test } from "vitest";
import { createRateLimiter } from "./rate-limiter";

function at(start = 0) {
	const clock = { time: start };
	return { clock, rate: createRateLimiter(() => clock.time) };
}

test("lets as many through as allowed, then says how long to wait", () => {
	const { clock, rate } = at(120_000);
	for (let request = 0; request < 60; request++) expect(rate.count("a", 60)).toBe(0);
	const wait = rate.count("a", 60);
	expect(wait).toBeGreaterThan(0);
	clock.time += wait * 1000;
	expect(rate.count("a", 60)).toBe(0);
});

test("counts what is charged, and refuses the next", () => {
	const { rate } = at(120_000);
	expect(rate.count("a", 60)).toBe(0);
	rate.charge("a", 100);
	expect(rate.count("a", 60)).toBeGreaterThan(0);
	expect(rate.count("b", 60)).toBe(0);
});

test("tells how many there were in this minute and the one before", () => {
	const { clock, rate } = at(120_000);
	rate.charge("a", 2);
	clock.time += 60_000;
	rate.charge("a", 3);
	expect([rate.countRecent("a"), rate.countRecent("b")]).toEqual([5, 0]);
	clock.time += 60_000;
	expect(rate.countRecent("a")).toBe(3);
	clock.time += 120_000;
	expect(rate.countRecent("a")).toBe(0);
});

test("counts each apart", () => {
	const { rate } = at();
	expect(rate.count("a", 1)).toBe(0);
	expect(rate.count("b", 1)).toBe(0);
	expect(rate.count("a", 1)).toBeGreaterThan(0);
});

test("forgets whoever sent none for the longest time, and keeps those who go on", () => {
	const { rate } = at();
	expect([rate.count("gone", 1), rate.count("goes on", 1)]).toEqual([0, 0]);
	for (let other = 0; other < 10_000; other++) {
		rate.count(`other ${other}`, 1);
		if (other % 1000 === 0) expect(rate.count("goes on", 1)).toBeGreaterThan(0);
	}
	expect(rate.count("goes on", 1)).toBeGreaterThan(0);
	expect(rate.count("gone", 1)).toBe(0);
});

test("is no burst of twice the limit where two minutes meet", () => {
	const { clock, rate } = at(59_999);
	for (let request = 0; request < 60; request++) rate.count("a", 60);
	clock.time = 60_001;
	expect(rate.count("a", 60)).toBeGreaterThan(0);
});

test("who waits as long as told gets through, and nobody waits more than two minutes", () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 20 }),
			fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 60 }),
			(limit, gaps) => {
				const { clock, rate } = at(1_000_000);
				for (const gap of gaps) {
					clock.time += gap;
					const wait = rate.count("a", limit);
					expect(wait).toBeLessThanOrEqual(120);
					clock.time += wait * 1000;
					if (wait > 0) expect(rate.count("a", limit)).toBe(0);
				}
			},
		),
	);
});

test("never more than the limit within any two halves of a minute window, by its own measure", () => {
	fc.assert(
		fc.property(fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 200 }), (gaps) => {
			const { clock, rate } = at();
			const passed: number[] = [];
			for (const gap of gaps) {
				clock.time += gap;
				if (rate.count("a", 10) === 0) passed.push(clock.time);
			}
			for (const start of passed) {
				const minute = Math.floor(start / 60_000);
				const same = passed.filter((time) => Math.floor(time / 60_000) === minute);
				expect(same.length).toBeLessThanOrEqual(10);
			}
		}),
	);
});
