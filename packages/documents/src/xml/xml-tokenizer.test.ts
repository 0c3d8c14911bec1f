import { describe, expect, it } from "vitest";
import { UnreadableError } from "../unreadable-error";
import { createXmlReader } from "./read-xml";

const W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/** Tokens of a file in pieces, as a reader sees them: `<name attribute=value>`, text, `</name>`. */
function read(pieces: readonly string[], repeated: readonly string[] = []): string {
	const seen: string[] = [];
	const reader = createXmlReader({
		open: ({ name, attributes }) =>
			seen.push(
				`<${[name, ...Object.entries(attributes).map(([key, value]) => `${key}=${value}`)].join(" ")}>`,
			),
		close: (name) => seen.push(`</${name}>`),
		text: (text) => seen.push(text),
		isRepeated: (name) => repeated.includes(name),
		repeated: (node) => seen.push(JSON.stringify(node)),
	});
	for (const piece of pieces) reader.write(piece);
	reader.close();
	return seen.join("");
}

function refusal(source: string): string {
	try {
		read([source]);
	} catch (error) {
		if (error instanceof UnreadableError) return error.code;
		throw error;
	}
	return "";
}

describe("XmlTokenizer", () => {
	const source = `\ufeff<?xml version='1.0' encoding="UTF-8" standalone="yes"?>\r\n<!DOCTYPE a PUBLIC "x>y" 'z'><!-- <b> - --><a  b = "1>2" c='"&lt;&#65;\t\r\n'\n><?pi <x?>é😀\r\n&amp;\r<![CDATA[<&]]]><d/>]]&gt;</a >\n<!-- -->\n`;

	it("reads a file the same, wherever its pieces end", () => {
		const whole = '<a b=1>2 c="<A  >é😀\n&\n<&]<d></d>]]></a>';
		expect(read([source])).toBe(whole);
		for (let end = 1; end < source.length; end++)
			expect(read([source.slice(0, end), source.slice(end)]), `cut at ${end}`).toBe(whole);
		expect(read(source.split(""))).toBe(whole);
	});

	it.each([
		["text after the root", "<a/>x"],
		["two roots", "<a/><b/>"],
		["CDATA outside of the root", "<a/><![CDATA[x]]>"],
		["a declaration that is not at the start", ' <?xml version="1.0"?><a/>'],
		["a declaration without a version", '<?xml encoding="UTF-8"?><a/>'],
		["a second document type", "<!DOCTYPE a><!DOCTYPE a><a/>"],
		["other markup", "<!ELEMENT a><a/>"],
		["a comment with two dashes", "<a><!-- -- --></a>"],
		["the end of CDATA in text", "<a>]]></a>"],
		["control characters", "<a>\u0001</a>"],
		["control characters by number", "<a>&#1;</a>"],
		["half of a pair by number", "<a>&#xD800;</a>"],
		["a number that is too large", "<a>&#1114112;</a>"],
		["a sign that begins no reference", "<a>b & c</a>"],
		["an attribute without a value", "<a b/>"],
		["a value without quotes", "<a b=1/>"],
		["attributes without a blank between them", '<a b="1"c="2"/>'],
		["a tag in a value", '<a b="<"/>'],
		["a name that begins with a number", "<1/>"],
		["an end tag of another element", "<a><b></a></b>"],
		["an end tag alone", "</a>"],
		["an end tag with attributes", '<a></a b="1">'],
		["a tag without an end", "<a"],
		["a comment without an end", "<a/><!-- "],
	])("refuses %s", (_, text) => {
		expect(refusal(text)).toBe("unreadable");
	});

	it("takes attributes of any name", () => {
		expect(read(['<a __proto__="1" constructor="2"/>'])).toBe("<a __proto__=1 constructor=2></a>");
	});
});

describe("repeated elements", () => {
	it("gives them whole, as the same object", () => {
		const nodes: object[] = [];
		const reader = createXmlReader({
			isRepeated: (name) => name === "rPr",
			repeated: (node) => nodes.push(node),
		});
		reader.write(`<a xmlns:q="${W}">${'<q:rPr><q:b q:val="1"/>x</q:rPr>'.repeat(2)}</a>`);
		reader.close();
		expect(nodes).toHaveLength(2);
		expect(nodes[0]).toBe(nodes[1]);
		expect(nodes[0]).toMatchObject({ name: "w:rPr", children: [{ name: "w:b" }, "x"] });
	});

	it("reads the same text as another element where its prefix has another meaning", () => {
		const text = "<q:rPr><q:b/></q:rPr>";
		expect(read([`<a xmlns:q="${W}">${text}<c xmlns:q="urn:q">${text}</c></a>`], ["rPr"])).toMatch(
			/"w:rPr".*"q:rPr"/u,
		);
	});

	it("reads one by its parts where it has another of its name in it, or is damaged", () => {
		expect(read(["<a><p><p><b/></p></p></a>"], ["p"])).toBe(
			'<a><p>{"name":"p","attributes":{},"children":[{"name":"b","attributes":{},"children":[]}]}</p></a>',
		);
		expect(() => read(["<a><p><b></p></a>"], ["p"])).toThrow(UnreadableError);
		expect(() => read(["<a><p><u:b/></p></a>"], ["p"])).toThrow(UnreadableError);
	});

	it("counts their elements and levels each time", () => {
		const parse = (text: string, limits: object): void => {
			const reader = createXmlReader({ isRepeated: (name) => name === "p" }, limits);
			reader.write(text);
			reader.close();
		};
		const repeated = "<p><b/></p>".repeat(10);
		expect(() => parse(`<a>${repeated}</a>`, { maxElements: 20 })).toThrow(/20 elements/);
		expect(() => parse(`<a>${repeated}</a>`, { maxElements: 21 })).not.toThrow();
		expect(() => parse(`<a>${repeated}</a>`, { maxDepth: 2 })).toThrow(/2 levels/);
	});
});
