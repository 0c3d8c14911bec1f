import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toUnitScores } from "./to-unit-scores";

const logits = fc.array(fc.integer({ min: -2_000, max: 2_000 }).map((value) => value / 100));

describe("scores from 0 to 1", () => {
	it("stay as they are", () => {
		expect(toUnitScores([0, 0.3, 1])).toEqual([0, 0.3, 1]);
	});

	it("are not raw for a hair's breadth", () => {
		expect(toUnitScores([1.0000001, 0.5, -0.0000001])).toEqual([1, 0.5, 0]);
	});

	it("are made of all where one is raw", () => {
		const [high, middle, low] = toUnitScores([3.182, 0, -8]);
		expect(high).toBeCloseTo(0.960151, 5);
		expect(middle).toBe(0.5);
		expect(low).toBeCloseTo(0.000335, 5);
	});

	it("have the order that they had", () => {
		fc.assert(
			fc.property(logits, (scores) => {
				const unit = toUnitScores(scores);
				unit.forEach((score, one) => {
					expect(score >= 0 && score <= 1).toBe(true);
					unit.forEach((other, two) => {
						expect(Math.sign(score - other)).toBe(Math.sign((scores[one] ?? 0) - (scores[two] ?? 0)));
					});
				});
			}),
			{ numRuns: 30 },
		);
	});
});
