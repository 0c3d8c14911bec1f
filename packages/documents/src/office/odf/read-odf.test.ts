import { describe, expect, it } from "vitest";
import { cutPassages } from "../../passages/cut-passages";
import { readOds } from "../../sheets/read-ods";
import { createZip } from "../../test-support/create-zip";
import { readOdp } from "./read-odp";
import { readOdt } from "./read-odt";

const OASIS = "urn:oasis:names:tc:opendocument:xmlns:";
const NAMESPACES = [
	...["office", "text", "table", "style", "presentation", "meta", "manifest"].map(
		(name) => `xmlns:${name}="${OASIS}${name}:1.0"`,
	),
	`xmlns:draw="${OASIS}drawing:1.0"`,
	`xmlns:svg="${OASIS}svg-compatible:1.0"`,
	'xmlns:dc="http://purl.org/dc/elements/1.1/"',
].join(" ");

const root = (name: string, content: string) => `<office:${name} ${NAMESPACES}>${content}</office:${name}>`;

const STYLES =
	'<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>' +
	'<style:style style:name="Title" style:family="paragraph"/>' +
	'<style:style style:name="P2" style:family="paragraph" style:parent-style-name="Heading_20_2"/>' +
	'<style:style style:name="Heading_20_2" style:family="paragraph" style:default-outline-level="2"/>' +
	'<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style>' +
	'<style:style style:name="ring" style:parent-style-name="ring"/>' +
	'<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>' +
	'<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")" text:display-levels="2"/></text:list-style>' +
	'<text:list-style style:name="L2"><text:list-level-style-bullet text:level="1"/></text:list-style>';

function odf(kind: string, body: string, more: Record<string, string> = {}): Buffer {
	const content = `<office:automatic-styles>${STYLES}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body>`;
	return createZip({
		mimetype: `application/vnd.oasis.opendocument.${kind}`,
		"content.xml": root("document-content", content),
		...more,
	});
}

const odt = (body: string, more?: Record<string, string>) => odf("text", body, more);
const p = (text: string, style = "") => `<text:p text:style-name="${style}">${text}</text:p>`;
const textOf = async (body: string) => (await readOdt(odt(body))).text;
const passagesOf = async (bytes: Buffer, read = readOdt) =>
	cutPassages({ document_id: "d", title: "T", path: "a" }, await read(bytes)).map(
		({ text, place }) => [place.slide, place.heading, text] as const,
	);

describe("readOdt", () => {
	it("finds headings by their level and by their styles, and the title", async () => {
		const body =
			p("Fees", "P1") +
			'<text:h text:outline-level="1">Shipping</text:h>' +
			p("Text") +
			`<text:section>${p("Abroad", "P2")}${p("9 €", "ring")}</text:section>`;
		expect(await passagesOf(odt(body))).toEqual([
			[undefined, "Shipping", "Text"],
			[undefined, "Shipping › Abroad", "9 €"],
		]);
		const meta = root("document-meta", "<office:meta><dc:title>Manual</dc:title></office:meta>");
		expect((await readOdt(odt(p("Text"), { "meta.xml": meta }))).title).toBe("Manual");
	});

	it("numbers lists, continues them, and keeps them with the paragraph that announces them", async () => {
		const inner = `<text:list><text:list-item>${p("aa")}</text:list-item><text:list-item>${p("bb")}</text:list-item></text:list>`;
		const body =
			p("Steps:") +
			`<text:list text:style-name="L1"><text:list-item>${p("one")}${inner}</text:list-item><text:list-item>${p("two")}${p("more")}</text:list-item></text:list>` +
			p("Then") +
			`<text:list text:style-name="L1" text:continue-numbering="true"><text:list-item>${p("three")}</text:list-item></text:list>` +
			p("And") +
			`<text:list text:style-name="L2"><text:list-item>${p("dot")}</text:list-item></text:list>`;
		expect(await textOf(body)).toBe(
			"Steps:\n1. one\n  1.a) aa\n  1.b) bb\n2. two\nmore\n\nThen\n\n3. three\n\nAnd\n\n- dot",
		);
	});

	it("reads tables with their header and merged cells", async () => {
		const cell = (text: string, attributes = "") =>
			`<table:table-cell ${attributes}>${p(text)}</table:table-cell>`;
		const body =
			"<table:table><table:table-column/><table:table-header-rows><table:table-row>" +
			`${cell("Zone")}${cell("Fee", 'table:number-columns-spanned="2"')}<table:covered-table-cell/></table:table-row></table:table-header-rows>` +
			`<table:table-row>${cell("EU", 'table:number-rows-spanned="2"')}${cell("1 kg")}${cell("4 €")}</table:table-row>` +
			`<table:table-row><table:covered-table-cell/>${cell("5 kg")}${cell("9 €")}</table:table-row></table:table>`;
		const { text, parts } = await readOdt(odt(body));
		expect(text).toBe("Zone | Fee | Fee\nEU | 1 kg | 4 €\nEU | 5 kg | 9 €");
		expect(parts).toMatchObject([{ lead: "Zone | Fee | Fee" }]);
	});

	it("leaves out deletions, comments, hidden text and tables of contents, and adds boxes and notes", async () => {
		const body =
			`<text:tracked-changes><text:changed-region>${p("deleted")}</text:changed-region></text:tracked-changes>` +
			`<text:table-of-content><text:index-body>${p("Fees 3")}</text:index-body></text:table-of-content>` +
			`<text:section text:display="none">${p("hidden")}</text:section>` +
			p(
				`One\n  <text:span>two</text:span><text:s text:c="3"/>three<text:line-break/>four<text:span text:style-name="T1">x</text:span>` +
					`<office:annotation>${p("comment")}</office:annotation>` +
					`<text:note><text:note-citation>1</text:note-citation><text:note-body>${p("A note.")}</text:note-body></text:note>` +
					`<draw:frame><draw:text-box>${p("In a box")}</draw:text-box></draw:frame>` +
					"<draw:frame><draw:image/><svg:desc>A duck</svg:desc></draw:frame>",
			);
		expect(await textOf(body)).toBe("One two three\nfour A duck\n\n* A note.\n\nIn a box");
	});

	it("keeps a small file small: repeated cells are there once", async () => {
		const repeated = `<table:table-cell table:number-columns-repeated="16384">${p("x".repeat(10_000))}</table:table-cell>`;
		const body = `<table:table>${`<table:table-row table:number-rows-repeated="1048576">${repeated.repeat(2)}</table:table-row>`.repeat(50)}</table:table>`;
		expect((await textOf(body))?.length).toBeLessThan(2_000_000);
	});

	it("says that an encrypted file has a password, and refuses one without content", async () => {
		const manifest = `<manifest:manifest ${NAMESPACES}><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`;
		const encrypted = createZip({ "META-INF/manifest.xml": manifest, "content.xml": Buffer.alloc(9, 200) });
		await expect(readOdt(encrypted)).rejects.toMatchObject({ code: "password_protected" });
		await expect(readOdt(createZip({ a: "b" }))).rejects.toMatchObject({ code: "unreadable" });
		await expect(readOdt(odt("<text:list>".repeat(600)))).rejects.toMatchObject({ code: "too_complex" });
	});
});

describe("a flat file", () => {
	const flat = (kind: string, body: string) =>
		Buffer.from(
			`<?xml version="1.0"?>\n<office:document ${NAMESPACES}><office:meta><dc:title>Fees</dc:title></office:meta>` +
				`<office:styles>${STYLES}</office:styles><office:master-styles><style:master-page><style:header>${p("Header")}</style:header></style:master-page></office:master-styles>` +
				`<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`,
		);

	it("is read as a container is, without headers and footers", async () => {
		expect(await readOdt(flat("text", `${p("Parcels", "P2")}${p("A parcel costs 4 €.")}`))).toMatchObject({
			title: "Fees",
			text: "Parcels\n\nA parcel costs 4 €.",
			parts: [{ kind: "heading" }, { kind: "block" }],
		});
		const slide = `<draw:page><draw:frame presentation:class="title"><draw:text-box>${p("Parcels")}</draw:text-box></draw:frame></draw:page>`;
		expect((await readOdp(flat("presentation", slide))).text).toContain("Parcels");
		const cells = `<table:table table:name="Fees"><table:table-row><table:table-cell office:value-type="string">${p("Parcel")}</table:table-cell></table:table-row></table:table>`;
		expect((await readOds(flat("spreadsheet", cells))).text).toContain("Parcel");
	});

	it("that is cut off is refused", async () => {
		const cut = flat("text", p("A parcel")).subarray(0, -20);
		await expect(readOdt(cut)).rejects.toMatchObject({ code: "unreadable" });
	});
});

describe("readOdp", () => {
	it("reads slides with titles, lists and notes, without what all slides repeat", async () => {
		const frame = (kind: string, content: string) =>
			`<draw:frame presentation:class="${kind}"><draw:text-box>${content}</draw:text-box></draw:frame>`;
		const list = `<text:list text:style-name="L2"><text:list-item>${p("Germany")}</text:list-item></text:list>`;
		const body =
			`<draw:page>${frame("title", p("Fees"))}<presentation:notes>${frame("notes", p("Say hello."))}</presentation:notes></draw:page>` +
			`<draw:page>${frame("outline", list)}${frame("title", p("Countries"))}${frame("footer", p("ACME"))}` +
			`<draw:custom-shape>${p("In a shape")}</draw:custom-shape></draw:page>`;
		expect(await passagesOf(odf("presentation", body), readOdp)).toEqual([
			[1, "Fees", "Say hello."],
			[2, "Countries", "- Germany\n\nIn a shape"],
		]);
		await expect(readOdp(odf("presentation", "<draw:page/>".repeat(5_001)))).rejects.toMatchObject({
			code: "too_complex",
		});
	});
});
