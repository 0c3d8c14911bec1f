import { expect, test } from "vitest";
import { createUsedTokens } from "./used-tokens";

test("takes a token once, and forgets it after its end", () => {
	let time = 1_000;
	const used = createUsedTokens(() => time);
	expect([used.use("a", 2_000), used.use("a", 2_000), used.use("b", 2_000)]).toEqual([true, false, true]);
	time = 61_999;
	expect(used.use("a", 2_000)).toBe(false);
	time = 62_000;
	expect(used.use("a", 2_000)).toBe(true);
});
