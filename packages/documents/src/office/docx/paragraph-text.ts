import type { XmlNode } from "../../xml/xml-element";
import { findChild, isXmlNode } from "../../xml/xml-tree";

/** Text of a paragraph, and what hangs on it. */
export interface ParagraphContent {
	/** Text as it is when all tracked changes are accepted, without hidden text. */
	readonly text: string;
	/** Ids of its footnotes and endnotes, in order. */
	readonly notes: readonly NoteReference[];
	/** Contents of the text boxes that are anchored in it. */
	readonly boxes: readonly XmlNode[];
}

export interface NoteReference {
	readonly kind: "footnote" | "endnote";
	readonly id: string;
}

interface OpenContent {
	text: string;
	readonly notes: NoteReference[];
	readonly boxes: XmlNode[];
}

/** Elements whose text is not part of the final text: deletions, field codes, comments, the reading above a word. */
const LEFT_OUT = new Set(
	"w:del w:moveFrom w:delText w:instrText w:rPr w:pPr w:sdtPr w:rt w:commentReference w:annotationRef".split(
		" ",
	),
);

/** Reads the text of a `w:p`. */
export function readParagraphText(paragraph: XmlNode): ParagraphContent {
	const content: OpenContent = { text: "", notes: [], boxes: [] };
	for (const child of paragraph.children) if (isXmlNode(child)) addInline(content, child);
	return content;
}

function addInline(content: OpenContent, node: XmlNode): void {
	const { name, attributes } = node;
	if (LEFT_OUT.has(name)) return;
	switch (name) {
		case "w:t":
		case "m:t":
			content.text += node.children.filter((child) => typeof child === "string").join("");
			return;
		case "w:tab":
		case "w:ptab":
			content.text += " ";
			return;
		case "w:br":
		case "w:cr":
			content.text += "\n";
			return;
		case "w:noBreakHyphen":
			content.text += "-";
			return;
		case "w:footnoteReference":
		case "w:endnoteReference":
			content.notes.push({
				kind: name === "w:footnoteReference" ? "footnote" : "endnote",
				id: attributes["w:id"] ?? "",
			});
			return;
		case "w:txbxContent":
			content.boxes.push(node);
			return;
		case "wp:docPr":
			content.text += toAlternativeText(attributes.descr);
			return;
		case "mc:AlternateContent":
			addAlternative(content, node);
			return;
		case "w:r":
			if (isHidden(node)) return;
	}
	for (const child of node.children) if (isXmlNode(child)) addInline(content, child);
}

/** Text boxes are twice in a file: as programs of today write them, and as those of 2007 did. */
function addAlternative(content: OpenContent, node: XmlNode): void {
	const choice = findChild(node, "mc:Choice") ?? findChild(node, "mc:Fallback");
	if (choice !== undefined) addInline(content, choice);
}

function isHidden(run: XmlNode): boolean {
	const vanish = findChild(findChild(run, "w:rPr"), "w:vanish");
	return vanish !== undefined && !/^(0|false|off)$/u.test(vanish.attributes["w:val"] ?? "1");
}

/** Description of a picture, apart from the words around it. */
const toAlternativeText = (description = ""): string => ` ${description.replace(/\s+/gu, " ").trim()} `;
