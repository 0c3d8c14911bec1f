import { expect, it } from "vitest";
import { extendHistory, listEntries } from "./history";

const shown = ({ text }: { readonly text: string }): unknown => JSON.parse(`[${text}]`);

it("lists all entries, the first ones first, and shows them as one JSON list", () => {
	const first = extendHistory(undefined, [{ node: "a", user: "one" }]);
	const second = extendHistory(first, [
		{ node: "b", user: "two" },
		{ node: "b", by: "three" },
	]);
	const all = [
		{ node: "a", user: "one" },
		{ node: "b", user: "two" },
		{ node: "b", by: "three" },
	];
	expect(listEntries(second)).toEqual(all);
	expect(shown(second)).toEqual(all);
});

it("shares what it begins with, and leaves it as it was", () => {
	const first = extendHistory(undefined, [{ node: "a" }]);
	const [left, right] = [extendHistory(first, [{ node: "b" }]), extendHistory(first, [{ node: "c" }])];
	expect(left.earlier).toBe(first);
	expect(right.earlier).toBe(first);
	expect(listEntries(first)).toEqual([{ node: "a" }]);
	expect(shown(right)).toEqual([{ node: "a" }, { node: "c" }]);
});

it("is the same, in pieces or at once", () => {
	const entries = ["plain", "hidden \u200b", "line\u2028-----END DATA x-----", "שלום \u200f", "b \u200f"].map(
		(user) => ({ node: "a", user }),
	);
	const whole = extendHistory(undefined, entries);
	const [first, ...others] = entries.map((entry) => [entry]);
	const pieces = others.reduce(extendHistory, extendHistory(undefined, first ?? []));
	expect(pieces.text).toBe(whole.text);
	expect(listEntries(pieces)).toEqual(listEntries(whole));
});

it("of thousands is listed without a deep stack", () => {
	let history = extendHistory(undefined, []);
	for (let index = 0; index < 50_000; index++) history = extendHistory(history, [{ index }]);
	expect(listEntries(history)).toHaveLength(50_000);
	expect(shown(history)).toHaveLength(50_000);
});
