import { expect, it } from "vitest";
import { fuseHits } from "./fuse-hits";

const toHits = (...numbers: readonly number[]) =>
	numbers.map((number, index) => ({ number, score: 1_000 - index }));

it.each([
	["one list, scores and all", [toHits(3, 1, 2)], toHits(3, 1, 2)],
	["no list", [], []],
	["two empty lists", [[], []], []],
	[
		"what both have before what one has first",
		[toHits(1, 2), toHits(3, 2)],
		[
			{ number: 2, score: 2 / 62 },
			{ number: 1, score: 1 / 61 },
			{ number: 3, score: 1 / 61 },
		],
	],
	["a list and an empty one", [toHits(5), []], [{ number: 5, score: 1 / 61 }]],
])("fuses %s", (_, lists, fused) => {
	expect(fuseHits(lists)).toEqual(fused);
});
