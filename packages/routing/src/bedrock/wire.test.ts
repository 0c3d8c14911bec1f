import { describe, expect, it } from "vitest";
import { readUsage } from "./wire";

describe("usage", () => {
	it("counts what was cached as input", () => {
		const usage = { inputTokens: 9, outputTokens: 7, cacheReadInputTokens: 4, cacheWriteInputTokens: 2 };
		expect(readUsage(usage)).toEqual({ inputTokens: 15, outputTokens: 7, cachedTokens: 4 });
	});

	it.each([-1, 1.5, Number.POSITIVE_INFINITY, Number.NaN, 2 ** 60, "9", null, undefined])(
		"of %s is not known",
		(count) => {
			expect(readUsage({ inputTokens: count, outputTokens: 7 })).toBeUndefined();
			expect(readUsage({ inputTokens: 9, outputTokens: count })).toBeUndefined();
			expect(
				readUsage({
					inputTokens: 9,
					outputTokens: 7,
					cacheReadInputTokens: count,
					cacheWriteInputTokens: count,
				}),
			).toEqual({ inputTokens: 9, outputTokens: 7 });
		},
	);

	it.each([undefined, null, [], {}, { inputTokens: 0, outputTokens: 0 }])("%j says nothing", (usage) => {
		expect(readUsage(usage)).toBeUndefined();
	});
});
