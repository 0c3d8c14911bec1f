import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPathFilter } from "./path-patterns";

describe("a pattern", () => {
	it.each([
		["*.pdf", "a.pdf", true],
		["*.pdf", "deep/down/a.pdf", true],
		["*.pdf", "a.pdfx", false],
		["docs", "docs/a.md", true],
		["docs", "src/docs/a.md", true],
		["docs/", "docs/a/b.md", true],
		["docs", "docsx/a.md", false],
		["/docs", "docs/a.md", true],
		["/docs", "src/docs/a.md", false],
		["docs/*", "docs/a.md", true],
		["docs/*.md", "docs/a/b.md", false],
		["docs/**", "docs/a/b.md", true],
		["docs/**", "docs", false],
		["docs/**/b.md", "docs/b.md", true],
		["docs/**/b.md", "docs/a/c/b.md", true],
		["docs/**/b.md", "docs/ab.md", false],
		["**/b.md", "b.md", true],
		["a?c", "abc", true],
		["a?c", "a/c", false],
		["a?c", "a😀c", true],
		["über*", "überblick.md", true],
		["a.c", "abc", false],
		["[a-z]+", "b", false],
		["*", "x/y/z", true],
		["**", "x/y/z", true],
	])("%s on %s: %s", (pattern, path, expected) => {
		expect(createPathFilter({ include: [pattern] })(path)).toBe(expected);
		expect(createPathFilter({ exclude: [pattern] })(`/${path}`)).toBe(!expected);
	});

	it("leaves out what is excluded of what is included", () => {
		const filter = createPathFilter({ include: ["docs"], exclude: ["drafts", "*.tmp"] });
		expect(["docs/a.md", "docs/drafts/a.md", "docs/a.tmp", "b.md"].map(filter)).toEqual([
			true,
			false,
			false,
			false,
		]);
	});

	it("matches as a regular expression of the same meaning does", () => {
		const texts = fc.string({ unit: fc.constantFrom("a", "b", "/", "*", "?"), maxLength: 12 });
		const paths = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 12 });
		fc.assert(
			fc.property(texts, paths, (pattern, path) => {
				expect(createPathFilter({ include: [pattern] })(path)).toBe(
					toRegExp(pattern).test(path.replace(/^\/+/, "")),
				);
			}),
			{ numRuns: 5_000 },
		);
	});
});

it("ends soon for patterns that take backtracking ages", () => {
	const include = Array.from({ length: 20 }, () => `${"*a".repeat(60)}b`);
	expect(createPathFilter({ include })("a".repeat(2_000))).toBe(false);
});

function toRegExp(pattern: string): RegExp {
	const trimmed = pattern.replace(/\/+$/, "");
	const source = trimmed
		.replace(/^\/+/, "")
		.replace(/(?<![^/])\*\*+\/|\*\*+|\*|\?|[\s\S]/g, (token) =>
			token.startsWith("**")
				? token.endsWith("/")
					? "(?:[^]*/)?"
					: "[^]*"
				: token === "*"
					? "[^/]*"
					: token === "?"
						? "[^/]"
						: token,
		);
	return new RegExp(`^${trimmed.includes("/") ? "" : "(?:[^]*/)?"}${source}(?:/|$)`);
}
