import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readHtml } from "../html/read-html";
import { readMarkdown } from "../markdown/read-markdown";
import { readOrg, readPlainText, readRestructuredText } from "../read-plain-text";
import { cutPassages } from "./cut-passages";
import { findTitle } from "./sections";

const DOCUMENT = { document_id: "doc_1", title: "Title", path: "a.md" };

const sentences = (count: number, words = 10): string =>
	Array.from({ length: count }, (_, index) => `S${index}${" word".repeat(words - 1)}.`).join(" ");

const wordCount = (text: string): number => text.split(/\s+/).length;
const fold = (text: string): string => text.replace(/\s+/g, " ");

describe("cutPassages", () => {
	it("joins what stands under one heading path, and nothing else", () => {
		const source =
			"# Title\n\nIntro.\n\n## Fees\n\nOne.\n\n- a\n- b\n\n### Late\n\nTwo.\n\n## Bare\n\n## End\n\nThree.";
		const passages = cutPassages(DOCUMENT, readMarkdown(source));
		expect(passages.map(({ place, text }) => [place.heading, text])).toEqual([
			[undefined, "Intro."],
			["Fees", "One.\n\n- a\n- b"],
			["Fees › Late", "Two."],
			[undefined, "Bare"],
			["End", "Three."],
		]);
		expect(source.slice(passages[1]?.place.start, passages[1]?.place.end)).toBe("One.\n\n- a\n- b");
	});

	it("spreads a long section evenly, cut between paragraphs", () => {
		const source = Array.from({ length: 8 }, () => sentences(8)).join("\n\n");
		const passages = cutPassages(DOCUMENT, readMarkdown(source));
		expect(passages.map(({ text }) => wordCount(text))).toEqual([240, 240, 160]);
	});

	it("cuts a paragraph that is too long at the ends of sentences", () => {
		const source = `**Bold** ${sentences(100)}`;
		const passages = cutPassages(DOCUMENT, readMarkdown(source));
		expect(passages).toHaveLength(4);
		for (const { text, place } of passages) {
			expect(text).toMatch(/^(Bold )?S\d+ .*\.$/);
			expect(wordCount(text)).toBeLessThanOrEqual(300);
			expect(source.slice(place.start, place.end).replaceAll("*", "")).toContain(text.slice(5));
		}
		expect(passages.map(({ text }) => text).join(" ")).toBe(source.replaceAll("*", ""));
	});

	it("cuts a long table between rows, and what has no sentences at all between words", () => {
		const table = `| a | b |\n|---|---|\n${"| one two three | four five |\n".repeat(100)}`;
		for (const { text } of cutPassages(DOCUMENT, readMarkdown(table))) expect(text).toMatch(/(five|b)$/);
		const endless = cutPassages(DOCUMENT, readPlainText("word ".repeat(2000)));
		expect(endless.length).toBeGreaterThanOrEqual(7);
		expect(endless.every(({ text }) => /^word( word)*$/.test(text))).toBe(true);
	});

	it("begins each passage of a long list with the sentence that announces it", () => {
		const items = Array.from({ length: 12 }, (_, index) => `- **Item ${index}:** ${sentences(6)}`);
		const source = `Before.\n\nWe have these values:\n\n${items.join("\n")}\n\nAfter.`;
		const passages = cutPassages(DOCUMENT, readMarkdown(source));
		expect(passages.length).toBeGreaterThan(2);
		const [first, ...others] = passages;
		expect(first?.text).toMatch(/^Before\.\n\nWe have these values:\n\n- Item 0:/);
		for (const { text } of others) expect(text).toMatch(/^We have these values:\nS?/);
	});

	it("does not leave the sentence that announces a list at the end of the passage before it", () => {
		const source = `${sentences(24)}\n\nThese are:\n\n- ${sentences(20)}`;
		const passages = cutPassages(DOCUMENT, readMarkdown(source));
		expect(passages.map(({ text }) => text.slice(0, 12))).toEqual(["S0 word word", "These are:\n\n"]);
		const [, second] = passages;
		expect(source.slice(second?.place.start, second?.place.end)).toBe(second?.text);
	});

	it("keeps a list of up to 400 words together with the line that announces it", () => {
		const items = (words: number) =>
			Array.from({ length: 4 }, (_, index) => `- **Value ${index}:** ${sentences(1, words)}`).join("\n");
		const announced = (words: number) =>
			`Our mission.\n\nThese are our values:\n\n${items(words)}\n\nThe end.`;
		const [whole, end] = cutPassages(DOCUMENT, readMarkdown(announced(80)));
		expect(whole?.text).toMatch(/^Our mission\.\n\nThese are our values:\n\n- Value 0:.*- Value 3:/s);
		expect(end?.text).toBe("The end.");
		const long = cutPassages(DOCUMENT, readMarkdown(announced(120)));
		expect(long.filter(({ text }) => text.includes("These are our values:")).length).toBeGreaterThan(1);
		const afterText = `${sentences(15)}\n\n${announced(80)}`;
		const led = cutPassages(DOCUMENT, readMarkdown(afterText)).find(({ text }) => text.includes("Value 0"));
		expect(led?.text).toMatch(/^These are our values:\n\n- Value 0:.*- Value 3:/s);
	});

	it("cuts Chinese at its own full stops", () => {
		const source = "这是一个很长的句子里面有很多字。".repeat(120);
		const passages = cutPassages(DOCUMENT, readPlainText(source));
		expect(passages.length).toBeGreaterThan(2);
		expect(passages.every(({ text }) => text.endsWith("。"))).toBe(true);
	});

	it("gives each passage an id of its own", () => {
		const passages = cutPassages(DOCUMENT, readMarkdown(sentences(500)));
		expect(new Set(passages.map(({ passage_id }) => passage_id)).size).toBe(passages.length);
	});

	it("loses no word of a text, and each passage stands where it says", () => {
		const word = fc.constantFrom(
			"a",
			"Dr.",
			"fee.",
			"done!",
			"3.5",
			"è",
			"今日は。",
			"- x",
			"(see",
			"\n",
			"\n\n",
			"\r\n",
		);
		fc.assert(
			fc.property(fc.array(word, { maxLength: 900 }), (words) => {
				const source = words.join(" ");
				const passages = cutPassages(DOCUMENT, readPlainText(source));
				for (const { text, place } of passages)
					expect(fold(source.slice(place.start, place.end))).toBe(fold(text));
				const all = passages.map(({ text }) => text).join("");
				expect(all.replace(/\s/g, "")).toBe(source.replace(/\s/g, ""));
			}),
		);
	});

	it("keeps offsets within any Markdown or HTML", () => {
		const piece = fc.constantFrom(
			"# h\n",
			"*b* ",
			"> q\n",
			"- i\n",
			"`c`",
			"[l](u) ",
			"&amp;",
			"\\*",
			"<p>",
			"</p>",
			"x. ",
			"\n\n",
			"|a|b|\n|-|-|\n|c|d|\n",
			"```\n",
			"<li>",
			"<table>",
			"<td>",
			"\r\n",
		);
		fc.assert(
			fc.property(
				fc.array(piece, { maxLength: 60 }),
				fc.constantFrom(readMarkdown, readHtml),
				(pieces, read) => {
					const source = pieces.join("");
					for (const { place } of cutPassages(DOCUMENT, read(source))) {
						expect(place.start).toBeGreaterThanOrEqual(0);
						expect(place.end).toBeGreaterThan(place.start);
						expect(place.end).toBeLessThanOrEqual(source.length);
					}
				},
			),
		);
	});
});

describe("findTitle", () => {
	it("takes the first top heading, else what the document calls itself, else the file name", () => {
		expect(findTitle(readMarkdown("---\ntitle: Matter\n---\n## Two\n\n# One"), "a.md")).toBe("One");
		expect(findTitle(readMarkdown("---\ntitle: Matter\n---\n## Two"), "a.md")).toBe("Matter");
		expect(findTitle(readHtml("<title>Page</title><h2>Two</h2>x"), "a.html")).toBe("Page");
		expect(findTitle(readPlainText("x"), "a.txt")).toBe("a.txt");
	});
});

describe("text formats", () => {
	const textsOf = ({ parts }: ReturnType<typeof readOrg>) => parts.map(({ text }) => text);

	it("joins the lines of wrapped text and keeps those of verse and lists", () => {
		const wrapped = "This line is long enough to have been wrapped by hand.\nAnd this is the rest.";
		expect(textsOf(readPlainText(wrapped))).toEqual([wrapped.replace("\n", " ")]);
		expect(textsOf(readPlainText("Roses are red\r\nViolets are blue\r\n\r\n\r\nEnd"))).toEqual([
			"Roses are red\nViolets are blue",
			"End",
		]);
	});

	it("reads the headings of reStructuredText and Org", () => {
		const rst = readRestructuredText("Top\n===\nText.\n\nSub\n---\nMore.").parts;
		expect(rst).toMatchObject([
			{ kind: "heading", level: 1, text: "Top" },
			{ text: "Text." },
			{ kind: "heading", level: 2, text: "Sub" },
			{ text: "More." },
		]);
		const org = readOrg("#+TITLE: Notes\n* Top\nText.\n** Sub");
		expect(org.title).toBe("Notes");
		expect(org.parts).toMatchObject([
			{ level: 1, text: "Top" },
			{ text: "Text." },
			{ level: 2, text: "Sub" },
		]);
	});
});
