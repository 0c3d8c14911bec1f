import { encodeText } from "./encoded-files";
import {
	NO_TEXT,
	type OddFile,
	type Oddities,
	SAYS,
	SENTENCE,
	TOO_COMPLEX,
	toOddFiles,
	UNREADABLE,
} from "./odd-file";

const ROWS = Array.from({ length: 40 }, (_, index) => [`Name ${index}`, String(index)]);
const toLines = (delimiter: string): string =>
	[["Name", "Note"], ...ROWS, ["Last", SENTENCE]].map((row) => row.join(delimiter)).join("\n");

const CSV: Oddities = {
	semicolons: toLines(";"),
	tabs: toLines("\t"),
	pipes: toLines("|"),
	"says-its-delimiter": `sep=;\n${toLines(";")}`,
	quotes: `Name,Note\n"Ada ""L.""","${SENTENCE}"\n`,
	"lines-in-cells": `Name,Note\n"Ada\nLovelace","Fees\n${SENTENCE}"\n`,
	"quote-without-end": `Name,Note\nAda,"${SENTENCE}\nBob,5\n`,
	"rows-of-other-lengths": `Name,Note\nAda\nBob,5,6,7,8\nEve,${SENTENCE}\n`,
	"one-column": `Note\n${SENTENCE}\nNone\n`,
	"one-row": `Ada,${SENTENCE},5\n`,
	"no-header": `1,2\n3,4\n5,${SENTENCE}\n`,
	"two-hundred-columns": `${Array.from({ length: 200 }, (_, column) => `c${column}`).join(",")}\n${"1,".repeat(199)}${SENTENCE}\n`,
	"empty-rows": `Name,Note\n\n,,\n\nAda,${SENTENCE}\n,,\n`,
	empty: ["", NO_TEXT],
	"delimiters-alone": [",,,\n,,,\n", NO_TEXT],
};

const JSON_FILES: Oddities = {
	text: JSON.stringify(SENTENCE),
	numbers: ["[1, 2.50, -3e99, true, null]", { text: "2.50" }],
	comments: `// Fees\n{"note": "${SENTENCE}", /* last */}`,
	"escaped-characters": '{"note": "A parcel to K\\u00f6ln costs 4 \\u20ac."}',
	"half-a-character": `{"broken": "\\ud83d", "note": "${SENTENCE}"}`,
	"same-key-twice": `{"note": "no", "note": "${SENTENCE}"}`,
	"keys-of-objects": `{"__proto__": {"a": 1}, "constructor": 2, "note": "${SENTENCE}"}`,
	"list-of-records": `[{"name": "Ada", "note": "${SENTENCE}"}, {"name": "Bob"}]`,
	"lines-of-records": `{"note": "${SENTENCE}"}\n{"note": "no"}\n`,
	"ninety-levels": `${'{"a": '.repeat(90)}"${SENTENCE}"${"}".repeat(90)}`,
	"thousand-levels": ["[".repeat(1_000) + "]".repeat(1_000), TOO_COMPLEX],
	"cut-off": ['{"note": "A parcel', UNREADABLE],
	empty: ["", NO_TEXT],
	"empty-values": ['{"a": "", "b": null, "c": [], "d": {}}', NO_TEXT],
};

const YAML: Oddities = {
	text: `${SENTENCE}\n`,
	"documents-in-one": `note: no\n---\nnote: ${SENTENCE}\n...\n`,
	anchors: `a: &a\n  note: ${SENTENCE}\nb: *a\n`,
	"billion-laughs": [
		`a: &a [x, x, x, x, x, x, x, x, x]\n${"bcdefghi"
			.split("")
			.map((key, index) => `${key}: &${key} [${Array(9).fill(`*${"abcdefghi"[index]}`).join(", ")}]`)
			.join("\n")}\n`,
		TOO_COMPLEX,
	],
	tags: `a: !!python/object:os.system ls\nnote: ${SENTENCE}\n`,
	"block-of-text": `note: |\n  Fees\n  ${SENTENCE}\n`,
	"folded-text": "note: >\n  A parcel to Köln\n  costs 4 €.\n",
	tabs: [`a:\n\tnote: ${SENTENCE}\n`, UNREADABLE],
	"same-key-twice": `note: no\nnote: ${SENTENCE}\n`,
	"comments-alone": ["# nothing\n# at all\n", NO_TEXT],
	empty: ["", NO_TEXT],
	"flow-without-end": ["a: [1, 2\n", UNREADABLE],
};

const XML: Oddities = {
	declared: `<?xml version="1.0" encoding="UTF-8"?><fees><note>${SENTENCE}</note></fees>`,
	"declared-latin": Buffer.from(
		`<?xml version="1.0" encoding="windows-1252"?><fees><note>${SENTENCE.replace("€", "\x80")}</note></fees>`,
		"latin1",
	),
	"declared-twice": `<?xml version="1.0"?><fees><?xml-stylesheet href="x"?><note>${SENTENCE}</note></fees>`,
	"character-data": `<fees><![CDATA[${SENTENCE}]]></fees>`,
	attributes: `<fees><fee note="${SENTENCE}"/></fees>`,
	namespaces: `<f:fees xmlns:f="u" xmlns="v"><note>${SENTENCE}</note></f:fees>`,
	entities: [`<!DOCTYPE f [<!ENTITY e "${SENTENCE}">]><f>&e;</f>`, UNREADABLE],
	"outer-entities": ['<!DOCTYPE f [<!ENTITY e SYSTEM "file:///etc/passwd">]><f>&e;</f>', UNREADABLE],
	"billion-laughs": [
		'<!DOCTYPE f [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]><f>&c;</f>',
		UNREADABLE,
	],
	"ninety-levels": `${"<a>".repeat(90)}${SENTENCE}${"</a>".repeat(90)}`,
	"thousand-levels": [`${"<a>".repeat(1_000)}x${"</a>".repeat(1_000)}`, TOO_COMPLEX],
	"cut-off": ["<fees><note>A parcel", UNREADABLE],
	empty: ["<fees><note/></fees>", NO_TEXT],
};

const toNotebook = (cells: readonly unknown[], rest = {}): string =>
	JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells, ...rest }, undefined, 1);

const NOTEBOOK: Oddities = {
	"source-as-lines": toNotebook([{ cell_type: "markdown", source: ["# Fees\n", "\n", SENTENCE] }]),
	code: toNotebook([{ cell_type: "code", source: `# ${SENTENCE}\n1 + 1`, outputs: [] }]),
	outputs: toNotebook([
		{ cell_type: "code", source: "x", outputs: [{ output_type: "stream", text: [SENTENCE] }] },
	]),
	"output-of-data": toNotebook([
		{
			cell_type: "code",
			source: "x",
			outputs: [{ output_type: "execute_result", data: { "text/plain": SENTENCE, "image/png": "AAAA" } }],
		},
	]),
	"unknown-cells": toNotebook([
		{ cell_type: "other", source: 5 },
		{ cell_type: "raw", source: "x" },
		{ cell_type: "markdown", source: SENTENCE },
	]),
	"no-cells": [toNotebook([]), NO_TEXT],
	"empty-cells": [toNotebook([{ cell_type: "markdown", source: [] }]), NO_TEXT],
	"cut-off": [toNotebook([{ cell_type: "markdown", source: SENTENCE }]).slice(0, 60), UNREADABLE],
	"no-notebook": [`["${SENTENCE}"]`, SAYS],
	"thousand-cells": toNotebook(
		Array.from({ length: 1_000 }, () => ({ cell_type: "markdown", source: SENTENCE })),
	),
};

const FILES: readonly (readonly [extension: string, text: string, oddities: Oddities])[] = [
	["csv", `Name,Note\nAda,${SENTENCE}\nBob,Others cost more.\n`, CSV],
	["json", `{"fees": {"note": "${SENTENCE}",\n "others": "more"}}\n`, JSON_FILES],
	["yaml", `fees:\n  note: ${SENTENCE}\n  others: more\n`, YAML],
	["xml", `<fees><note>${SENTENCE}</note>\n<note>Others cost more.</note></fees>\n`, XML],
	["ipynb", `${toNotebook([{ cell_type: "markdown", source: SENTENCE }])}\n`, NOTEBOOK],
];

/** Odd files of tables and data. */
export const makeDataFiles = (): readonly OddFile[] =>
	FILES.flatMap(([extension, text, oddities]) => [
		...encodeText(extension, text),
		...toOddFiles(extension, oddities),
	]);
