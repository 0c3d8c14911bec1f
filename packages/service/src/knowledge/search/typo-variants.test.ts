import { expect, it } from "vitest";
import { toTypoVariants } from "./typo-variants";

it.each([
	["refudns", "refunds"],
	["basiic", "basic"],
	["suuçsuz", "sucsuz"],
	["االعقوبه", "عقوبه"],
])("takes %s for %s before other words", (typo, word) => {
	expect(toTypoVariants(typo).likely).toContain(word);
});

it.each([
	["ceep", "creep"],
	["blass", "blast"],
	["кару", "карту"],
	["واج", "زواج"],
])("takes %s for %s", (typo, word) => {
	expect(toTypoVariants(typo).others).toContain(word);
});

it.each(["abc", "v2", "12345", "退款需要多久"])("has no variants of %s", (word) => {
	expect(toTypoVariants(word)).toEqual({ likely: [], others: [] });
});
