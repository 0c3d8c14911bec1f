import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRobots } from "./robots";

const allows = (text: string, target: string, token = "ExampleBot"): boolean =>
	parseRobots(text, token).isAllowed(target);

describe("RFC 9309", () => {
	// Section 5.1
	const SIMPLE = [
		"User-Agent: *",
		"Disallow: *.gif$",
		"Disallow: /example/",
		"Allow: /publications/",
		"",
		"User-Agent: foobot",
		"Disallow:/",
		"Allow:/example/page.html",
		"Allow:/example/allowed.gif",
		"",
		"User-Agent: barbot",
		"User-Agent: bazbot",
		"Disallow: /example/page.html",
		"",
		"User-Agent: quxbot",
	].join("\n");

	it.each([
		["otherbot", "/publications/a", true],
		["otherbot", "/example/", false],
		["otherbot", "/a/picture.gif", false],
		["otherbot", "/a/picture.gif?x", true],
		["foobot", "/other", false],
		["FooBot", "/example/page.html", true],
		["foobot", "/example/allowed.gif", true],
		["barbot", "/example/page.html", false],
		["barbot", "/example/other.html", true],
		["bazbot", "/example/page.html", false],
		["quxbot", "/example/page.html", true],
		["otherbot", "/robots.txt", true],
	])("lets %s on %s: %s (section 5.1)", (token, target, expected) => {
		expect(allows(SIMPLE, target, token)).toBe(expected);
	});

	it("lets the longest match decide (section 5.2)", () => {
		const text = "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n";
		expect(allows(text, "/example/page/", "foobot")).toBe(true);
		expect(allows(text, "/example/page/disallowed.gif", "foobot")).toBe(false);
	});

	it.each([
		["/foo/bar?baz=quz", "/foo/bar?baz=quz"],
		["/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https://foo.bar"],
		["/foo/bar/ツ", "/foo/bar/%E3%83%84"],
		["/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84"],
		["/foo/bar/%62%61%7A", "/foo/bar/baz"],
		["/foo/bar/baz", "/foo/bar/%62%61%7A"],
	])("finds the rule %s on the path %s (section 2.2.2)", (rule, target) => {
		expect(allows(`User-agent: *\nDisallow: ${rule}`, target)).toBe(false);
	});

	it("joins groups of one crawler (section 2.2.1)", () => {
		const text =
			"user-agent: ExampleBot\ndisallow: /foo\ndisallow: /bar\n\nuser-agent: ExampleBot\ndisallow: /baz\n";
		expect(["/foo", "/bar", "/baz", "/x"].map((target) => allows(text, target))).toEqual([
			false,
			false,
			false,
			true,
		]);
	});

	it.each([
		["Disallow: /\n", "no group"],
		["User-agent: *\nDisallow:\n", "an empty rule"],
		["User-agent: *\nAllow: /a\nDisallow: /a\n", "two rules of one length"],
		["<html>Disallow: /</html>", "a page"],
		["User-agent: other\nDisallow: /\n", "another crawler's group"],
	])("allows all by %j: %s", (text) => {
		expect(allows(text, "/a")).toBe(true);
	});

	it.each([
		"\uFEFFUser-agent: *\nDisallow: /a",
		"User-agent: *\r\nDisallow: /a # why\r\n",
		"User-agent: *\rDisallow: /a",
		"user-agent : * \n\n\n DISALLOW : /a ",
		"User-agent: ExampleBot/1.0\nDisallow: /a\n\nUser-agent: *\nAllow: /a",
		"User-agent: ExampleBot\nSitemap: https://example.com/s.xml\nFoo: bar\nUser-agent: other\nDisallow: /a",
	])("forbids by %j", (text) => {
		expect(allows(text, "/a")).toBe(false);
	});
});

it.each([
	["/fish*.php", "/fishheads/catfish.php?parameters", true],
	["/fish*.php", "/Fish.PHP", false],
	["/*.php$", "/folder/filename.php", true],
	["/*.php$", "/filename.php/", false],
	["/*.php$", "/filename.php?parameters", false],
	["/*.php", "/windows.PHP", false],
	["/a$b", "/a$b", true],
	["/a*a$", "/a", false],
	["/a*a$", "/aa", true],
	["*", "/", true],
	["$", "/", false],
])("a rule of %s on %s matches: %s", (rule, target, expected) => {
	expect(allows(`User-agent: *\nDisallow: ${rule}`, target)).toBe(!expected);
});

it("gives pause and sitemaps", () => {
	const robots = parseRobots(
		"Sitemap: https://example.com/a.xml\nUser-agent: *\nCrawl-delay: 2.5\nDisallow: /x\nsitemap: /b.xml",
		"ExampleBot",
	);
	expect(robots.crawlDelayMs).toBe(2500);
	expect(robots.sitemaps).toEqual(["https://example.com/a.xml", "/b.xml"]);
	expect(parseRobots("User-agent: *\nCrawl-delay: 86400").crawlDelayMs).toBe(30_000);
	expect(parseRobots("User-agent: *\nCrawl-delay: soon").crawlDelayMs).toBe(0);
});

it("matches rules as a regular expression of the same meaning does", () => {
	const rules = fc.string({ unit: fc.constantFrom("a", "b", "/", "*", "$"), minLength: 1, maxLength: 10 });
	const targets = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 10 });
	fc.assert(
		fc.property(rules, targets, (rule, target) => {
			const source = rule.replace(/\$$/, "").replaceAll("$", "\\$").replaceAll("*", "[^]*");
			const expected = new RegExp(`^${source}${rule.endsWith("$") ? "$" : ""}`).test(target);
			expect(allows(`User-agent: *\nDisallow: ${rule}`, target)).toBe(!expected);
		}),
		{ numRuns: 5_000 },
	);
});

it("reads any text without an error", () => {
	const lines = fc.oneof(fc.string(), fc.constantFrom("User-agent: *", "Disallow: /", "Allow: /*a$"));
	fc.assert(
		fc.property(fc.array(lines), fc.webPath(), (text, target) => {
			expect(typeof parseRobots(text.join("\n")).isAllowed(target)).toBe("boolean");
		}),
	);
});
