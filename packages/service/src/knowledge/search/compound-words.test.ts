import { expect, it } from "vitest";
import { toCompoundParts, toJoinedWords } from "./compound-words";
import { toQueryWords } from "./query-words";

it("splits a word into parts, with and without letters between them", () => {
	expect(toCompoundParts("datensicherung")).toContainEqual(["daten", "sicherung"]);
	expect(toCompoundParts("kündigungsfrist")).toContainEqual(["kündigung", "frist"]);
	expect(toCompoundParts("kündigungsfrist")).toContainEqual(["kündigungs", "frist"]);
});

it.each(["kinder", "plan42", "退款需要多久退款需要"])("splits %s into nothing", (word) => {
	expect(toCompoundParts(word)).toEqual([]);
});

it("joins words that follow one another", () => {
	expect(toJoinedWords(toQueryWords("the max retries allowed"))).toEqual(["maxretries", "retriesallowed"]);
	expect(toJoinedWords(toQueryWords("退款需要多久"))).toEqual([]);
});
