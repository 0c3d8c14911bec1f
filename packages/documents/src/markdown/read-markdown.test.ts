import { describe, expect, it } from "vitest";
import { readMarkdown, readMdx } from "./read-markdown";

const textsOf = (source: string) => readMarkdown(source).parts.map(({ text }) => text);

describe("readMarkdown", () => {
	it("leaves markup out and keeps what it shows", () => {
		expect(
			textsOf("A **bold** [link](https://x.example) and ![a cat](c.png), `code`,\n~~old~~ &amp; 1 \\* 2."),
		).toEqual(["A bold link and a cat, code, old & 1 * 2."]);
	});

	it("gives headings with their level", () => {
		expect(readMarkdown("## Fees {#fees}\n\nTotal\n=====").parts).toEqual([
			{ kind: "heading", level: 2, text: "Fees", start: 0, end: 15 },
			{ kind: "heading", level: 1, text: "Total", start: 17, end: 28 },
		]);
	});

	it("reads headings with a line below them, in quotations too", () => {
		expect(textsOf("> MIT\n> ---\n> Text.")).toEqual(["MIT", "Text."]);
	});

	it("keeps the brackets of what no definition makes a link, and of links around them", () => {
		expect(
			textsOf("A [note] and [call(a[, b])](https://x.example), [ref][r].\n\n[r]: https://y.example"),
		).toEqual(["A [note] and call(a[, b]), ref."]);
	});

	it("reads code spans as what they show", () => {
		expect(textsOf("Use `` `a` `` or ` b `.\n\n| x |\n|---|\n| `a\\|b` |")).toEqual([
			"Use `a` or b.",
			"x\na|b",
		]);
	});

	it("reads footnotes without their labels, and keeps these in code", () => {
		expect(textsOf("Text.[^1]\n\n[^1]: First.\n[^2]: Second.\n\n```\n[^1]: code\n```")).toEqual([
			"Text.",
			"First. Second.",
			"[^1]: code",
		]);
	});

	it("takes the blanks before a fence off the lines in it", () => {
		expect(textsOf("1. Do:\n\n    ```sh\n    a\n      b\n    ```")).toEqual(["1. Do:\n  a\n  b"]);
	});

	it("repeats the header of a table in each passage", () => {
		expect(readMarkdown("| a | b |\n|---|---|\n| 1 | 2 |").parts).toMatchObject([
			{ lead: "a | b", splitAt: "line" },
		]);
	});

	it("writes a list as lines, what is nested indented", () => {
		expect(textsOf("- one\n- two\n  1. first\n  2. second\n\n     more\n- [x] done")).toEqual([
			"- one\n- two\n  1. first\n  2. second\n    more\n- done",
		]);
	});

	it("writes a table as rows", () => {
		expect(textsOf("| a | b |\n|---|---|\n| 1 | **2** |\n| 3 | |")).toEqual(["a | b\n1 | 2\n3"]);
	});

	it("keeps the lines of code, also in a quotation", () => {
		expect(textsOf("```js\nif (x)\n  y();\n```")).toEqual(["if (x)\n  y();"]);
		expect(textsOf("> ```\n> a\n> b\n> ```")).toEqual(["a\nb"]);
	});

	it("reads front matter for the title alone", () => {
		const { title, parts } = readMarkdown('---\ntitle: "The: title" # why\ntags: [a]\n---\n\nText.');
		expect(title).toBe("The: title");
		expect(parts.map(({ text }) => text)).toEqual(["Text."]);
		expect(readMarkdown("+++\ntitle = 'T'\n+++\nText.").title).toBe("T");
		expect(readMarkdown("---\ntitle: >\n  folded\n---\n").title).toBeUndefined();
	});

	it("reads HTML in it as HTML, with offsets into the whole", () => {
		const source =
			"Before.\n\n<table><tr><td>a</td><td>b</td></tr></table>\n\n<!-- no -->\n\nx <br> y <b>z</b>";
		const { parts } = readMarkdown(source);
		expect(parts.map(({ text }) => text)).toEqual(["Before.", "a | b", "x y z"]);
		expect(source.slice(parts[1]?.start, parts[1]?.end)).toBe("a</td><td>b");
	});

	it("leaves out script, and definitions of links", () => {
		expect(textsOf("<script>alert(1)</script>\n\n[a]: https://x.example\n\nSee [a].")).toEqual(["See a."]);
	});

	it("leaves imports and exports of MDX out", () => {
		const { parts } = readMdx('import A from "./a"\n\nexport const b = 1\n\n# Title\n\nText.');
		expect(parts.map(({ text }) => text)).toEqual(["Title", "Text."]);
	});
});
