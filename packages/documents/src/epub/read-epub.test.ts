import { describe, expect, it } from "vitest";
import { findFormat } from "../document-format";
import { parseDocument } from "../parse-document";
import { cutPassages } from "../passages/cut-passages";
import { findTitle } from "../passages/sections";
import { createZip } from "../test-support/create-zip";

const CONTAINER = `<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">
	<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`;

const OPF = `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">
	<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Handbook</dc:title></metadata>
	<manifest>
		<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
		<item id="two" href="text/second%20one.xhtml" media-type="application/xhtml+xml"/>
		<item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/>
		<item id="more" href="text/more.xhtml" media-type="application/xhtml+xml"/>
		<item id="lost" href="text/lost.xhtml" media-type="application/xhtml+xml"/>
		<item id="cover" href="cover.png" media-type="image/png"/>
	</manifest>
	<spine><itemref idref="cover"/><itemref idref="nav"/><itemref idref="one"/><itemref idref="more"/><itemref idref="two"/><itemref idref="lost"/></spine>
	</package>`;

const NAV = `<html xmlns="http://www.w3.org/1999/xhtml"><body><nav><ol>
	<li><a href="text/one.xhtml#start">Chapter 1: <i>Parcels</i></a></li><li><a href="text/second%20one.xhtml">Chapter 2</a></li>
	</ol></nav></body></html>`;

const page = (body: string): string =>
	`<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/></head><body>${body}</body></html>`;

const BOOK = {
	mimetype: "application/epub+zip",
	"META-INF/container.xml": CONTAINER,
	"OEBPS/book.opf": OPF,
	"OEBPS/nav.xhtml": NAV,
	"OEBPS/text/one.xhtml": page("<h1>Parcels</h1><p>They go back within 14 days.</p>"),
	"OEBPS/text/more.xhtml": page("<p>In full.</p>"),
	"OEBPS/text/second one.xhtml": page("<p>A parcel costs 4 €.<a id='x'/></p>"),
};

const parse = (files: Readonly<Record<string, string | Uint8Array>>, name = "a.epub") => {
	const format = findFormat(name);
	if (format === undefined) throw new Error(name);
	return parseDocument(createZip(files), format);
};

describe("a book (EPUB)", () => {
	it("is its chapters in the order of the spine, under its own title", async () => {
		for (const name of ["a.epub", "a.txt"]) {
			const parsed = await parse(BOOK, name);
			expect(findTitle(parsed, name)).toBe("The Handbook");
			const passages = cutPassages({ document_id: "doc_1", title: "", path: name }, parsed);
			expect(passages.map(({ text, place: { chapter, heading } }) => [chapter, heading, text])).toEqual([
				["Chapter 1: Parcels", "Parcels", "They go back within 14 days.\n\nIn full."],
				["Chapter 2", "Chapter 2", "A parcel costs 4 €."],
			]);
		}
	});

	it("is refused where its chapters are encrypted, and read where its fonts are obfuscated", async () => {
		const encryption = (algorithm: string, path: string) => ({
			...BOOK,
			"META-INF/encryption.xml": `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#">
				<enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/><enc:CipherData><enc:CipherReference URI="${path}"/></enc:CipherData></enc:EncryptedData></encryption>`,
		});
		const locked = encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/text/one.xhtml");
		await expect(parse(locked)).rejects.toMatchObject({ code: "password_protected" });
		const fonts = encryption("http://www.idpf.org/2008/embedding", "OEBPS/fonts/a.otf");
		expect((await parse(fonts)).text).toContain("14 days");
	});

	it("is refused where it has no package, or declares entities", async () => {
		const { "OEBPS/book.opf": _, ...rest } = BOOK;
		await expect(parse(rest)).rejects.toMatchObject({ code: "unreadable" });
		const bomb = `<!DOCTYPE package [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${OPF.slice(OPF.indexOf("<package"))}`;
		await expect(parse({ ...BOOK, "OEBPS/book.opf": bomb })).rejects.toMatchObject({ code: "unreadable" });
	});

	it("is read without its table of contents where that is damaged", async () => {
		const parsed = await parse({ ...BOOK, "OEBPS/nav.xhtml": "<nav><a>" });
		expect(parsed.text).toBe("Parcels\n\nThey go back within 14 days.\n\nIn full.\n\nA parcel costs 4 €.");
	});

	it("is read in time with 100,000 elements that close themselves, and chapters that are listed twice", async () => {
		const long = page(`<p>${"<span/>".repeat(100_000)}text ${"<".repeat(100_000)}</p>`);
		const spine = OPF.replace("</spine>", `${'<itemref idref="one"/>'.repeat(5_000)}</spine>`);
		const { text } = await parse({ ...BOOK, "OEBPS/text/one.xhtml": long });
		expect(text).toContain("text");
		expect((await parse({ ...BOOK, "OEBPS/book.opf": spine })).text).toMatch(/^Parcels\n\nThey/);
	});
});
