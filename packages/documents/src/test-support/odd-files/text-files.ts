import { encodeText } from "./encoded-files";
import { NO_TEXT, type OddFile, type Oddities, SENTENCE, toOddFiles, UNREADABLE } from "./odd-file";

const LONG_LINE = "A line that does not end. ".repeat(4_000);
/** Content that a file of any text format may have instead. */
const EMPTY: Oddities = {
	empty: ["", NO_TEXT],
	blank: [" \n\t\n\u00a0\n", NO_TEXT],
	"random-bytes": [
		Uint8Array.from({ length: 4_000 }, (_, index) => (index * 7_919 + (index >> 3) * 104_729) & 255),
		UNREADABLE,
	],
	"bytes-of-a-program": [Buffer.from(`\x7fELF\x02\x01\x01${"\0".repeat(900)}${SENTENCE}`), UNREADABLE],
};

const MARKDOWN: Oddities = {
	"front-matter": `---\ntitle: Fees\n---\n${SENTENCE}\n`,
	"front-matter-without-end": `---\ntitle: Fees\n\n${SENTENCE}\n`,
	"code-without-end": `# Fees\n\n\`\`\`sh\n${SENTENCE}\n`,
	"quotes-in-quotes": `${"> ".repeat(40)}${SENTENCE}\n`,
	"lists-in-lists": `${Array.from({ length: 30 }, (_, depth) => `${"  ".repeat(depth)}- item`).join("\n")}\n\n${SENTENCE}\n`,
	"table-without-edges": `Parcel | Fee\n--- | ---\n${SENTENCE} | 4\n`,
	"table-of-one-column": `| Fee |\n|---|\n| ${SENTENCE} |\n`,
	"html-within": `<details><summary>Fees</summary>\n\n${SENTENCE}\n\n</details>\n`,
	"comment-alone": ["<!-- nothing -->\n", NO_TEXT],
	"long-line": `${LONG_LINE}${SENTENCE}\n`,
	"emphasis-everywhere": `${"*_".repeat(200)} ${SENTENCE}\n`,
	"title-alone": [`# ${SENTENCE}\n`, NO_TEXT],
	"links-that-lead-nowhere": `[Fees][none] ![](x.png) [](y)\n\n${SENTENCE}\n`,
};

const HTML: Oddities = {
	"no-tags": SENTENCE,
	"declared-encoding": Buffer.from(
		`<meta charset="iso-8859-15"><p>${SENTENCE.replace("€", "\xa4")}`,
		"latin1",
	),
	"wrongly-declared-encoding": `\ufeff<meta charset="koi8-r"><p>${SENTENCE}`,
	entities: "<p>A parcel to K&ouml;ln costs&#32;4&#x20;&euro;.",
	"entities-without-end": "<p>A parcel to K&oumlln costs 4 &euro;.",
	"tags-without-end": `<html><body><div><p>${SENTENCE}<td><li><span`,
	"tables-in-tables": `${"<table><tr><td>".repeat(20)}${SENTENCE}`,
	frames: `<frameset><frame src="x"><noframes><p>${SENTENCE}</noframes></frameset>`,
	"scripts-and-styles": `<script>"</p>"</script><style>p{}</style><p>${SENTENCE}</p>`,
	"templates-alone": ["<template><p>Nothing.</p></template><script>1</script>", NO_TEXT],
	svg: `<p>${SENTENCE}</p><svg><text>Picture</text></svg>`,
	"upper-case": `<HTML><BODY><P>${SENTENCE}</P></BODY></HTML>`,
	"words-of-many-tags": `<p>${Array.from(SENTENCE, (character) => `<b>${character}</b>`).join("")}</p>`,
};

const PLAIN: Oddities = {
	"long-line": `${LONG_LINE}${SENTENCE}\n`,
	"form-feeds": `Page\f${SENTENCE}\f`,
	"a-word-a-line": `${SENTENCE}\n\n${"word\n".repeat(5_000)}`,
	"from-right-to-left": `شروط الشحن\n\n${SENTENCE}\n`,
	"characters-of-two-units": `😀👩‍👩‍👧 𝒳\n\n${SENTENCE}\n`,
	"many-blanks": `${SENTENCE}${" ".repeat(100_000)}end`,
};

const RST: Oddities = {
	"title-with-two-lines": `====\nFees\n====\n\n${SENTENCE}\n`,
	"line-shorter-than-title": `Long title\n===\n\n${SENTENCE}\n`,
	directives: `.. note::\n\n   ${SENTENCE}\n`,
	"table-of-lines": `${SENTENCE}\n\n+---+---+\n| a | b |\n+---+---+\n`,
	"code-without-text": `Fees::\n\n    code\n\n${SENTENCE}\n`,
	"line-alone": `====\n\n${SENTENCE}\n`,
};

const ORG: Oddities = {
	title: `#+TITLE: Fees\n${SENTENCE}\n`,
	"stars-alone": `*\n**\n***\n${SENTENCE}\n`,
	"block-without-end": `#+BEGIN_SRC sh\n${SENTENCE}\n`,
	drawers: `* Fees\n:PROPERTIES:\n:ID: x\n:END:\n${SENTENCE}\n`,
	"table-in-it": `| a | b |\n|---+---|\n| 1 | 2 |\n\n${SENTENCE}\n`,
	"headings-of-depth-40": `${"*".repeat(40)} Deep\n${SENTENCE}\n`,
};

const FILES: readonly (readonly [extension: string, text: string, oddities: Oddities])[] = [
	["md", `# Fees\n\nAll of them.\n\n- ${SENTENCE}\n- Others cost more.\n`, MARKDOWN],
	["html", `<title>Fees</title>\n<h1>Fees</h1>\n<p>${SENTENCE}</p>\n<p>Others cost more.</p>\n`, HTML],
	["txt", `Fees\n\n${SENTENCE}\nOthers cost more.\n`, PLAIN],
	["rst", `Fees\n====\n\n${SENTENCE}\nOthers cost more.\n`, RST],
	["org", `* Fees\n${SENTENCE}\n** Others\nThey cost more.\n`, ORG],
];

/** Odd files of Markdown, HTML and plain text. */
export const makeTextFiles = (): readonly OddFile[] =>
	FILES.flatMap(([extension, text, oddities]) => [
		...encodeText(extension, text),
		...toOddFiles(extension, { ...EMPTY, ...oddities }),
	]);
