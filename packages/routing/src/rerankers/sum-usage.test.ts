import { expect, it } from "vitest";
import { sumUsage } from "./sum-usage";

const of = (inputTokens: number, outputTokens = 0) => ({ inputTokens, outputTokens });

it.each([
	[[], undefined],
	[[undefined], undefined],
	[[of(3)], of(3)],
	[[of(3, 1), of(4, 2)], of(7, 3)],
	[[of(3), undefined], undefined],
])("%j is %j in all: what is known in part is not known", (parts, sum) => {
	expect(sumUsage(parts)).toEqual(sum);
});
