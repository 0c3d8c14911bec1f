import type { Passage } from "@stemma/documents";
import { describe, expect, it } from "vitest";
import { createWordIndex } from "./word-index";

let count = 0;
const passage = (text: string, { title = "Title", heading = "" } = {}): Passage => ({
	passage_id: `psg_${count++}`,
	document_id: "doc_1",
	title,
	text,
	place: { heading, start: 0, end: text.length },
	path: "a.md",
});

const find = (query: string, texts: readonly string[], topK = 8): string[] =>
	createWordIndex(texts.map((text) => passage(text)))
		.search(query, { topK })
		.map((hit) => hit.passage.text);

describe("createWordIndex", () => {
	it("finds by the words of a question, best first and no more than asked for", () => {
		const texts = ["Refunds take 14 days.", "Refunds of a gift card take 30 days.", "Shipping is free."];
		expect(find("How long does a gift card refund take?", texts)).toEqual([texts[1], texts[0]]);
		expect(find("How long does a gift card refund take?", texts, 1)).toEqual([texts[1]]);
	});

	it("finds what several documents say once, and fills up with others", () => {
		const texts = ["Refunds take 14 days.", "Refunds take\n14 days.", "Refunds take 14 days, at most."];
		expect(find("refunds 14 days", texts, 2)).toEqual([texts[0], texts[2]]);
	});

	it.each([
		["refunding policies", "The policy on refunds"],
		["CAFE", "Ein Café"],
		["ｆｕｌｌ　ｗｉｄｔｈ", "full width"],
		["mod_so", "the module mod_so"],
		["Größe", "Angaben zur Grosse, also Größe"],
		["梅雨の時期", "日本の梅雨は六月に始まる"],
		["주소는 어떻게", "IPv6 주소를 적는다"],
		["編譯後的檔案", "檔案在此"],
	])("finds %s in %s", (query, text) => {
		expect(find(query, [text, "nothing of the kind"])).toEqual([text]);
	});

	it("keeps letters apart that a mark makes another letter of", () => {
		expect(find("が", ["か", "が"])).toEqual(["が"]);
	});

	it("leaves stop words out of a query, but not all of it", () => {
		expect(find("what is the fee", ["The fee.", "It is what it is."])).toEqual(["The fee."]);
		expect(find("who is who", ["Who is who.", "The fee."])).toEqual(["Who is who."]);
	});

	it("finds by heading and title, and puts the text first", () => {
		const inText = passage("Parental leave is long.");
		const inHeading = passage("Sixteen weeks.", { heading: "Benefits › Parental leave" });
		const index = createWordIndex([passage("Other."), inHeading, inText]);
		expect(index.search("parental leave", { topK: 3 }).map((hit) => hit.passage)).toEqual([
			inText,
			inHeading,
		]);
	});

	it("gives nothing for a query that matches nothing", () => {
		expect(find("zebra", ["The fee."])).toEqual([]);
		expect(find("", ["The fee."])).toEqual([]);
		expect(find("?!", ["The fee."])).toEqual([]);
	});
});
