import type { XmlNode } from "../../xml/xml-element";
import { findChild, isXmlNode, listDescendants, textOf } from "../../xml/xml-tree";
import type { OdfStyles } from "./odf-styles";

/** Text of a paragraph, and what hangs on it. */
export interface OdfParagraph {
	/** Text without hidden parts, comments and deletions. */
	readonly text: string;
	/** Texts of its footnotes and endnotes. */
	readonly notes: readonly string[];
	/** Contents of the text boxes and shapes that are anchored in it. */
	readonly boxes: readonly XmlNode[];
}

interface OpenParagraph {
	text: string;
	readonly notes: string[];
	readonly boxes: XmlNode[];
}

const LEFT_OUT = new Set(
	"office:annotation text:ruby-text text:hidden-text text:tracked-changes text:bookmark-start text:note-citation".split(
		" ",
	),
);

/** Reads the text of a `text:p` or `text:h`. */
export function readOdfParagraph(paragraph: XmlNode, styles: OdfStyles): OdfParagraph {
	const content: OpenParagraph = { text: "", notes: [], boxes: [] };
	addChildren(content, paragraph, styles);
	return content;
}

function addChildren(content: OpenParagraph, parent: XmlNode, styles: OdfStyles): void {
	for (const child of parent.children) {
		if (isXmlNode(child)) addInline(content, child, styles);
		else content.text += child.replace(/\s+/gu, " ");
	}
}

function addInline(content: OpenParagraph, node: XmlNode, styles: OdfStyles): void {
	const { name, attributes } = node;
	if (LEFT_OUT.has(name)) return;
	switch (name) {
		case "text:s":
		case "text:tab":
			content.text += " ";
			return;
		case "text:line-break":
			content.text += "\n";
			return;
		case "text:note":
			content.notes.push(toNote(node, styles));
			return;
		case "draw:frame":
			addFrame(content, node);
			return;
		case "text:span":
			if (styles.isHidden(attributes["text:style-name"])) return;
			break;
		default:
			if (name.startsWith("draw:") && name !== "draw:a") {
				content.boxes.push(node);
				return;
			}
	}
	addChildren(content, node, styles);
}

function toNote(node: XmlNode, styles: OdfStyles): string {
	const body = findChild(node, "text:note-body");
	const paragraphs = body === undefined ? [] : listDescendants(body, "text:p");
	return paragraphs.map((paragraph) => readOdfParagraph(paragraph, styles).text.trim()).join("\n");
}

/** Adds a frame: a box of text, or a picture with its description. */
function addFrame(content: OpenParagraph, frame: XmlNode): void {
	const box = findChild(frame, "draw:text-box");
	if (box !== undefined) content.boxes.push(box);
	else content.text += toDescription(frame);
}

/** Description of a picture, apart from the words around it. */
export function toDescription(frame: XmlNode): string {
	const text = textOf(findChild(frame, "svg:desc")).trim() || textOf(findChild(frame, "svg:title")).trim();
	return text === "" ? "" : ` ${text.replace(/\s+/gu, " ")} `;
}
