import type { ParsedDocument } from "../../document-part";
import { parseXml, readXmlParts } from "../../xml/xml-tree";
import { toDocument } from "../to-document";
import { OdfBodyReader } from "./body-reader";
import { createOdfStyles } from "./odf-styles";
import { findMetaTitle, openOdf } from "./open-odf";

/** Elements in the body that are read whole; sections around them are walked through. */
const PARTS = new Set(
	(
		"office:automatic-styles text:p text:h text:list table:table text:table-of-content text:tracked-changes " +
		"text:alphabetical-index text:illustration-index text:table-index draw:frame draw:g office:forms"
	).split(" "),
);

/** Reads an OpenDocument text (ODT, also flat), without hidden text, deletions, comments and tables of contents. */
export async function readOdt(bytes: Uint8Array): Promise<ParsedDocument> {
	const zip = await openOdf(bytes);
	const styles = createOdfStyles();
	const ownStyles = await zip.find("styles.xml");
	if (ownStyles !== undefined) styles.add(parseXml(ownStyles));
	const body = new OdfBodyReader(styles);
	let hidden = 0;
	/** A flat file has headers and footers outside of its body. */
	let isInBody = false;
	readXmlParts(await zip.get("content.xml"), {
		isPart: ({ name }) => (isInBody ? PARTS.has(name) : name === "office:automatic-styles"),
		onPart: (node) => {
			if (node.name === "office:automatic-styles") styles.add(node);
			else if (hidden === 0) body.add(node);
		},
		open: ({ name, attributes }) => {
			if (name === "office:body") isInBody = true;
			if (name === "text:section" && (hidden > 0 || attributes["text:display"] === "none")) hidden += 1;
		},
		close: (name) => {
			if (name === "text:section" && hidden > 0) hidden -= 1;
		},
	});
	return toDocument(body.blocks, await findMetaTitle(zip));
}
