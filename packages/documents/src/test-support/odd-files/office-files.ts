import { createZip } from "../create-zip";
import { type ContainerFormat, ENCRYPTED_OFFICE_FILE, makeContainerFiles, toList } from "./container-files";
import { NO_TEXT, type OddFile, PASSWORD_PROTECTED, SAYS, SENTENCE, toOddFile } from "./odd-file";

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";
const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main";
const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main";
const SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const toLinks = (type: string, target: string): string =>
	`<Relationships xmlns="${PACKAGE}"><Relationship Id="r1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`;

const DOCX: ContainerFormat = {
	extension: "docx",
	main: "word/document.xml",
	toParts: (text) => ({
		"[Content_Types].xml": "<Types/>",
		"_rels/.rels": toLinks("officeDocument", "word/document.xml"),
		"word/document.xml": `<w:document xmlns:w="${WORD}"><w:body><w:p><w:pPr/><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
	}),
};

const PPTX: ContainerFormat = {
	extension: "pptx",
	main: "ppt/slides/slide1.xml",
	// A slide that is not there says nothing.
	outcomes: { "no-main-part": NO_TEXT },
	toParts: (text) => ({
		"[Content_Types].xml": "<Types/>",
		"_rels/.rels": toLinks("officeDocument", "ppt/presentation.xml"),
		"ppt/presentation.xml": `<p:presentation xmlns:p="${SLIDES}" xmlns:r="${OFFICE}"><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels": toLinks("slide", "slides/slide1.xml"),
		"ppt/slides/slide1.xml": `<p:sld xmlns:p="${SLIDES}" xmlns:a="${DRAWING}"><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
	}),
};

const XLSX: ContainerFormat = {
	extension: "xlsx",
	main: "xl/worksheets/sheet1.xml",
	toParts: (text) => ({
		"[Content_Types].xml": "<Types/>",
		"_rels/.rels": toLinks("officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml": `<workbook xmlns="${SHEETS}" xmlns:r="${OFFICE}"><sheets><sheet name="Fees" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": toLinks("worksheet", "worksheets/sheet1.xml"),
		"xl/worksheets/sheet1.xml": `<worksheet xmlns="${SHEETS}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row></sheetData></worksheet>`,
	}),
};

const OPEN = "urn:oasis:names:tc:opendocument:xmlns";
const SPACES = `xmlns:office="${OPEN}:office:1.0" xmlns:text="${OPEN}:text:1.0" xmlns:table="${OPEN}:table:1.0" xmlns:draw="${OPEN}:drawing:1.0"`;

const toOpenDocument = (
	extension: string,
	kind: string,
	toBody: (text: string) => string,
): ContainerFormat => ({
	extension,
	main: "content.xml",
	toParts: (text) => ({
		mimetype: `application/vnd.oasis.opendocument.${kind}`,
		"META-INF/manifest.xml": `<m:manifest xmlns:m="${OPEN}:manifest:1.0"/>`,
		"content.xml": `<office:document-content ${SPACES}><office:body><office:${kind}>${toBody(text)}</office:${kind}></office:body></office:document-content>`,
	}),
});

const ODT = toOpenDocument("odt", "text", (text) => `<text:p>${text}</text:p>`);
const ODP = toOpenDocument(
	"odp",
	"presentation",
	(text) =>
		`<draw:page draw:name="p1"><draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame></draw:page>`,
);
const ODS = toOpenDocument(
	"ods",
	"spreadsheet",
	(text) =>
		`<table:table table:name="Fees"><table:table-row><table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell></table:table-row></table:table>`,
);

const EPUB: ContainerFormat = {
	extension: "epub",
	main: "book/c1.xhtml",
	// Chapters are read as browsers read pages: nothing about them is an error, and entities are none.
	outcomes: {
		"no-main-part": NO_TEXT,
		"main-part-empty": NO_TEXT,
		"entity-declared": SAYS,
		"xml-cut-off": NO_TEXT,
		"no-xml": SAYS,
	},
	toParts: (text) => ({
		mimetype: "application/epub+zip",
		"META-INF/container.xml": `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book/book.opf"/></rootfiles></container>`,
		"book/book.opf": `<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item id="c1" href="c1.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c1"/></spine></package>`,
		"book/c1.xhtml": `<html xmlns="http://www.w3.org/1999/xhtml"><body><p>${text}</p></body></html>`,
	}),
};

const FORMATS = [DOCX, PPTX, XLSX, ODT, ODP, ODS, EPUB];

/** Odd files of office programs, and books. */
export const makeOfficeFiles = (): readonly OddFile[] => [
	...FORMATS.flatMap(makeContainerFiles),
	...["docx", "pptx", "xlsx"].map((extension) =>
		toOddFile(extension, "password", ENCRYPTED_OFFICE_FILE, PASSWORD_PROTECTED),
	),
	// The name says another format than the content.
	...FORMATS.map(({ extension }, index) => {
		const other = FORMATS[(index + 1) % FORMATS.length] ?? DOCX;
		return toOddFile(extension, `in-truth-${other.extension}`, createZip(toList(other.toParts(SENTENCE))));
	}),
];
