import { expect, it } from "vitest";
import { isEmail, normalizeEmail, toDefaultName } from "./email";

it.each([
	["ada@example.com", true],
	["ada.l+x@mail.example.co.uk", true],
	["admin@localhost", true],
	["ädä@bücher.example", true],
	["", false],
	["ada", false],
	["@example.com", false],
	["ada@", false],
	["a@b@c", false],
	["a da@example.com", false],
	["ada@example.com\n", false],
	["a\u202eda@example.com", false],
	["<a>@example.com", false],
	["a,b@example.com", false],
	[`${"a".repeat(250)}@b.cd`, false],
])("tells whether %j can be an address: %s", (text, expected) => {
	expect(isEmail(text)).toBe(expected);
});

it("makes one text of the spellings of an address", () => {
	expect(normalizeEmail(" Ada@EXAMPLE.com ")).toBe("ada@example.com");
	expect(normalizeEmail("e\u0301@x.example")).toBe(normalizeEmail("É@x.example"));
	expect(toDefaultName("ada.l@example.com")).toBe("ada.l");
});
