import { expect, test } from "vitest";
import { toCitableUrl } from "./citable-url";

test.each([
	["https://docs.example/a?b#c", "https://docs.example/a?b#c"],
	["HTTP://docs.example", "http://docs.example/"],
	[null, ""],
	["", ""],
	["docs/a.md", ""],
	["javascript:alert(1)", ""],
	["file:///etc/passwd", ""],
	["https://name:password@docs.example/a", ""],
	["https://", ""],
])("%s gives %j", (source, url) => {
	expect(toCitableUrl(source)).toBe(url);
});
