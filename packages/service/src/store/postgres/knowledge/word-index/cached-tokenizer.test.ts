import { toIndexText } from "@stemma/documents";
import { describe, expect, it } from "vitest";
import { createCachedTokenizer } from "./cached-tokenizer";
import { createTokenizer, type Tokenizer } from "./tokenizer";

const TEXTS = [
	"The refunds, the refunds: (refunded) twice.\n\nSee  ERR_CONN_42\tand maxOldSpaceSize=10,000!",
	"Häuser und Kündigungsfristen; книгами по-русски, naïve café — 退款需要多久 ＡＢＣ １２ 🙂 𝟙",
	"हिन्दी ภาษาไทย عربى xin chào tiếng Việt a\u00a0b c\u2003d e\u0301",
	`${"long".repeat(40)} ${"漢字".repeat(60)}`,
	"",
	" ",
].flatMap((text) => [text, toIndexText(text)]);

describe("the tokenizer with a memory", () => {
	it("gives the tokens that FTS5 gives, also the second time", () => {
		const expected = createTokenizer().tokenize(TEXTS);
		const cached = createCachedTokenizer(createTokenizer());
		expect(cached.tokenize(TEXTS)).toEqual(expected);
		expect(cached.tokenize(TEXTS)).toEqual(expected);
		expect(expected.flat().length).toBeGreaterThan(50);
	});

	it("asks once for a word, and again once it has too many", () => {
		const asked: string[] = [];
		const counting: Tokenizer = {
			tokenize(texts) {
				asked.push(...texts);
				return texts.map((text) => text.split(" "));
			},
		};
		const cached = createCachedTokenizer(counting, 1);
		expect(cached.tokenize(["a b a", "b"])).toEqual([["a", "b", "a"], ["b"]]);
		cached.tokenize(["a"]);
		expect(asked).toEqual(["a b", "a"]);
		cached.tokenize(["a"]);
		expect(asked).toEqual(["a b", "a"]);
	});

	it("gives the same tokens for words side by side as for each alone", () => {
		const words = TEXTS.flatMap((text) => text.split(/[^0-9A-Za-z]+/)).concat(
			"generalizations",
			"A1b2",
			"0x",
		);
		const cached = createCachedTokenizer(createTokenizer());
		expect(cached.tokenize([words.join(" ")])).toEqual([createTokenizer().tokenize(words).flat()]);
	});
});
