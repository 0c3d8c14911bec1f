import { expect, test } from "vitest";
import { joinPassages } from "./join-passages";

const passage = (text: string, heading?: string) => ({
	text,
	place: { start: 0, end: text.length, ...(heading !== undefined && { heading }) },
});
const passages = [passage("one"), passage("two", "A"), passage("three", "A"), passage("four", "A › B")];

test.each([
	[100, "one\n\nA\n\ntwo\n\nthree\n\nA › B\n\nfour", 4],
	[12, "one\n\nA\n\ntwo", 2],
	[1, "one", 1],
])("of at most %i characters", (most, text, count) => {
	expect(joinPassages(passages, most)).toEqual({ text, count });
});
