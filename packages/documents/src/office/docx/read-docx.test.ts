import { describe, expect, it } from "vitest";
import { cutPassages } from "../../passages/cut-passages";
import { createZip } from "../../test-support/create-zip";
import { readDocx } from "./read-docx";

const NAMESPACES = [
	'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
	'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
	'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
	'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
	'xmlns:v="urn:schemas-microsoft-com:vml"',
].join(" ");
const TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

const part = (name: string, content: string) =>
	`<?xml version="1.0"?><w:${name} ${NAMESPACES}>${content}</w:${name}>`;

/** A Word file of a body, and of other parts by their types. */
function docx(body: string, parts: Record<string, string> = {}, more: Record<string, string> = {}): Buffer {
	const links = Object.keys(parts).map(
		(type) => `<Relationship Id="${type}" Type="${TYPES}/${type}" Target="${type}.xml"/>`,
	);
	const relationships = "http://schemas.openxmlformats.org/package/2006/relationships";
	return createZip({
		"word/document.xml": part("document", `<w:body>${body}</w:body>`),
		"word/_rels/document.xml.rels": `<Relationships xmlns="${relationships}">${links.join("")}</Relationships>`,
		...Object.fromEntries(
			Object.entries(parts).map(([type, content]) => [`word/${type}.xml`, part(type, content)]),
		),
		...more,
	});
}

const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (text: string, properties = "") => `<w:p><w:pPr>${properties}</w:pPr>${run(text)}</w:p>`;
const styled = (style: string, text: string) => p(text, `<w:pStyle w:val="${style}"/>`);
const item = (list: number, level: number, text: string) =>
	p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`);
const cell = (content: string, properties = "") => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
const row = (...cells: string[]) => `<w:tr>${cells.join("")}</w:tr>`;
const table = (...rows: string[]) => `<w:tbl><w:tblPr/>${rows.join("")}</w:tbl>`;

const style = (id: string, name: string, properties = "", basedOn = "") =>
	`<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>` +
	`<w:basedOn w:val="${basedOn}"/><w:pPr>${properties}</w:pPr></w:style>`;

const textOf = async (bytes: Buffer) => (await readDocx(bytes)).text;
const passagesOf = async (bytes: Buffer) =>
	cutPassages({ document_id: "d", title: "T", path: "a.docx" }, await readDocx(bytes)).map(
		({ text, place }) => [place.heading, text] as const,
	);

describe("readDocx", () => {
	it("finds headings by the names of styles in every language, by what these are based on, and by outline levels", async () => {
		const styles =
			style("Titel", "Title") +
			style("berschrift1", "heading 1") +
			style("Kapitel", "Kapitel", "", "berschrift1") +
			style("Klausel", "Klausel", '<w:outlineLvl w:val="1"/>') +
			style("A", "ring", "", "B") +
			style("B", "ring", "", "A");
		const body =
			styled("Titel", "Vertrag") +
			styled("Kapitel", "Kosten") +
			p("Allgemeines") +
			styled("Klausel", "Versand") +
			p("4,90 €") +
			p("Ausland", '<w:outlineLvl w:val="2"/>') +
			styled("A", "9,90 €");
		expect(await passagesOf(docx(body, { styles }))).toEqual([
			["Kosten", "Allgemeines"],
			["Kosten › Versand", "4,90 €"],
			["Kosten › Versand › Ausland", "9,90 €"],
		]);
	});

	it("takes the title from the properties of the file, unless a program wrote it", async () => {
		const core = (title: string) => ({
			"docProps/core.xml":
				'<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ' +
				`xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></cp:coreProperties>`,
		});
		expect((await readDocx(docx(p("Text"), {}, core("Fees &amp; taxes")))).title).toBe("Fees & taxes");
		expect((await readDocx(docx(p("Text"), {}, core("Microsoft Word - Dok1.doc")))).title).toBeUndefined();
		expect((await readDocx(docx(p("Text"), {}, { "docProps/core.xml": "<broken" }))).title).toBeUndefined();
	});

	it("numbers lists and headings as Word does, and keeps a list with the paragraph that announces it", async () => {
		const level = (index: number, format: string, text: string) =>
			`<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
		const numbering =
			`<w:abstractNum w:abstractNumId="7">${level(0, "decimal", "%1.")}${level(1, "lowerLetter", "%1.%2)")}</w:abstractNum>` +
			`<w:abstractNum w:abstractNumId="8">${level(0, "bullet", "")}</w:abstractNum>` +
			'<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>' +
			'<w:num w:numId="3"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="4"/></w:lvlOverride></w:num>';
		const body =
			p("You need:") +
			item(1, 0, "a pass") +
			item(1, 1, "valid") +
			item(1, 1, "signed") +
			item(1, 0, "a form") +
			p("And") +
			item(2, 0, "time") +
			p("Then") +
			item(3, 0, "wait") +
			item(0, 0, "no list");
		expect(await textOf(docx(body, { numbering }))).toBe(
			"You need:\n1. a pass\n  1.a) valid\n  1.b) signed\n2. a form\n\nAnd\n\n- time\n\nThen\n\n4. wait\n\nno list",
		);
	});

	it("reads tables with their header, and merged cells in each of their rows and columns", async () => {
		const body = table(
			`<w:tr><w:trPr><w:tblHeader/></w:trPr>${cell(p("Zone"))}${cell(p("Fees"), '<w:gridSpan w:val="2"/>')}</w:tr>`,
			row(cell(p("EU"), '<w:vMerge w:val="restart"/>'), cell(p("1 kg")), cell(p("4 €"))),
			row(cell(p(""), "<w:vMerge/>"), cell(p("5 kg")), cell(p("two") + p("lines"))),
			`<w:tr><w:trPr><w:del/></w:trPr>${cell(p("deleted"))}</w:tr>`,
		);
		const { parts, text } = await readDocx(docx(body));
		expect(text).toBe("Zone | Fees | Fees\nEU | 1 kg | 4 €\nEU | 5 kg | two lines");
		expect(parts).toMatchObject([{ lead: "Zone | Fees | Fees", splitAt: "line" }]);
	});

	it("keeps all cells of a wide table", async () => {
		const cells = (from: number) => Array.from({ length: 150 }, (_, index) => cell(p(String(from + index))));
		const text = await textOf(docx(table(row(...cells(0)), row(...cells(200)))));
		expect(text).toMatch(/ \| 149\n200 \| .* \| 349$/u);
	});

	it("takes a first row of names for a header, but not one of numbers", async () => {
		const rows = (...first: string[]) =>
			docx(table(row(...first.map((text) => cell(p(text)))), row(cell(p("1")), cell(p("2")))));
		expect((await readDocx(rows("Size", "Fee"))).parts).toMatchObject([{ lead: "Size | Fee" }]);
		expect((await readDocx(rows("1", "2"))).parts[0]).not.toMatchObject({ lead: "1 | 2" });
	});

	it("reads a table of one column as text, and a table in a cell as rows in it", async () => {
		const inner = table(row(cell(p("a")), cell(p("b"))), row(cell(p("c")), cell(p("d"))));
		expect(await textOf(docx(table(row(cell(p("Note")))) + table(row(cell(inner), cell(p("x"))))))).toBe(
			"Note\n\na, b; c, d | x",
		);
	});

	it("reads the final text of tracked changes, without hidden text and field codes", async () => {
		const body =
			`<w:p>${run("Pay ")}<w:del><w:r><w:delText>10</w:delText></w:r></w:del><w:ins>${run("12")}</w:ins>` +
			`<w:moveFrom>${run("old place")}</w:moveFrom>${run(" €")}` +
			"<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>" +
			'<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>PAGE</w:instrText><w:fldChar w:fldCharType="separate"/></w:r>' +
			`<w:hyperlink>${run(" here")}</w:hyperlink><w:r><w:tab/><w:t>now</w:t><w:br/><w:t>or later</w:t></w:r></w:p>` +
			`<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>${run("One ")}</w:p>${p("sentence.")}`;
		expect(await textOf(docx(body))).toBe("Pay 12 € here now\nor later\n\nOne sentence.");
	});

	it("reads text boxes once, footnotes after their paragraph, and no table of contents", async () => {
		const box = `<w:txbxContent>${p("In a box")}</w:txbxContent>`;
		const body =
			styled("TOC1", "Fees 3") +
			`<w:p>${run("Text")}<w:r><w:footnoteReference w:id="2"/></w:r><w:r><mc:AlternateContent><mc:Choice Requires="wps">${box}` +
			`</mc:Choice><mc:Fallback><v:textbox>${box}</v:textbox></mc:Fallback></mc:AlternateContent></w:r></w:p>` +
			`<w:sdt><w:sdtContent>${p("In a control")}</w:sdtContent></w:sdt>` +
			'<w:p><w:r><wp:docPr descr="A chart of&#10; fees"/></w:r><m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath></w:p>';
		const footnotes =
			`<w:footnote w:id="0" w:type="separator">${p("---")}</w:footnote>` +
			`<w:footnote w:id="2">${p("Since 2020.")}</w:footnote>`;
		expect(await textOf(docx(body, { footnotes }))).toBe(
			"Text\n\n* Since 2020.\n\nIn a box\n\nIn a control\n\nA chart of fees x=1",
		);
	});

	it("keeps a small file small: what a file says once is not repeated without bounds", async () => {
		const long = "long ".repeat(20_000);
		const span = '<w:gridSpan w:val="999999999"/>';
		const rows = [
			...Array.from(
				{ length: 500 },
				() => `<w:tr><w:trPr><w:tblHeader/></w:trPr>${cell(p("Name"), span)}</w:tr>`,
			),
			row(cell(p(long), '<w:vMerge w:val="restart"/>'), cell(p("x"), span)),
			...Array.from({ length: 500 }, () => row(cell(p(""), "<w:vMerge/>"), cell(p("y")))),
		];
		const note = '<w:r><w:footnoteReference w:id="1"/></w:r>';
		const mark = `<w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="${long}"/></w:lvl>`;
		const numbering =
			`<w:abstractNum w:abstractNumId="1">${mark}</w:abstractNum>` +
			'<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>';
		const items = Array.from({ length: 500 }, () => item(1, 0, "item")).join("");
		const body = `${table(...rows)}<w:p>${run("Text")}${note.repeat(500)}</w:p>${items}`;
		const footnotes = `<w:footnote w:id="1">${p(long)}</w:footnote>`;
		const { text = "" } = await readDocx(docx(body, { footnotes, numbering }));
		expect(text).toContain("Name | Name");
		expect(text.length).toBeLessThan(600_000);
	});

	it.each([
		["no main part", createZip({ "[Content_Types].xml": "<a/>" }), "unreadable"],
		["entities", docx("").subarray(0, 30), "unreadable"],
		["paragraphs without an end", createZip({ "word/document.xml": "<w:p>" }), "unreadable"],
		[
			"an XML bomb",
			createZip({ "word/document.xml": '<!DOCTYPE a [<!ENTITY b "bb">]><a>&b;</a>' }),
			"unreadable",
		],
		["boxes in boxes", docx(`<w:p>${"<w:r>".repeat(600)}${"</w:r>".repeat(600)}</w:p>`), "too_complex"],
	])("refuses %s", async (_, bytes, code) => {
		await expect(readDocx(bytes)).rejects.toMatchObject({ code });
	});

	it("has a code for damaged parts", async () => {
		const whole = part("document", `<w:body>${p("Text")}${table(row(cell(p("a")), cell(p("b"))))}</w:body>`);
		for (let end = 0; end < whole.length; end += 7)
			await readDocx(createZip({ "word/document.xml": whole.slice(0, end) })).then(
				() => expect.unreachable(),
				(error) => expect(error).toMatchObject({ code: "unreadable" }),
			);
	});
});
