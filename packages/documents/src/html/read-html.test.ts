import { describe, expect, it } from "vitest";
import { readHtml } from "./read-html";

const textsOf = (source: string) => readHtml(source).parts.map(({ text }) => text);

describe("readHtml", () => {
	it("reads the main content where it is marked", () => {
		const around = "<header>H</header><nav>N</nav><aside>A</aside><footer>F</footer>";
		for (const main of ["<main>M</main>", "<div role=main>M</div>", "<article>M</article>"])
			expect(textsOf(`<body>${around}<div>other</div>${main}`)).toEqual(["M"]);
	});

	it("drops what stands around unmarked content", () => {
		const source =
			"<title> A \n page</title><style>s{}</style><header>H</header><nav>N</nav><p>Text</p><form>F</form>" +
			"<template>T</template><noscript>no</noscript><p hidden>hid</p><script>x()</script><div role=navigation>R</div>";
		expect(readHtml(source)).toMatchObject({ title: "A page", parts: [{ text: "Text" }] });
	});

	it("reads all where the page would be empty otherwise", () => {
		expect(textsOf("<form><p>All of the page.</p></form><script>x</script>")).toEqual(["All of the page."]);
		expect(textsOf("<main><nav>N</nav></main><p>Text</p>")).toEqual(["Text"]);
	});

	it("keeps the header of an article, and its heading without the permalink", () => {
		expect(textsOf("<main><header><h1>Fees <a href=#f>¶</a></h1></header><p>Text</p></main>")).toEqual([
			"Fees",
			"Text",
		]);
	});

	it("folds blanks as a browser does", () => {
		expect(textsOf("<p>a\n\t b&nbsp;<i>c</i>d <img alt='e f'> g<br>h</p>")).toEqual(["a b cd e f g\nh"]);
	});

	it("writes lists and tables as lines", () => {
		expect(textsOf("<ul><li><p>one</p><p>more</p><li>two<ol><li>deep</ol></ul>")).toEqual([
			"- one\n  more\n- two\n  1. deep",
		]);
		expect(textsOf("<table><caption>C</caption><tr><th>a<th>b<tr><td>1<td><p>2</p><p>3</p></table>")).toEqual(
			["C\na | b\n1 | 2 3"],
		);
	});

	it("repeats caption and header of a table, and cuts it between rows", () => {
		const head = "<caption>Fees</caption><thead><tr><th>Plan<th>Fee</thead>";
		const [table] = readHtml(`<table>${head}<tbody><tr><th>A<td>1<tr><td>B<td>2</table>`).parts;
		expect(table).toMatchObject({ splitAt: "line", lead: "Fees\nPlan | Fee" });
		const [bare] = readHtml("<table><tr><th> <tr><td>B<td>2</table>").parts;
		expect(bare).toMatchObject({ splitAt: "line", text: "B | 2" });
		expect(bare).not.toHaveProperty("lead");
	});

	it("reads tables that arrange a page as their parts", () => {
		expect(textsOf("<table><tr><td><h2>Left</h2><p>l</p><td><p>r</p></table>")).toEqual(["Left", "l", "r"]);
	});

	it("keeps the lines of preformatted text", () => {
		expect(textsOf("<pre>a\n  b\n\nc</pre>")).toEqual(["a\n  b\n\nc"]);
	});

	it("gives offsets past entities and line ends of Windows", () => {
		const source = "<p>A &amp; B</p>\r\n<p>caf&eacute; next\r\nline &lt;here&gt;</p>";
		const { parts } = readHtml(source);
		expect(parts.map(({ text }) => text)).toEqual(["A & B", "café next line <here>"]);
		expect(source.slice(parts[0]?.start, parts[0]?.end)).toBe("A &amp; B");
		expect(source.slice(parts[1]?.start)).toMatch(/^caf&eacute; next/);
	});
});
