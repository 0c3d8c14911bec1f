import fc from "fast-check";
import { expect, it } from "vitest";
import { normalizeLineEnds } from "./line-ends";
import { readMarkdown } from "./markdown/read-markdown";

it("restores each place in the original text", () => {
	const piece = fc.constantFrom("a", "word", "\r\n", "\n", "\r", "\r\n\r\n", " ", "# h", "- i");
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
			const source = pieces.join("");
			const { text, restore } = normalizeLineEnds(source);
			expect(text).not.toContain("\r");
			const words = [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
				...{ kind: "heading" as const, level: 1, text: word, start: index, end: index + word.length },
			}));
			for (const { text: word, start, end } of restore({ parts: words }).parts)
				expect(source.slice(start, end)).toBe(word);
		}),
	);
});

it("restores the place of each word of a paragraph", () => {
	const piece = fc.constantFrom(
		"a",
		"word",
		"more words",
		"\r\n",
		"\n",
		" ",
		"  ",
		"*b*",
		"&amp;",
		"\r\n\r\n",
	);
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
			const source = pieces.join("");
			for (const part of readMarkdown(source).parts)
				for (const { offset, length, start, end } of part.kind === "block" ? part.runs : []) {
					const written = source.slice(start, end).replace(/\s/g, " ");
					expect(written).toBe(part.text.slice(offset, offset + length));
				}
		}),
	);
});

it("lets Markdown with the line ends of Windows be what it is with others", () => {
	const source = "<p>\r\nHTML\r\n</p>\r\n\r\n## Fees\r\n\r\n| a | b |\r\n|---|---|\r\n| 1 | 2 |\r\n";
	const { parts } = readMarkdown(source);
	expect(parts.map(({ text }) => text)).toEqual(["HTML", "Fees", "a | b\n1 | 2"]);
	expect(source.slice(parts[1]?.start, parts[1]?.end)).toBe("## Fees");
});
