import { describe, expect, it } from "vitest";
import { UnreadableError } from "../unreadable-error";
import { readXml } from "./read-xml";
import type { XmlElement } from "./xml-element";
import { findChild, listDescendants, parseXml, readXmlParts, textOf } from "./xml-tree";

const W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main";

function refusal(source: string | Uint8Array, limits = {}): string {
	try {
		readXml(Buffer.from(source), {}, limits);
	} catch (error) {
		if (error instanceof UnreadableError) return `${error.code}: ${error.message}`;
		throw error;
	}
	return "";
}

describe("readXml", () => {
	it("gives elements the usual prefix of their namespace", () => {
		const elements: XmlElement[] = [];
		readXml(
			Buffer.from(
				`<q:p xmlns:q="${W}" xmlns:s="${STRICT}" plain="1" q:val="2"><s:t/><p xmlns="${W}"/><o:x xmlns:o="urn:other"/></q:p>`,
			),
			{ open: (element) => elements.push(element) },
		);
		expect(elements.map(({ name }) => name)).toEqual(["w:p", "w:t", "w:p", "o:x"]);
		expect({ ...elements[0]?.attributes }).toMatchObject({ plain: "1", "w:val": "2" });
	});

	it("reads a prefix as the element around it declares it, up to its end", () => {
		const names: string[] = [];
		const text = `<a xmlns="${W}" xmlns:x="${STRICT}"><x:b><x:b xmlns:x="urn:other" xmlns=""><c/></x:b><x:b/></x:b></a>`;
		readXml(Buffer.from(text), {
			open: ({ name }) => names.push(name),
			close: (name) => names.push(`/${name}`),
		});
		expect(names.join(" ")).toBe("w:a w:b x:b c /c /x:b w:b /w:b /w:b /w:a");
	});

	it("reads the five entities, characters by number, and CDATA", () => {
		expect(
			textOf(parseXml(Buffer.from("<a>&lt;&amp;&gt;&quot;&apos;&#65;&#x1F600;<![CDATA[<b>&amp;]]></a>"))),
		).toBe("<&>\"'A😀<b>&amp;");
	});

	it.each([
		["UTF-8 with a mark", Buffer.from("\ufeff<a>é</a>")],
		["UTF-16LE with a mark", Buffer.from("\ufeff<a>é</a>", "utf16le")],
		["UTF-16LE without one", Buffer.from("<a>é</a>", "utf16le")],
		["UTF-16BE", Buffer.from("\ufeff<a>é</a>", "utf16le").swap16()],
		["Latin-1", Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', "latin1")],
		[
			"Shift_JIS",
			Buffer.from([
				...Buffer.from('<?xml version="1.0" encoding="shift_jis"?><a>'),
				0x8a,
				0xbf,
				...Buffer.from("</a>"),
			]),
		],
	])("decodes %s", (_, bytes) => {
		expect(textOf(parseXml(bytes))).toMatch(/^[é漢]$/);
	});

	it("decodes characters that stand across the pieces in which it reads", () => {
		const text = "日".repeat(100_000);
		expect(textOf(parseXml(Buffer.from(`<a>x${text}</a>`)))).toBe(`x${text}`);
	});

	it.each([
		["entities that grow", '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>'],
		["an external entity", '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
		["parameter entities", '<!DOCTYPE a [<!ENTITY % b SYSTEM "http://127.0.0.1/">%b;]><a/>'],
		["an undeclared entity", "<a>&b;</a>"],
		["an open element", "<a><b></a>"],
		["text alone", "text"],
		["nothing", ""],
		["an undeclared prefix", "<w:p/>"],
		["an undeclared prefix of an attribute", '<p w:val="1"/>'],
		["a prefix after the element that declares it", `<a><b xmlns:w="${W}"/><w:p/></a>`],
		["an attribute that is there twice", '<p a="1" a="2"/>'],
		[
			"an attribute that is there twice, by two prefixes of another name",
			`<p xmlns:v="${W}" xmlns:u="${W}" v:a="1" u:a="2"/>`,
		],
		["a name of three parts", `<a:b:c xmlns:a="${W}"/>`],
		["an unknown encoding", '<?xml version="1.0" encoding="x-none"?><a/>'],
		["bytes", Buffer.alloc(100, 0x80)],
	])("refuses %s", (_, source) => {
		expect(refusal(source)).toMatch(/^unreadable: its XML /);
	});

	it("accepts a document type that declares nothing", () => {
		expect(
			refusal('<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://127.0.0.1:1/ncx.dtd"><ncx/>'),
		).toBe("");
	});

	it("refuses what is nested too deeply or has too many elements", () => {
		expect(refusal("<a>".repeat(1e6))).toMatch(/^too_complex: .*levels deep/);
		expect(refusal(`<a>${"<b/>".repeat(100)}</a>`, { maxElements: 100 })).toMatch(
			/^too_complex: .*100 elements/,
		);
		expect(refusal("<a><b/></a>", { maxDepth: 1 })).toMatch(/^too_complex: /);
	});
});

describe("readXmlParts", () => {
	it("gives parts whole, one after the other, and the elements around them", () => {
		const seen: string[] = [];
		readXmlParts(Buffer.from("<a>x<p>1<p>2</p></p><s><p><i>3</i></p></s></a>"), {
			isPart: ({ name }) => name === "p",
			onPart: (node) => seen.push(textOf(node)),
			open: ({ name }) => seen.push(`<${name}>`),
			close: (name) => seen.push(`</${name}>`),
		});
		expect(seen).toEqual(["<a>", "12", "<s>", "3", "</s>", "</a>"]);
	});

	it("gives trees in which elements are found by name", () => {
		const root = parseXml(Buffer.from("<a><b>1</b><c><b>2<b>3</b></b></c></a>"));
		expect(textOf(findChild(root, "b"))).toBe("1");
		expect(listDescendants(root, "b").map(textOf)).toEqual(["1", "23", "3"]);
	});
});
