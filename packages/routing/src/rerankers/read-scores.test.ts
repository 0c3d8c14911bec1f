import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readScores } from "./read-scores";

describe("scores", () => {
	it("come back in the order of the texts, whatever order the vendor's is", () => {
		const cases = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })).chain((scores) =>
			fc.record({
				scores: fc.constant(scores),
				entries: fc.shuffledSubarray(
					scores.map((score, index) => ({ index, score })),
					{ minLength: scores.length },
				),
			}),
		);
		fc.assert(
			fc.property(cases, ({ scores, entries }) => {
				expect(readScores(entries, scores.length)).toEqual(scores);
			}),
		);
	});

	it.each([
		["one is missing", [{ index: 0, score: 1 }], 2],
		["one has two", [0, 0].map((index) => ({ index, score: 1 })), 2],
		["one is of no text", [0, 2].map((index) => ({ index, score: 1 })), 2],
		["there is one too many", [0, 1, 2].map((index) => ({ index, score: 1 })), 2],
		["one is below all", [{ index: -1, score: 1 }], 1],
		["one is between two", [{ index: 0.5, score: 1 }], 1],
		["one is null", [{ index: 0, score: null }], 1],
		["one is text", [{ index: 0, score: "1" }], 1],
		["one is none", [{ index: 0, score: Number.NaN }], 1],
		["one has no place", [{ index: undefined, score: 1 }], 1],
	])("are none where %s", (_, entries, count) => {
		expect(readScores(entries, count)).toBeUndefined();
	});
});
