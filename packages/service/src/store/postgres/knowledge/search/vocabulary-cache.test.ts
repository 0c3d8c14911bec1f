import { expect, it } from "vitest";
import { createVocabulary, createVocabularyCache } from "./vocabulary-cache";

it("knows words and beginnings of words", () => {
	const words = createVocabulary("wheel car 𝔸b ﬀ caravan");
	expect(words.size).toBe(5);
	expect(["car", "ca", "wheel", "wheels"].map(words.has)).toEqual([true, false, true, false]);
	const beginnings = ["ca", "carav", "carb", "w", "x", "𝔸", "ﬀ", "a"];
	expect(beginnings.filter(words.hasBeginning)).toEqual(["ca", "carav", "w", "𝔸", "ﬀ"]);
	expect(createVocabulary("").hasBeginning("a")).toBe(false);
});

it("forgets what was not used for the longest time", () => {
	const cache = createVocabularyCache(4);
	const [first, second, third] = ["a b", "c d", "e f"].map(createVocabulary);
	if (!first || !second || !third) throw new Error("There are three.");
	cache.add("first", first);
	cache.add("second", second);
	expect(cache.get("first")).toBe(first);
	cache.add("third", third);
	expect(["first", "second", "third"].map(cache.get)).toEqual([first, undefined, third]);
	cache.add("third", second);
	expect(cache.get("first")).toBe(first);
	expect(cache.get("third")).toBe(second);
});
