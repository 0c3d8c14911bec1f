import { expect, it } from "vitest";
import { toUnicodePattern } from "./unicode-pattern";

it.each([
	["^\\d{3}\\-\\d{4}$", ["555-1234"], ["5551234"]],
	["^[\\w-.]+@", ["a.b-c@"], ["a b@"]],
	["^[.-\\w]+$", ["a-b."], ["a+b"]],
	["^[\\w\\-\\:]+$", ["a-b:"], ["a+b"]],
	["^{[^}]+}$", ["{a}"], ["a"]],
	["^\\_?a\\:b]$", ["a:b]"], ["a:b"]],
	["^x{2}\\@[{1}]*$", ["xx@{1}"], ["x@"]],
] as const)("rewrites %s, which is legal without the flag `u` alone", (pattern, fitting, others) => {
	expect(() => new RegExp(pattern, "u")).toThrow();
	const rewritten = new RegExp(toUnicodePattern(pattern), "u");
	for (const text of [...fitting, ...others])
		expect(rewritten.test(text)).toBe(new RegExp(pattern).test(text));
	for (const text of fitting) expect(rewritten.test(text)).toBe(true);
});

it.each(["^\\p{L}+$", "^a-b\\/$", "[", "(", "\\k<a>(?<b>)"])("returns %s unchanged", (pattern) => {
	expect(toUnicodePattern(pattern)).toBe(pattern);
});
