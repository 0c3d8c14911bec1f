import { expect, test } from "vitest";
import { closestName, createSuggest } from "./did-you-mean";

const known = ["desk", "billing", "refund_order", "Legal"];

test.each([
	["dsk", "desk"],
	["dessk", "desk"],
	["biling", "billing"],
	["bililng", "billing"],
	["legal", "Legal"],
	["refundorder", "refund_order"],
	["nobody", undefined],
	["", undefined],
	["x", undefined],
])("%s → %s", (name, closest) => expect(closestName(name, known)).toBe(closest));

test("takes the closest, and of equally close ones the first", () => {
	expect(closestName("node-3", ["node-1", "node-33", "node-2"])).toBe("node-1");
	expect(closestName("abcdefg", ["abcdxyz", "abcdefx"])).toBe("abcdefx");
});

test("names that are too long are not compared", () => {
	const long = "x".repeat(200_000);
	expect(closestName(long, [`${long}y`])).toBeUndefined();
});

test("suggests for the first names only", () => {
	const suggest = createSuggest(2);
	expect([suggest("dsk", known), suggest("nobody", known), suggest("dsk", known)]).toEqual([
		' Did you mean "desk"?',
		"",
		"",
	]);
});
