import { expect, it } from "vitest";
import { toJointFactors } from "./joint-pairs";

const count = (words: string) =>
	words.split(" ").map((word) => ({ word: word.replace("+", ""), count: word.endsWith("+") ? 2 : 0 }));

it("lowers pairs that join a word that passages have to another", () => {
	expect(toJointFactors(count("国家+ 家能 能阻 阻止+"))).toEqual([1, 0.25, 0.25, 1]);
});

it("leaves words that no passage has, and other scripts", () => {
	expect(toJointFactors(count("员工+ 工带 带薪 薪假 假期"))).toEqual([1, 0.25, 1, 1, 1]);
	expect(toJointFactors(count("国家+ 没有"))).toEqual([1, 1]);
	expect(toJointFactors(count("ab+ bc cd+"))).toEqual([1, 1, 1]);
});
