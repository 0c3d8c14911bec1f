import { describe, expect, it } from "vitest";
import { planMerge, type SegmentSize } from "./plan-merge";

const toSegments = (...sizes: readonly number[]): readonly SegmentSize[] =>
	sizes.map((passages, segment) => ({ segment, passages, deleted: 0 }));
const repeat = (size: number, count: number): readonly number[] => Array.from({ length: count }, () => size);

/** Adds segments of a size, and merges as is planned. @returns the sizes of those that are left. */
function addSegments(size: number, count: number): readonly number[] {
	let sizes: readonly number[] = [];
	for (let added = 0; added < count; added++) {
		sizes = [...sizes, size];
		const merged = planMerge(toSegments(...sizes));
		if (merged.length === 0) continue;
		const whole = merged.reduce((sum, segment) => sum + (sizes[segment] ?? 0), 0);
		sizes = [...sizes.filter((_, segment) => !merged.includes(segment)), whole];
	}
	return sizes;
}

describe("merging segments", () => {
	it("leaves a few of each size", () => {
		expect(planMerge(toSegments(...repeat(20, 7)))).toEqual([]);
		expect(planMerge(toSegments(...repeat(160, 7), ...repeat(1_280, 7)))).toEqual([]);
	});

	it("takes all of about the same size, from eight on", () => {
		expect(planMerge(toSegments(1_280, ...repeat(160, 9)))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
	});

	it("takes fewer where all would be too large, and none that is large", () => {
		expect(planMerge(toSegments(...repeat(1_280, 8)))).toEqual([0, 1, 2, 3, 4, 5]);
		expect(planMerge(toSegments(...repeat(5_000, 20)))).toEqual([]);
	});

	it("writes a segment alone of whose passages more than a quarter are deleted", () => {
		const [whole, ...others] = toSegments(100, 100, 100);
		const spoilt = others.map((segment, index) => ({ ...segment, deleted: 25 + index }));
		expect(planMerge([whole, ...spoilt].flatMap((segment) => segment ?? []))).toEqual([2]);
	});

	it.each([1, 20, 160])("keeps the number of segments low where %i passages come at a time", (size) => {
		const sizes = addSegments(size, 20_000 / size);
		expect(sizes.reduce((sum, passages) => sum + passages, 0)).toBe(20_000);
		expect(sizes.length).toBeLessThan(35);
	});
});
