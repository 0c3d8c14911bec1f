import fc from "fast-check";
import { expect, it } from "vitest";
import { type MarkdownBlock, parseBlocks } from "./parse-blocks";

const paragraph = (text: string): MarkdownBlock => ({ type: "paragraph", text });

it("parses paragraphs, headings, code and rules", () => {
	expect(
		parseBlocks(
			"# Refunds\nA refund takes\nfive days.\n\n```ts\nconst a = 1;\n\n# no heading\n```\n---\nEnd.",
		),
	).toEqual([
		{ type: "heading", level: 1, text: "Refunds" },
		paragraph("A refund takes\nfive days."),
		{ type: "code", text: "const a = 1;\n\n# no heading" },
		{ type: "rule" },
		paragraph("End."),
	]);
});

it("parses lists with lists, code and paragraphs in them", () => {
	expect(parseBlocks("Steps:\n1. One\n   - a\n   - b\n\n   More.\n2. Two\nof it\n\nAfter.")).toEqual([
		paragraph("Steps:"),
		{
			type: "list",
			start: 1,
			items: [
				[
					paragraph("One"),
					{ type: "list", start: undefined, items: [[paragraph("a")], [paragraph("b")]] },
					paragraph("More."),
				],
				[paragraph("Two\nof it")],
			],
		},
		paragraph("After."),
	]);
});

it("parses quotes", () => {
	expect(parseBlocks("> One\n> - two\n\nThree")).toEqual([
		{
			type: "quote",
			blocks: [paragraph("One"), { type: "list", start: undefined, items: [[paragraph("two")]] }],
		},
		paragraph("Three"),
	]);
});

it("ends an open block of code with the text", () => {
	expect(parseBlocks("```\nconst a")).toEqual([{ type: "code", text: "const a" }]);
});

/** Text of blocks, in order. */
const toText = (blocks: readonly MarkdownBlock[]): string =>
	blocks
		.map((block) => {
			if (block.type === "list") return block.items.map(toText).join(" ");
			if (block.type === "quote") return toText(block.blocks);
			return block.type === "rule" ? "" : block.text;
		})
		.join(" ");

it("loses no word, whatever the text is", () => {
	const line = fc
		.tuple(
			fc.constantFrom("", "  ", "    ", "\t"),
			fc.constantFrom("", "- ", "1. ", "> ", "# ", "* - ", "```", "***", "---", "> > - "),
			fc.constantFrom("", "one", "two words", "[1]"),
		)
		.map((parts) => parts.join(""))
		// The language of code is no text.
		.filter((text) => !/`[^`]/.test(text));
	fc.assert(
		fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
			const text = lines.join("\n");
			// The numbers of lists are no words.
			const toWords = (from: string) => from.match(/[a-z]+/g) ?? [];
			expect(toWords(toText(parseBlocks(text)))).toEqual(toWords(text));
		}),
	);
});

it.each(["> ", "- ", "  ", "#", "```\n", "1. ", "a\n", "\n", "***\n", "> - "])(
	"parses 200,000 characters of %j in time linear in it",
	(piece) => {
		parseBlocks(piece.repeat(200_000 / piece.length));
	},
);
