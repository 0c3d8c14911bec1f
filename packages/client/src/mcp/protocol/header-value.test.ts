import { expect, it } from "vitest";
import { toHeaderValue } from "./header-value";

const encoded = (text: string): string => `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;

it.each(["a", "get weather", "a-b_c.d", "=?", "base64?=", "!~"])("leaves %o as it is", async (text) => {
	expect(await toHeaderValue(text)).toBe(text);
});

it.each([
	"",
	" a",
	"a ",
	"é",
	"日本",
	"a\r\nx-evil: 1",
	"a\tb",
	"\u0000",
	"=?base64?YQ==?=",
	"😀 a",
	"😀ab",
	"\u007f",
])("encodes %o", async (text) => {
	expect(await toHeaderValue(text)).toBe(encoded(text));
});

it("replaces half of a character", async () => {
	expect(await toHeaderValue("a\udc00")).toBe(encoded("a\ufffd"));
});
