import { expect, it } from "vitest";
import { completeHits } from "./complete-hits";

const LIST = [
	{ number: 1, score: 0.6 },
	{ number: 2, score: 0.4 },
];

it("gives a passage that others have found its own score, or the mean of all", () => {
	const asked: (readonly number[])[] = [];
	const hits = completeHits(LIST, [2, 3, 4, 3], (numbers) => {
		asked.push(numbers);
		return [{ number: 4, score: 0.2 }];
	});
	expect(asked).toEqual([[3, 4]]);
	expect(hits.map(({ number, score }) => [number, Number(score.toFixed(3))])).toEqual([
		[1, 0.6],
		[2, 0.4],
		[4, 0.2],
		[3, 0.4],
	]);
});

it("stays empty where nothing has a score", () => {
	expect(completeHits([], [1, 2], () => [])).toEqual([]);
});
