import { expect, it } from "vitest";
import { isSameSecret } from "./is-same-secret";

it.each([
	["abc", true],
	["", false],
	["ab", false],
	["abcd", false],
	["abd", false],
	["xbc", false],
	["ABC", false],
	["abc\u0000", false],
])("%j is the secret: %s", (given, isSame) => expect(isSameSecret(given, "abc")).toBe(isSame));
