import { utils, write } from "@e965/xlsx";
import { makePdf } from "../pdf/test-support/make-pdf";
import type { UploadContent } from "../upload-content";
import { createZip } from "./create-zip";

/** A file whose passages have places. */
export interface PlaceFile {
	readonly name: string;
	readonly format: UploadContent["format"];
	readonly bytes: Uint8Array;
}

/** Mulberry32: the same numbers for a seed, from 0 to before 1. */
export function createRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		const more = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((more ^ (more >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** Makes a small file of each format that has places, of words that occur once. */
export async function makePlaceFiles(random: () => number): Promise<readonly PlaceFile[]> {
	let word = 0;
	const toWord = (): string => {
		word += 1;
		return `w${word}${Math.floor(random() * 1e6).toString(36)}`;
	};
	const toText = (words = 30 + Math.floor(random() * 120)): string =>
		`${Array.from({ length: words }, toWord).join(" ")}.`;
	// Four decimals: of more, programs round the last one they show differently.
	const toFee = (): number => Math.floor(random() * 1e9) / 1e4;
	const toRows = () => [
		["Name", "City", "Fee"],
		...Array.from({ length: 100 + Math.floor(random() * 60) }, () => [toWord(), toWord(), toFee()]),
	];
	const toBook = (bookType: "xlsx" | "ods" | "csv", sheets: number): Uint8Array => {
		const book = utils.book_new();
		for (let sheet = 1; sheet <= sheets; sheet++)
			utils.book_append_sheet(
				book,
				utils.sheet_add_aoa({}, toRows(), { origin: { r: sheet, c: 2 } }),
				`Sheet ${sheet}`,
			);
		const file: unknown = write(book, { type: "buffer", bookType });
		if (!Buffer.isBuffer(file)) throw new Error("not a file");
		return file;
	};
	const paragraphs = (count: number): string[] => Array.from({ length: count }, () => toText());
	return [
		{ name: "columns.pdf", format: "pdf", bytes: await makePages(() => toText(), 2) },
		{ name: "wide.pdf", format: "pdf", bytes: await makePages(() => toText(), 1) },
		{ name: "fees.xlsx", format: "xlsx", bytes: toBook("xlsx", 3) },
		{ name: "fees.ods", format: "ods", bytes: toBook("ods", 2) },
		{ name: "fees.csv", format: "csv", bytes: toBook("csv", 1) },
		{ name: "slides.pptx", format: "pptx", bytes: makeSlides(paragraphs(16)) },
		{ name: "book.epub", format: "epub", bytes: makeBook(Array.from({ length: 8 }, () => paragraphs(4))) },
		{
			name: "notes.md",
			format: "markdown",
			bytes: Buffer.from(
				paragraphs(16)
					.map((text, index) => `## Part ${index}\n\n${text}`)
					.join("\n\n"),
			),
		},
	];
}

/** Pages of paragraphs in columns. */
const makePages = (toText: () => string, columns: 1 | 2): Promise<Uint8Array> =>
	makePdf(
		(pdf) => {
			const width = columns === 1 ? 440 : 210;
			for (let page = 0; page < 16; page++) {
				pdf.addPage();
				for (let column = 0; column < columns; column++) {
					pdf.fontSize(10).text("", 60 + column * 240, 80);
					for (let paragraph = 0; paragraph < 3; paragraph++) pdf.text(toText(), { width }).moveDown(1.5);
				}
			}
		},
		{ autoFirstPage: false },
	);

const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main";
const PRESENTATION = "http://schemas.openxmlformats.org/presentationml/2006/main";
const LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** Slides whose files are numbered the other way round. */
function makeSlides(texts: readonly string[]): Uint8Array {
	const toName = (index: number): string => `slides/slide${texts.length - index}.xml`;
	const slides = texts.map((text, index) => [
		`ppt/${toName(index)}`,
		`<p:sld xmlns:p="${PRESENTATION}" xmlns:a="${DRAWING}"><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr>` +
			`<p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
	]);
	const links = texts.map(
		(_, index) => `<Relationship Id="r${index}" Type="${LINKS}/slide" Target="${toName(index)}"/>`,
	);
	const ids = texts.map((_, index) => `<p:sldId id="${256 + index}" r:id="r${index}"/>`);
	return createZip({
		...Object.fromEntries(slides),
		"ppt/presentation.xml": `<p:presentation xmlns:p="${PRESENTATION}" xmlns:r="${LINKS}"><p:sldIdLst>${ids.join("")}</p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links.join("")}</Relationships>`,
	});
}

/** Book of chapters, each with its paragraphs. */
function makeBook(chapters: readonly (readonly string[])[]): Uint8Array {
	const items = chapters.map(
		(_, index) => `<item id="c${index}" href="text/c${index}.xhtml" media-type="application/xhtml+xml"/>`,
	);
	const links = chapters.map(
		(_, index) => `<li><a href="text/c${index}.xhtml">Chapter ${index + 1}</a></li>`,
	);
	const spine = chapters.map((_, index) => `<itemref idref="c${index}"/>`);
	return createZip({
		mimetype: "application/epub+zip",
		"META-INF/container.xml":
			'<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
		"OEBPS/book.opf": `<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${items.join("")}</manifest><spine>${spine.join("")}</spine></package>`,
		"OEBPS/nav.xhtml": `<html xmlns="http://www.w3.org/1999/xhtml"><body><nav><ol>${links.join("")}</ol></nav></body></html>`,
		...Object.fromEntries(
			chapters.map((texts, index) => [
				`OEBPS/text/c${index}.xhtml`,
				`<html xmlns="http://www.w3.org/1999/xhtml"><body>${texts.map((text) => `<p>${text}</p>`).join("")}</body></html>`,
			]),
		),
	});
}
