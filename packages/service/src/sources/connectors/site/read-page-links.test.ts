import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPageLinks } from "./read-page-links";

const ADDRESS = new URL("https://docs.example.com/guide/");
const read = async (html: string, robots: string | null = null) => {
	const { links, canonical, isNoIndex } = await readPageLinks(Buffer.from(html), ADDRESS, robots);
	return { links: links.map(({ pathname }) => pathname), canonical: canonical?.href, isNoIndex };
};

describe("the links of a page", () => {
	it.each([
		[
			"anchors, areas, frames",
			'<a href=a>x</a><AREA HREF="b"><frame src=c>',
			["/guide/a", "/guide/b", "/guide/c"],
		],
		["relative to its base", '<base href="/other/"><base href="/third/"><a href=a>x</a>', ["/other/a"]],
		[
			"but those not to be followed",
			'<a href=a rel="nofollow">x</a><a href=b rel="noopener">x</a>',
			["/guide/b"],
		],
		["but those within it", '<a href="#part">x</a><a name=x>y</a>', []],
		["each once", "<a href=a>x</a><a href='a#b'>x</a>", ["/guide/a"]],
		["with entities", '<a href="a?x=1&amp;y=2">x</a>', ["/guide/a"]],
		[
			"but not what is text",
			"<script>'<a href=a>'</script><style><a href=b></style><textarea><a href=c></textarea><!-- <a href=d> --><title><a href=e></title>",
			[],
		],
		["also for visitors without scripts", "<noscript><a href=a>x</a></noscript>", ["/guide/a"]],
		["also of a refresh", "<meta http-equiv=Refresh content=\"0; URL='a'\">", ["/guide/a"]],
		["none where it asks so", "<meta name=ROBOTS content='index, NoFollow'><a href=a>x</a>", []],
		["all where others are asked", "<meta name=otherbot content=nofollow><a href=a>x</a>", ["/guide/a"]],
		["whatever is not closed", "<div><a href=a><p><a href=b", ["/guide/a"]],
	])("are %s", async (_, html, expected) => {
		expect((await read(html)).links).toEqual(expected);
	});

	it.each([
		["noindex", true],
		["none", true],
		["StemmaBot: noindex", true],
		["otherbot: noindex", false],
		["otherbot: noindex, nofollow, all", false],
		["index, unavailable_after: 25 Jun 2010 15:00:00 PST", false],
		["max-snippet:-1", false],
	])("header %s forbids the index: %s", async (header, expected) => {
		expect((await read("<p>x", header)).isNoIndex).toBe(expected);
	});

	it("and its original", async () => {
		expect((await read('<link rel="alternate canonical" href="../x#y">')).canonical).toBe(
			"https://docs.example.com/x",
		);
		expect((await read("<link rel=canonical>")).canonical).toBeUndefined();
	});

	it("are found across the pieces that it is read in", async () => {
		const html = `${"x".repeat(65_530)}<a href="first">${"y".repeat(131_000)}<a href='second'>`;
		expect((await read(html)).links).toEqual(["/guide/first", "/guide/second"]);
	});

	it("are bounded", async () => {
		expect(
			(await read(Array.from({ length: 6_000 }, (_, index) => `<a href=${index}>`).join(""))).links.length,
		).toBe(5_000);
	});

	it("are read whatever the encoding of the page is", async () => {
		const page = (charset: string): string => `<meta charset="${charset}"><a href="/über">x</a>`;
		const { links } = await readPageLinks(Buffer.from(page("iso-8859-1"), "latin1"), ADDRESS, null);
		expect(links.map(({ pathname }) => pathname)).toEqual(["/%C3%BCber"]);
		const wide = Buffer.from(`\uFEFF${page("utf-16")}`, "utf16le");
		expect((await readPageLinks(wide, ADDRESS, null)).links.map(({ pathname }) => pathname)).toEqual([
			"/%C3%BCber",
		]);
	});

	it("are read from the first 2 MiB", async () => {
		const filler = "<p>ü".repeat(600_000);
		expect((await read(`<a href=a>x</a>${filler}<a href=b>x</a>`)).links).toEqual(["/guide/a"]);
	});

	it("are read from any bytes", async () => {
		const tags = fc.constantFrom(
			"<a href=",
			"<base href=",
			'"',
			"'>",
			"</a>",
			"<!--",
			"<script>",
			"<meta name=robots content=",
			"http://[",
			"\0",
			"&#x110000;",
		);
		await fc.assert(
			fc.asyncProperty(fc.array(fc.oneof(tags, fc.string())), fc.string(), async (parts, header) => {
				expect(Array.isArray((await read(parts.join(""), header)).links)).toBe(true);
			}),
		);
	});
});
