import type { ParsedDocument } from "../../document-part";
import { UnreadableError } from "../../unreadable-error";
import type { XmlNode } from "../../xml/xml-element";
import { findChild, isXmlNode, listDescendants, parseXml, readXmlParts } from "../../xml/xml-tree";
import { toCellText } from "../cell-text";
import type { OfficeBlock } from "../office-block";
import { MAX_SLIDES, type SlideContent, toSlideDocument } from "../slides";
import { OdfBodyReader } from "./body-reader";
import { createOdfStyles, type OdfStyles } from "./odf-styles";
import { findMetaTitle, openOdf } from "./open-odf";

/** Frames that are the same on all slides. */
const REPEATED = new Set(["date-time", "footer", "header", "page-number", "page"]);

/** Reads an OpenDocument presentation (ODP): each slide with its title as heading, its text and tables, and its notes. */
export async function readOdp(bytes: Uint8Array): Promise<ParsedDocument> {
	const zip = await openOdf(bytes);
	const styles = createOdfStyles();
	const ownStyles = await zip.find("styles.xml");
	if (ownStyles !== undefined) styles.add(parseXml(ownStyles));
	const slides: SlideContent[] = [];
	readXmlParts(await zip.get("content.xml"), {
		isPart: ({ name }) => name === "office:automatic-styles" || name === "draw:page",
		onPart: (node) => {
			if (node.name === "office:automatic-styles") return styles.add(node);
			slides.push(toSlide(node, styles));
			if (slides.length > MAX_SLIDES)
				throw new UnreadableError(`it has more than ${MAX_SLIDES.toLocaleString("en")} slides`, {
					code: "too_complex",
				});
		},
	});
	return toSlideDocument(slides, await findMetaTitle(zip));
}

function toSlide(page: XmlNode, styles: OdfStyles): SlideContent {
	const shapes = page.children.filter(isXmlNode);
	const isTitle = (shape: XmlNode): boolean => shape.attributes["presentation:class"] === "title";
	const notes = findChild(page, "presentation:notes");
	const noteFrames = notes === undefined ? [] : listDescendants(notes, "draw:frame");
	const isNotes = (shape: XmlNode): boolean => shape.attributes["presentation:class"] === "notes";
	return {
		title: toCellText(readShapes(shapes.filter(isTitle), styles)),
		blocks: readShapes(
			shapes.filter((shape) => !isTitle(shape)),
			styles,
		),
		notes: readShapes(noteFrames.filter(isNotes), styles),
	};
}

function readShapes(shapes: readonly XmlNode[], styles: OdfStyles): OfficeBlock[] {
	const reader = new OdfBodyReader(styles);
	for (const shape of shapes) {
		const { "presentation:class": kind = "", "presentation:placeholder": isPlaceholder } = shape.attributes;
		if (!REPEATED.has(kind) && isPlaceholder !== "true") reader.add(shape);
	}
	return reader.blocks;
}
