import { expect, it } from "vitest";
import { SLUG_PATTERN, toSlug } from "./slug";

it.each([
	["Support desk", "support-desk"],
	["  Crème brûlée -- 2 ", "creme-brulee-2"],
	["客服", ""],
	[`${"a".repeat(63)} b`, "a".repeat(63)],
])("makes a slug from %j", (name, slug) => {
	expect(toSlug(name)).toBe(slug);
	if (slug !== "") expect(slug).toMatch(SLUG_PATTERN);
});
