import { describe, expect, it } from "vitest";
import { findFormat } from "../document-format";
import { UnreadableError } from "../unreadable-error";
import { resolveFormat } from "./resolve-format";

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");
const compound = (...streams: string[]): Uint8Array =>
	Buffer.concat([
		Buffer.from("d0cf11e0a1b11ae1", "hex"),
		...streams.map((name) => Buffer.from(`${name}\0`, "utf16le")),
	]);

/** Name of the format, or the code, reason and hint, of a file. */
function resolve(fileName: string, content: string | Uint8Array): string {
	const named = findFormat(fileName);
	if (named === undefined) throw new Error(`no format for ${fileName}`);
	try {
		return resolveFormat(typeof content === "string" ? latin1(content) : content, named).name;
	} catch (error) {
		if (!(error instanceof UnreadableError)) throw error;
		return `${error.code}: ${error.message}. ${error.hint}`;
	}
}

describe("resolveFormat", () => {
	it("reads images where text recognition is installed, whatever their name is", () => {
		const markdown = findFormat("a.md");
		const png = latin1("\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
		expect(markdown && resolveFormat(png, markdown, { readsImages: true }).name).toBe("image");
	});

	it.each([
		["a.md", "# Fees\n"],
		["a.txt", "BM and MZ, ID3 tags, RIFF, PK, GIF8 and 8BPS are signatures."],
		["a.txt", "BZh is a signature; so is %PDF, and {\\rtf."],
		["a.txt", "Tell how <html> begins: <!doctype html>"],
		["a.rst", "<html> in reStructuredText\n"],
		["a.md", "<!-- comment -->\n<p>HTML in Markdown</p>"],
	])("leaves %s with the content %j to its name", (fileName, content) => {
		expect(resolve(fileName, content)).toBe(findFormat(fileName)?.name);
	});

	it.each([
		["a.txt", "<!DOCTYPE html><html><body>"],
		["a.md", '\n<?xml version="1.0"?>\n<!-- saved -->\n<html lang="en">'],
	])("reads %s that begins as a page as HTML", (fileName, content) => {
		expect(resolve(fileName, content)).toBe("HTML");
	});

	it.each([
		["\x89PNG\r\n\x1a\n\0\0\0\rIHDR", /^needs_ocr: it is a PNG image\. Run text recognition/],
		["\xff\xd8\xff\xe0\0\x10JFIF", /^needs_ocr: it is a JPEG image\./],
		["\0\0\0\x18ftypheic", /^needs_ocr: it is a HEIC or AVIF image\./],
		["\0\0\0\x18ftypisom", /^unreadable: it is a video\. Upload a transcript/],
		["\x1f\x8b\x08\0", /^unreadable: it is a gzip archive\. Unpack it/],
		["PK\x05\x06", /^unreadable: it is a zip archive\. Unpack it/],
		[compound("WordDocument"), /^unreadable: it is a file of Word 97-2003\. Save it as \.docx/],
		[compound("Workbook"), /^unreadable: it is a file of Excel 97-2003\. Save it as \.xlsx/],
		[compound("PowerPoint Document"), /^unreadable: it is a file of PowerPoint 97-2003\. Save it as \.pptx/],
		[compound("EncryptionInfo", "EncryptedPackage"), /^password_protected: it is an Office file with a/],
	])("says what a .txt file is that is none: %j", (content, reason) => {
		expect(resolve("a.txt", content)).toMatch(reason);
	});
});
