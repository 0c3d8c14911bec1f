import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSecretIndex } from "./secret-index";

// Few letters, so that texts begin alike, hold one another and repeat.
const end = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 5 });
const start = fc.constantFrom("aaaaaaaa", "abababab", "abaabaab");
const secret = fc.tuple(start, end).map((parts) => parts.join(""));
const text = fc.array(fc.oneof(secret, end)).map((parts) => parts.join(""));

/** The longest of them at each place, from left to right. */
function findNaively(secrets: readonly string[], text: string): (readonly [number, number])[] {
	const found: (readonly [number, number])[] = [];
	for (let start = 0; start < text.length; start++) {
		const lengths = secrets.filter((one) => text.startsWith(one, start)).map((one) => one.length);
		const end = start + Math.max(0, ...lengths);
		if (end === start) continue;
		found.push([start, end]);
		start = end - 1;
	}
	return found;
}

function createIndex(secrets: readonly string[]) {
	const index = createSecretIndex();
	for (const one of secrets) index.add(one);
	return index;
}

describe("an index of texts", () => {
	it("finds the longest at each place", () => {
		fc.assert(
			fc.property(fc.array(secret), text, (secrets, text) => {
				expect(createIndex(secrets).find(text)).toEqual(findNaively(secrets, text));
			}),
			{ numRuns: 500 },
		);
	});

	it("is, without what was removed, as if that had never been in it", () => {
		fc.assert(
			fc.property(fc.array(secret), fc.array(secret), text, (kept, removed, text) => {
				const index = createIndex([...removed, ...kept]);
				for (const one of removed) index.remove(one);
				expect(index.find(text)).toEqual(findNaively(kept, text));
			}),
			{ numRuns: 500 },
		);
	});

	it("loses nothing when a text is removed that is not in it", () => {
		const index = createIndex(["abcdefgh1", "abcdefgh22"]);
		for (const one of ["abcdefgh", "abcdefgh3", "abcdefgh222", "zzzzzzzz"]) index.remove(one);
		expect(index.find("abcdefgh22 abcdefgh1")).toEqual([
			[0, 10],
			[11, 20],
		]);
	});

	it("takes the beginning of a long one for it, wherever it was cut", () => {
		const long = Array.from({ length: 40 }, (_, number) => `${number * 7919}`).join("/");
		const index = createIndex([long]);
		for (const cut of [64, 65, 100]) expect(index.find(`…${long.slice(0, cut)}…`)).toEqual([[1, 1 + cut]]);
		expect(index.find(long.slice(0, 63))).toEqual([]);
	});

	it("is quick, whatever was put into it", () => {
		const like = "a".repeat(4000);
		const texts = [
			...Array.from({ length: 4000 }, (_, number) => `${like.slice(number)}b`),
			...Array.from({ length: 4000 }, (_, number) => `sk-proj-${number}-${number * 7919}`),
		];
		const index = createIndex(texts);
		const start = process.threadCpuUsage();
		index.find("a".repeat(200_000));
		index.find("a".repeat(60).concat("c").repeat(3000));
		index.find("sk-proj-".repeat(25_000));
		// It takes about 30 ms. At the cost of each text it would be minutes.
		expect(process.threadCpuUsage(start).user).toBeLessThan(5_000_000);
	});
});
