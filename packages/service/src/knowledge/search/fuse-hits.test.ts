import { expect, it } from "vitest";
import { fuseHits } from "./fuse-hits";

it("adds scores by the weights of their lists", () => {
	const words = {
		weight: 1,
		hits: [
			{ number: 1, score: 0.6 },
			{ number: 2, score: 0.4 },
		],
	};
	const forms = {
		weight: 0.5,
		hits: [
			{ number: 3, score: 0.9 },
			{ number: 2, score: 0.6 },
		],
	};
	expect(fuseHits([words, forms]).map(({ number, score }) => [number, Number(score.toFixed(3))])).toEqual([
		[2, 0.467],
		[1, 0.4],
		[3, 0.3],
	]);
});

it("puts hits of one score in the order of their numbers", () => {
	const hits = [5, 2, 9].map((number) => ({ number, score: 0.5 }));
	expect(fuseHits([{ weight: 1, hits }]).map(({ number }) => number)).toEqual([2, 5, 9]);
});

it("finds nothing in no lists", () => {
	expect(fuseHits([])).toEqual([]);
	expect(fuseHits([{ weight: 1, hits: [] }])).toEqual([]);
});
