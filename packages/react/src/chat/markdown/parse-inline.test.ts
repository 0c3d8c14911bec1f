import fc from "fast-check";
import { expect, it } from "vitest";
import { type MarkdownInline, parseInline } from "./parse-inline";

it("parses code, emphasis, links and the numbers of sources", () => {
	expect(parseInline("A `b*c*` **d *e*** _f_ [g](https://h.example/i) [1][2].")).toEqual([
		"A ",
		{ type: "code", text: "b*c*" },
		" ",
		{ type: "strong", text: "d *e" },
		"* ",
		{ type: "emphasis", text: "f" },
		" ",
		{ type: "link", text: "g", url: "https://h.example/i" },
		" ",
		{ type: "reference", n: 1 },
		{ type: "reference", n: 2 },
		".",
	]);
});

it("leaves names, products and open marks as they are", () => {
	const text = "file_name_1 and 2 * 3 * 4, **open, `open, [open](https://a b), snake_case_";
	expect(parseInline(text).join("")).toBe(text);
});

it("parses addresses with parentheses", () => {
	expect(parseInline("[a](https://h.example/b_(c))")).toEqual([
		{ type: "link", text: "a", url: "https://h.example/b_(c)" },
	]);
});

it("shows an image as its description, and an escaped mark as itself", () => {
	expect(parseInline("![a cat](https://evil.example/?q=1) \\*no\\*").join("")).toBe("a cat *no*");
});

const toText = (parts: readonly MarkdownInline[]): string =>
	parts
		.map((part) => (typeof part === "string" ? part : part.type === "reference" ? `${part.n}` : part.text))
		.join("");

it("loses no letter, whatever the text is", () => {
	const piece = fc.constantFrom("a", "b ", "*", "**", "_", "`", "[", "](", ")", "!", "[1]", "\n", " ");
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
			const text = pieces.join("");
			const letters = (from: string) => from.replace(/[^ab1]/g, "");
			// The address of a link is no text of it.
			fc.pre(!/\]\([^()\s]*\)/.test(text));
			expect(letters(toText(parseInline(text)))).toBe(letters(text));
		}),
	);
});

it.each(["*", "**", "_", "__a ", "`", "[", "![", "[a](", "a*b", "\\", "[a](b", "**a*b"])(
	"parses 200,000 characters of %j in time linear in it",
	(piece) => {
		parseInline(piece.repeat(200_000 / piece.length));
	},
);
