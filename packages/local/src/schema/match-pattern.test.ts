import fc from "fast-check";
import { expect, it } from "vitest";
import { createStepBudget } from "./budget";
import { compilePattern } from "./compile-pattern";
import { matchesPattern } from "./match-pattern";

function matches(pattern: string, text: string, steps?: number): boolean {
	const budget = createStepBudget(steps);
	return matchesPattern(compilePattern(pattern, budget), text, budget);
}

it.each([
	["a text", "bc", "abcd", true],
	["anchors", "^bc$", "abcd", false],
	["a password by looking ahead", "^(?=.*[A-Z])(?=.*\\d).{8,}$", "passWord1", true],
	["a password that lacks a digit", "^(?=.*[A-Z])(?=.*\\d).{8,}$", "passWord!", false],
	["looking behind", "(?<=€)\\d+(?<!0)$", "€125", true],
	["classes of Unicode", "^\\p{L}+\\u{1F600}$", "Größe😀", true],
	["one character outside the first plane", "^.$", "😀", true],
	["counts", "^(?:ab){2,3}?c$", "ababc", true],
	["named groups", "^(?<year>\\d{4})-(?<month>\\d\\d)$", "2024-05", true],
	["a word's end", "cat\\b", "cats", false],
	["an empty choice", "^(?:a|)$", "", true],
])("matches %s", (_, pattern, text, expected) => expect(matches(pattern, text)).toBe(expected));

it.each([
	["^(a+)+$", `${"a".repeat(50_000)}!`],
	["^(a|a)*$", `${"a".repeat(50_000)}!`],
	["^(a*)*b", "a".repeat(50_000)],
	["(.*a){20}$", `${"a".repeat(5_000)}!`],
	["^(\\w+\\s?)*$", `${"word ".repeat(5_000)}!`],
	["^(?:(?:a?){50}a{50})$", "a".repeat(100)],
	["^(?=(a+)+$)a", `${"a".repeat(50_000)}!`],
])("takes a number of steps in proportion for %s", (pattern, text) => {
	expect(() => matches(pattern, text, 500 * text.length + 100_000)).not.toThrow();
});

it.each([
	["back references", "(a)\\1", /refers back/],
	["named ones", "(?<x>a)\\k<x>", /refers back/],
	["counts of counts", "((a{500}){500}){500}", /more than 20000 states/],
	["counts of nothing", "(?:){1000000000}", /more than 20000 states/],
	["groups without end", `${"(".repeat(500)}a${")".repeat(500)}`, /groups within each other/],
	["what is no expression", "(a", /Invalid regular expression/],
])("refuses %s", (_, pattern, message) => expect(() => matches(pattern, "a")).toThrow(message));

it("stops when its steps are used up", () => {
	expect(() => matches("(a|b)*c", "ab".repeat(10_000), 10_000)).toThrow(
		expect.objectContaining({ code: "schema_too_costly" }),
	);
});

const atom = fc.constantFrom(
	"a",
	"b",
	"c",
	".",
	"[ab]",
	"[^a]",
	"\\d",
	"\\w",
	"\\b",
	"\\B",
	"^",
	"$",
	"\\s",
	"",
	"(?:)",
);
const { pattern } = fc.letrec<{ pattern: string }>((tie) => {
	const part = tie("pattern");
	return {
		pattern: fc.oneof(
			{ depthSize: "medium" },
			atom,
			fc.tuple(part, part).map((parts) => parts.join("")),
			fc.tuple(part, part).map(([one, other]) => `(${one}|${other})`),
			fc
				.tuple(part, fc.constantFrom("*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?", "{1,2}?"))
				.map(([one, quantifier]) => `(?:${one})${quantifier}`),
			fc.tuple(fc.constantFrom("?=", "?!", "?<=", "?<!", "?:"), part).map(([kind, one]) => `(${kind}${one})`),
		),
	};
});
const text = fc
	.array(fc.constantFrom("a", "b", "c", " ", "1", "\n"), { maxLength: 10 })
	.map((characters) => characters.join(""));

// Native expressions backtrack, so the patterns stay small; they also look into the middle of a character of two units.
it("agrees with native regular expressions", () => {
	fc.assert(
		fc.property(pattern, text, (source, value) => {
			expect(matches(source, value)).toBe(new RegExp(source, "u").test(value));
		}),
		{ numRuns: 2_000 },
	);
});
