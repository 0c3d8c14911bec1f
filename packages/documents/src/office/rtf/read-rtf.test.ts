import { describe, expect, it } from "vitest";
import { readRtf } from "./read-rtf";

const read = (source: string) => readRtf(Buffer.from(source, "latin1"));
const textOf = (body: string) => read(`{\\rtf1\\ansi ${body}}`).text;

describe("readRtf", () => {
	it("reads paragraphs, escapes and the characters of control words", () => {
		expect(
			textOf(
				"One\\~line\\par\r\n Two \\{braces\\}, a \\ldblquote quote\\rdblquote\\emdash a-\\-b\\_c\\line next\\\n{\\b three}.",
			),
		).toBe("One line\n\nTwo {braces}, a “quote”—a-b-c\nnext\n\nthree.");
	});

	it("decodes by the codepage of the file, by fonts, and Unicode with its fallback", () => {
		const fonts =
			"{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 MS Mincho;}}";
		expect(textOf(`\\ansicpg1252\\deff0${fonts}caf\\'e9 {\\f1\\'cc\\'e8\\'f0} {\\f2\\'8a\\'bf\\'83A}`)).toBe(
			"café Мир 漢ア",
		);
		expect(textOf("\\ansicpg1251 \\'cc\\'e8\\'f0")).toBe("Мир");
		expect(textOf("\\u8364?5 \\uc2\\u26085\\'93\\'fa{\\uc0\\u26412}\\u-10179??\\u-8704??")).toBe("€5 日本😀");
		expect(textOf("{\\upr{ansi}{\\*\\ud{\\u26085?}}}")).toBe("日");
	});

	it("finds headings by outline levels and styles, and the title in the properties", () => {
		const styles =
			"{\\stylesheet{\\ql Normal;}{\\s1\\outlinelevel0 heading 1;}{\\s5\\b Title;}{\\*\\cs10 Default;}}";
		const body = `${styles}{\\info{\\title Manual}{\\author A}}\\pard\\s5 Fees\\par\\pard\\s1 Shipping\\par\\pard 4 \\'80\\par\\pard\\outlinelevel1 Abroad\\par\\pard x\\par`;
		expect(read(`{\\rtf1${body}}`)).toMatchObject({
			title: "Manual",
			parts: [
				{ kind: "heading", level: 1, text: "Fees" },
				{ kind: "heading", level: 2, text: "Shipping" },
				{ text: "4 €" },
				{ kind: "heading", level: 3, text: "Abroad" },
				{ text: "x" },
			],
		});
	});

	it("reads tables with their header and merged cells, and what comes after them", () => {
		const row = (definition: string, ...cells: string[]) =>
			`\\trowd ${definition}\\pard\\intbl ${cells.map((text) => `${text}\\cell `).join("")}\\row `;
		const body =
			row("\\trhdr\\cellx1\\clmgf\\cellx2\\clmrg\\cellx3", "Zone", "Fee", "") +
			row("\\clvmgf\\cellx1\\cellx2\\cellx3", "EU", "1 kg", "4\\par euro") +
			row("\\clvmrg\\cellx1\\cellx2\\cellx3", "", "5 kg", "9");
		const { text, parts } = read(`{\\rtf1 ${body}\\pard after\\par}`);
		expect(text).toBe("Zone | Fee | Fee\nEU | 1 kg | 4 euro\nEU | 5 kg | 9\n\nafter");
		expect(parts[0]).toMatchObject({ lead: "Zone | Fee | Fee" });
	});

	it("reads lists with the marks that the file has for them, and notes after their paragraph", () => {
		const body =
			"Steps:\\par{\\listtext 1.\\tab}\\ls1\\ilvl0 one\\par{\\listtext a)\\tab}\\ilvl1 two{\\footnote A note.}\\par\\pard end\\par" +
			"{\\pntext\\f3\\'B7\\tab}\\ls2 dot\\par";
		expect(textOf(body)).toBe("Steps:\n1. one\n  a) two\n\n* A note.\n\nend\n\n- dot");
	});

	it("leaves out hidden and deleted text, headers, pictures, field codes, and what readers may skip", () => {
		const body =
			"{\\header head}{\\footer foot}{\\v hidden}{\\deleted gone}\\v more\\v0 {\\pict\\pngblip 89504e47}{\\*\\unknown x}" +
			'{\\field{\\*\\fldinst HYPERLINK "http://a"}{\\fldrslt link}} text{\\pict\\bin4 }}}}} end';
		expect(textOf(body)).toBe("link text end");
	});

	it("refuses what is no RTF and what is nested too deeply, and reads what is cut off", () => {
		expect(() => read("text")).toThrow(/not RTF/);
		expect(() => read(`{\\rtf1${"{".repeat(1e6)}`)).toThrow(/nested/);
		expect(read("{\\rtf1 cut off\\par in the mid").text).toBe("cut off\n\nin the mid");
		expect(read(`{\\rtf1 ${"}".repeat(1e5)}`).parts).toEqual([]);
	});

	it("refuses a table of too many cells", () => {
		const source = `{\\rtf1\\trowd ${"a\\cell b\\cell\\row ".repeat(250_001)}}`;
		expect(() => read(source)).toThrow(expect.objectContaining({ code: "too_complex" }));
	});

	it("ends for every damaged byte", () => {
		const source =
			"{\\rtf1\\ansicpg932{\\fonttbl{\\f0\\fcharset128 x;}}\\trowd\\cellx1 a\\cell b\\cell\\row\\f0\\'8a\\u26085?{\\footnote n}\\par}";
		for (let index = 6; index < source.length; index++)
			for (const byte of ["{", "}", "\\", "\xff"])
				read(source.slice(0, index) + byte + source.slice(index + 1));
	});
});
