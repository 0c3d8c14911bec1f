import { expect, it } from "vitest";
import { toAffirmed, toUnprefixed } from "./word-prefixes";

it.each([
	["reinstall", ["install"]],
	["interchange", ["change", "terchange"]],
	["presure", []],
	["undisclosed", []],
	["перезапуск", []],
	["re2install", []],
])("%s without its prefixes", (word, rests) => {
	expect(toUnprefixed(word)).toEqual(rests);
});

it.each([
	["undisclosed", ["disclosed"]],
	["nonlinear", ["linear"]],
	["unfair", []],
	["linear", []],
])("what %s may negate", (word, rests) => {
	expect(toAffirmed(word)).toEqual(rests);
});
