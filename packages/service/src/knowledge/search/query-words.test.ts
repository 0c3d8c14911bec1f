import { expect, it } from "vitest";
import { toQueryWords } from "./query-words";

const texts = (query: string): string[] =>
	toQueryWords(query).map(({ text, isPrefix }) => (isPrefix ? `${text}*` : text));

it.each([
	["How do I reset a password?", ["reset", "password"]],
	["to be or not to be", ["to", "be", "or", "not"]],
	["reset RESET Reset", ["reset"]],
	['say "AND" (NEAR) col:x*', ["say", "near", "col", "x"]],
	["mod_so v1.2", ["mod", "v1", "2", "mod so", "modso", "v1 2"]],
	["maxOldSpace", ["maxoldspace", "max old space"]],
	["§ 12(3)", ["12", "3", "12 3"]],
	["10,000", ["10", "000", "10 000", "10000"]],
	["梅雨の時期", ["梅雨", "雨の", "の時", "時期"]],
	["犬", ["犬*"]],
	["API経由", ["api", "経由"]],
	["ＡＢＣ", ["abc"]],
	["ประเทศ", ["ปร", "ระ", "ะเ", "เท", "ทศ"]],
	["Straße İzmir IŞIK", ["strasse", "izmir", "işik"]],
	["thủ đô", ["thu6", "d9o3"]],
	["المدرسة", ["مدرسه"]],
	["", []],
	["?! …", []],
])("takes %s for %j", (query, words) => {
	expect(texts(query)).toEqual(words);
});

it("looks at the first words of a pasted text only", () => {
	const query = Array.from({ length: 500 }, (_, index) => `word${index}`).join(" ");
	expect(toQueryWords(query)).toHaveLength(64);
});
