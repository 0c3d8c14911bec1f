import type { XmlNode } from "../../xml/xml-element";
import { findChild, isXmlNode } from "../../xml/xml-tree";
import { toCellText } from "../cell-text";
import type { OfficeBlock, OfficeCell } from "../office-block";
import type { ListMarks } from "./list-marks";
import { type Notes, takeNote } from "./notes";
import { type ParagraphStyles, toHeading, toListReference, toOutlineLevel } from "./paragraph-styles";
import { type ParagraphContent, readParagraphText } from "./paragraph-text";
import { listRows } from "./table-rows";

/** Parts of a Word file that its paragraphs refer to. */
export interface DocxContext {
	readonly styles: ParagraphStyles;
	readonly toMark: ListMarks;
	readonly notes: Notes;
}

/** Makes blocks of paragraphs and tables, in the order in which they come. */
export class DocxBodyReader {
	readonly blocks: OfficeBlock[] = [];
	readonly #context: DocxContext;
	/** Text of paragraphs whose ends were deleted: it goes on in the next one. */
	#joined = "";

	constructor(context: DocxContext) {
		this.#context = context;
	}

	/** @param node - `w:p` or `w:tbl`; others are walked through. */
	add(node: XmlNode): void {
		if (node.name === "w:p") this.#addParagraph(node);
		else if (node.name === "w:tbl") this.#addTable(node);
		else if (node.name === "mc:AlternateContent") {
			const choice = findChild(node, "mc:Choice") ?? findChild(node, "mc:Fallback");
			if (choice !== undefined) this.addAll(choice);
		} else if (node.name !== "w:del" && node.name !== "w:moveFrom") this.addAll(node);
	}

	/** Adds what is in a node. */
	addAll(parent: XmlNode): void {
		for (const child of parent.children) if (isXmlNode(child)) this.add(child);
	}

	#addParagraph(node: XmlNode): void {
		const content = readParagraphText(node);
		const properties = findChild(node, "w:pPr");
		const text = this.#joined + content.text;
		const isJoined = hasDeletedEnd(properties);
		this.#joined = isJoined ? text : "";
		if (!isJoined && text.trim() !== "") this.#addText(text, properties);
		this.#addAttached(content);
	}

	#addText(text: string, properties: XmlNode | undefined): void {
		const style = this.#context.styles(findChild(properties, "w:pStyle")?.attributes["w:val"]);
		if (style.isContents) return;
		const outline = toOutlineLevel(properties);
		const level = outline === undefined ? style.headingLevel : toHeading(outline);
		const list = toListReference(properties) ?? style.list;
		const mark = list === undefined || list.list === "0" ? undefined : this.#context.toMark(list);
		if (level !== undefined) this.blocks.push({ kind: "heading", level, text: toNumbered(text, mark) });
		else if (list !== undefined && mark !== undefined)
			this.blocks.push({ kind: "item", level: list.level, mark, text });
		else this.blocks.push({ kind: "paragraph", text });
	}

	#addAttached({ notes, boxes }: ParagraphContent): void {
		for (const note of notes) {
			const text = takeNote(this.#context.notes, note);
			if (text !== "") this.blocks.push({ kind: "paragraph", text: `* ${text}` });
		}
		for (const box of boxes) this.addAll(box);
	}

	#addTable(node: XmlNode): void {
		const rows = listRows(node);
		if (rows.every(({ cells }) => cells.length <= 1)) {
			for (const { cells } of rows) for (const cell of cells) this.addAll(cell);
			return;
		}
		const caption = findChild(findChild(node, "w:tblPr"), "w:tblCaption")?.attributes["w:val"];
		const toCell = (cell: XmlNode): OfficeCell => ({
			text: this.#readCell(cell),
			...toSpan(findChild(cell, "w:tcPr")),
		});
		this.blocks.push({
			kind: "table",
			caption,
			rows: rows.map(({ cells, isHeader }) => ({ isHeader, cells: cells.map(toCell) })),
		});
	}

	#readCell(cell: XmlNode): string {
		const inside = new DocxBodyReader(this.#context);
		inside.addAll(cell);
		return toCellText(inside.blocks);
	}
}

const hasDeletedEnd = (properties: XmlNode | undefined): boolean =>
	findChild(findChild(properties, "w:rPr"), "w:del") !== undefined;

const toNumbered = (text: string, mark = ""): string =>
	mark === "" || mark === "-" ? text : `${mark} ${text}`;

function toSpan(properties: XmlNode | undefined): { columns: number; continuesAbove: boolean } {
	const columns = Number(findChild(properties, "w:gridSpan")?.attributes["w:val"] ?? 1);
	const merge = findChild(properties, "w:vMerge");
	return {
		columns: Number.isInteger(columns) && columns > 0 ? columns : 1,
		continuesAbove: merge !== undefined && merge.attributes["w:val"] !== "restart",
	};
}
