import fc from "fast-check";
import { expect, it } from "vitest";
import { createScope, folderOf, isTrap, mayBeDocument, toPageAddress } from "./page-address";

const START = new URL("https://docs.example.com/guide/start.html");
const toHref = (href: string): string | undefined => toPageAddress(href, START)?.href;

it.each([
	["a.html#part", "https://docs.example.com/guide/a.html"],
	[" ../b?z=1&a=2&a=1&utm_source=x&gclid=y ", "https://docs.example.com/b?a=2&a=1&z=1"],
	["/c?", "https://docs.example.com/c"],
	["//Other.Example:443/d/", "https://other.example/d/"],
	["/%7euser/%c3%bc/a%2fb", "https://docs.example.com/~user/%C3%BC/a%2Fb"],
	["/ü b", "https://docs.example.com/%C3%BC%20b"],
	["?page=2", "https://docs.example.com/guide/start.html?page=2"],
	["mailto:a@example.com", undefined],
	["javascript:alert(1)", undefined],
	["https://user:secret@example.com/", undefined],
	["http://[", undefined],
])("%s is %s", (href, expected) => {
	expect(toHref(href)).toBe(expected);
});

it("stays the same when it is read again", () => {
	fc.assert(
		fc.property(
			fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string()),
			(href) => {
				const address = toHref(href);
				if (address !== undefined) expect(toHref(address)).toBe(address);
			},
		),
		{ numRuns: 2_000 },
	);
});

it.each([
	["/a/b/c", false],
	["/a/a/a/b", false],
	["/a/a/a/a", true],
	[`/${"a".repeat(1_000)}`, true],
	["/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21/22/23/24/25", true],
	["/?a&b&c&d&e&f&g&h", false],
	["/?a&b&c&d&e&f&g&h&i", true],
])("%s is a trap: %s", (path, expected) => {
	expect(isTrap(new URL(path, START))).toBe(expected);
});

it("keeps to one host and folder, with and without TLS", () => {
	const scope = createScope(START, folderOf(START), (path) => !path.includes("über"));
	const find = (href: string): string | undefined => scope.find(new URL(href))?.href;
	expect(find("https://docs.example.com/guide/a")).toBe("https://docs.example.com/guide/a");
	expect(find("http://docs.example.com/guide/a")).toBe("https://docs.example.com/guide/a");
	expect(find("http://docs.example.com:8080/guide/a")).toBeUndefined();
	expect(find("https://docs.example.com/guidelines")).toBeUndefined();
	expect(find("https://docs.example.com/guide/%C3%BCber")).toBeUndefined();
	expect(find("https://example.com/guide/a")).toBeUndefined();
});

it("requests no files that a page consists of", () => {
	const isDocument = (path: string): boolean => mayBeDocument(new URL(path, START));
	expect(["/a", "/a.html", "/a.PDF", "/v1.2", "/a.php?x=b.png"].every(isDocument)).toBe(true);
	expect(["/a.css", "/a.PNG", "/a.js?v=1", "/a.tar.gz"].some(isDocument)).toBe(false);
});
