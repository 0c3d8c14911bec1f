import type { XmlNode } from "../../xml/xml-element";
import { findChild, isXmlNode } from "../../xml/xml-tree";
import type { OfficeBlock } from "../office-block";
import { createOdfListMarks, type OdfListMarks } from "./odf-list";
import { type OdfStyles, toOdfLevel } from "./odf-styles";
import { readOdfTable } from "./odf-table";
import { readOdfParagraph, toDescription } from "./paragraph-text";

/** Elements that are not part of the text. */
const LEFT_OUT = new Set(
	(
		"text:tracked-changes text:table-of-content text:alphabetical-index text:illustration-index text:table-index " +
		"office:annotation office:forms text:sequence-decls text:variable-decls presentation:notes"
	).split(" "),
);

interface ListPosition {
	readonly style: string | undefined;
	readonly level: number;
	readonly marks: OdfListMarks;
}

/** Makes blocks of paragraphs, lists, tables and frames, in the order in which they come. */
export class OdfBodyReader {
	readonly blocks: OfficeBlock[] = [];
	readonly #styles: OdfStyles;
	/** Numbers of the last list of each style, which a later one may continue. */
	readonly #marks = new Map<string, OdfListMarks>();

	constructor(styles: OdfStyles) {
		this.#styles = styles;
	}

	/** @param node - of no such kind: it is walked through. */
	add(node: XmlNode): void {
		if (LEFT_OUT.has(node.name)) return;
		if (node.name === "text:p" || node.name === "text:h") this.#addParagraph(node);
		else if (node.name === "text:list") this.#addList(node);
		else if (node.name === "table:table") this.#addTable(node);
		else if (node.name === "draw:frame" && isPicture(node)) this.#addPicture(node);
		else if (node.name !== "text:section" || node.attributes["text:display"] !== "none") this.addAll(node);
	}

	/** Adds what is in a node. */
	addAll(parent: XmlNode): void {
		for (const child of parent.children) if (isXmlNode(child)) this.add(child);
	}

	/** @param item - place in a list of a paragraph that is no heading. */
	#addParagraph(node: XmlNode, item?: { level: number; mark: string }): void {
		const { text, notes, boxes } = readOdfParagraph(node, this.#styles);
		const style = node.attributes["text:style-name"];
		if (text.trim() !== "" && !this.#styles.isHidden(style)) {
			const level = this.#findLevel(node, style);
			if (level !== undefined) this.blocks.push({ kind: "heading", level, text });
			else
				this.blocks.push(item === undefined ? { kind: "paragraph", text } : { kind: "item", ...item, text });
		}
		for (const note of notes) if (note !== "") this.blocks.push({ kind: "paragraph", text: `* ${note}` });
		for (const box of boxes) this.addAll(box);
	}

	#findLevel(node: XmlNode, style: string | undefined): number | undefined {
		const level = this.#styles.findHeadingLevel(style);
		if (level === 0 || node.name !== "text:h") return level;
		return toOdfLevel(node.attributes["text:outline-level"]);
	}

	#addList(list: XmlNode, outer?: ListPosition): void {
		const style = list.attributes["text:style-name"] ?? outer?.style;
		const level = outer === undefined ? 0 : outer.level + 1;
		const position = { style, level, marks: outer?.marks ?? this.#findMarks(list) };
		for (const item of list.children.filter(isXmlNode)) {
			const startAt = Number(item.attributes["text:start-value"]) || undefined;
			const isNumbered = item.name === "text:list-item" && !startsWithList(item);
			this.#addItem(item, position, isNumbered ? position.marks.next(style, level, startAt) : "");
		}
	}

	#findMarks({ attributes }: XmlNode): OdfListMarks {
		const style = attributes["text:style-name"] ?? "";
		const isContinued =
			attributes["text:continue-numbering"] === "true" || attributes["text:continue-list"] !== undefined;
		const marks = (isContinued ? this.#marks.get(style) : undefined) ?? createOdfListMarks(this.#styles);
		this.#marks.set(style, marks);
		return marks;
	}

	#addItem(item: XmlNode, position: ListPosition, firstMark: string): void {
		let mark = firstMark;
		for (const child of item.children.filter(isXmlNode)) {
			if (child.name === "text:list") this.#addList(child, position);
			else if (child.name === "text:p" || child.name === "text:h") {
				this.#addParagraph(child, { level: position.level, mark });
				mark = "";
			} else this.add(child);
		}
	}

	#addTable(table: XmlNode): void {
		const readCell = (cell: XmlNode): OfficeBlock[] => {
			const reader = new OdfBodyReader(this.#styles);
			reader.addAll(cell);
			return reader.blocks;
		};
		this.blocks.push(...readOdfTable(table, readCell));
	}

	#addPicture(frame: XmlNode): void {
		const text = toDescription(frame).trim();
		if (text !== "") this.blocks.push({ kind: "paragraph", text });
	}
}

/** Checks for a frame with a picture; tables have a picture of themselves beside them. */
const isPicture = (frame: XmlNode): boolean =>
	findChild(frame, "draw:image") !== undefined && findChild(frame, "table:table") === undefined;

/** Checks for an item that holds nothing but a deeper list, and so has no number. */
const startsWithList = (item: XmlNode): boolean => item.children.find(isXmlNode)?.name === "text:list";
