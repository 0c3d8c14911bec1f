import { expect, it } from "vitest";
import { trimEndOf } from "./trim-end-of";

it.each([
	["a//", "a"],
	["//a", "//a"],
	["///", ""],
	["", ""],
])("takes slashes off the end of %j", (text, expected) => expect(trimEndOf(text, "/")).toBe(expected));

it("takes time in proportion", () => {
	const text = `${"/".repeat(1_000_000)}a`;
	expect(trimEndOf(text, "/")).toBe(text);
});
