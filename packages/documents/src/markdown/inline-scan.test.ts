import { GFM, parser } from "@lezer/markdown";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inlineScan } from "./inline-scan";

const plain = parser.configure([GFM]);
const scanning = parser.configure([GFM, inlineScan]);

const toTree = (markdown: typeof plain, text: string): string[] => {
	const nodes: string[] = [];
	markdown.parse(text).iterate({ enter: ({ name, from, to }) => void nodes.push(`${name} ${from}-${to}`) });
	return nodes;
};

describe("inlineScan", () => {
	it("changes nothing of what is found in a paragraph", () => {
		const piece = fc.constantFrom(
			...["a", "word", "x_y", " ", "  ", "   \n", "\n", "*", "**", "_", "~~", "`", "[", "](u)", "]", "!["],
			...[
				"<b>",
				"<",
				"&amp;",
				"&",
				"\\*",
				"\\\n",
				"\\",
				"www.a.com",
				"http://a.b/c_d*e",
				"https://",
				"xmpp:",
			],
			...[
				"mailto:a@b.cc",
				"me@x.org",
				"a.b+c@",
				"@",
				"1@2",
				"é@é",
				"日本",
				"😀",
				"httpx",
				"www",
				"| a |",
				"# ",
			],
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
				const text = pieces.join("");
				expect(toTree(scanning, text)).toEqual(toTree(plain, text));
			}),
			{ numRuns: 500 },
		);
	});

	it("takes marks as text beyond the limit of one paragraph, and begins again in the next", () => {
		const found = toTree(scanning, `${"*a* ".repeat(2_000)}\n\n*b*`).filter((node) =>
			/^Emphasis /.test(node),
		);
		expect(found).toHaveLength(501);
	});
});
