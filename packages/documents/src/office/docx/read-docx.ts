import type { ParsedDocument } from "../../document-part";
import { readXmlParts } from "../../xml/xml-tree";
import { openZip, type ZipContainer } from "../../zip/open-zip";
import { findCoreTitle } from "../document-properties";
import { findMainPart, listRelationships } from "../ooxml/relationships";
import { toDocument } from "../to-document";
import { DocxBodyReader } from "./body-reader";
import { readListMarks } from "./list-marks";
import { type Notes, readNotes } from "./notes";
import { readParagraphStyles } from "./paragraph-styles";

/**
 * Reads a Word document (OOXML): the text as it is when all tracked changes are accepted, without headers, footers,
 * comments, hidden text and tables of contents.
 */
export async function readDocx(bytes: Uint8Array): Promise<ParsedDocument> {
	const zip = await openZip(bytes);
	const main = await findMainPart(zip, "word/document.xml");
	const parts = await readRelatedParts(zip, main);
	const body = new DocxBodyReader({
		styles: readParagraphStyles(parts.get("styles")),
		toMark: readListMarks(parts.get("numbering")),
		notes: toNotes(parts),
	});
	let fallbacks = 0;
	readXmlParts(await zip.get(main), {
		isPart: ({ name }) => fallbacks === 0 && (name === "w:p" || name === "w:tbl"),
		onPart: (node) => body.add(node),
		open: ({ name }) => {
			if (name === "mc:Fallback") fallbacks += 1;
		},
		close: (name) => {
			if (name === "mc:Fallback") fallbacks -= 1;
		},
	});
	return toDocument(body.blocks, await findCoreTitle(zip));
}

const PARTS = ["styles", "numbering", "footnotes", "endnotes"];

async function readRelatedParts(zip: ZipContainer, main: string): Promise<Map<string, Uint8Array>> {
	const parts = new Map<string, Uint8Array>();
	for (const { type, target } of await listRelationships(zip, main)) {
		const bytes = PARTS.includes(type) && !parts.has(type) ? await zip.find(target) : undefined;
		if (bytes !== undefined) parts.set(type, bytes);
	}
	return parts;
}

const toNotes = (parts: ReadonlyMap<string, Uint8Array>): Notes => ({
	footnote: readNotes(parts.get("footnotes"), "w:footnote"),
	endnote: readNotes(parts.get("endnotes"), "w:endnote"),
});
