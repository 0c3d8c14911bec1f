import { afterEach, expect, it, vi } from "vitest";
import { randomBytes } from "./random-bytes";

afterEach(() => vi.unstubAllGlobals());

it.each(["with", "without"])("never gives the same bytes twice, %s `crypto`", (where) => {
	if (where === "without") vi.stubGlobal("crypto", undefined);
	const texts = Array.from({ length: 1_000 }, () => randomBytes(10).join());
	expect(new Set(texts).size).toBe(1_000);
	expect(texts.every((text) => text.split(",").length === 10)).toBe(true);
});

it("gives bytes that are the caller's to change", () => {
	const one = randomBytes(10).fill(0);
	const two = randomBytes(10);
	expect(two.join()).not.toBe(one.join());
});
