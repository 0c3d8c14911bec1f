import { expect, test } from "vitest";
import { createUsedTokens } from "./used-tokens";

test("knows used tokens until their end", () => {
	let time = 1_000;
	const used = createUsedTokens(() => time);
	expect(used.isUsed("a")).toBe(false);
	used.use("a", 2_000);
	expect([used.isUsed("a"), used.isUsed("b")]).toEqual([true, false]);
	time = 61_999;
	used.use("b", 2_000);
	expect(used.isUsed("a")).toBe(true);
	time = 62_000;
	used.use("c", 2_000_000);
	expect([used.isUsed("a"), used.isUsed("c")]).toEqual([false, true]);
});
