import type { XmlNode } from "../../xml/xml-element";
import { findChild, isXmlNode, listChildren } from "../../xml/xml-tree";
import { toCellText } from "../cell-text";
import type { OfficeBlock, OfficeRow } from "../office-block";
import { toTextBlocks } from "./text-body";

/** Text of a slide, or of its notes. */
export interface ShapeTexts {
	readonly title: string;
	readonly blocks: OfficeBlock[];
}

export interface ShapeOptions {
	/** The shapes are those of notes: only their text counts, not the picture of the slide. Default false. */
	readonly ofNotes?: boolean;
}

/** Placeholders that are the same on all slides. */
const REPEATED = new Set(["dt", "ftr", "hdr", "sldNum", "sldImg"]);
const TITLES = new Set(["title", "ctrTitle"]);
/** Placeholders whose paragraphs have bullets, unless they say otherwise. */
const LISTS = new Set(["body", "obj"]);

/** Reads the shapes of a slide in their order. @param tree - `p:spTree` */
export function readShapes(tree: XmlNode | undefined, { ofNotes = false }: ShapeOptions = {}): ShapeTexts {
	const blocks: OfficeBlock[] = [];
	const titles: string[] = [];

	function addShape(shape: XmlNode): void {
		const placeholder = findPlaceholder(shape);
		const type = placeholder === undefined ? undefined : (placeholder.attributes.type ?? "obj");
		if (type !== undefined && REPEATED.has(type)) return;
		const body = findChild(shape, "p:txBody");
		if (body === undefined) return;
		const isList = type !== undefined && LISTS.has(type) && !ofNotes;
		const texts = toTextBlocks(body, isList ? "list" : "text");
		if (type !== undefined && TITLES.has(type)) titles.push(toCellText(texts).replace(/\s+/gu, " "));
		else blocks.push(...texts);
	}

	function add(node: XmlNode): void {
		switch (node.name) {
			case "p:sp":
				return addShape(node);
			case "a:tbl":
				blocks.push(...toTable(node));
				return;
			case "p:pic":
				blocks.push(...toPicture(node));
				return;
			case "mc:AlternateContent":
				return addAll(findChild(node, "mc:Choice") ?? findChild(node, "mc:Fallback"));
			case "p:grpSp":
			case "p:graphicFrame":
			case "a:graphic":
			case "a:graphicData":
				return addAll(node);
		}
	}

	function addAll(parent: XmlNode | undefined): void {
		for (const child of parent?.children ?? []) if (isXmlNode(child)) add(child);
	}

	addAll(tree);
	return { title: titles.join(" "), blocks };
}

function findPlaceholder(shape: XmlNode): XmlNode | undefined {
	return findChild(findChild(findChild(shape, "p:nvSpPr"), "p:nvPr"), "p:ph");
}

/** Alternative text of a picture. */
function toPicture(node: XmlNode): OfficeBlock[] {
	const text = findChild(findChild(node, "p:nvPicPr"), "p:cNvPr")?.attributes.descr?.trim() ?? "";
	return text === "" ? [] : [{ kind: "paragraph", text }];
}

function toTable(node: XmlNode): OfficeBlock[] {
	const isFirstRowHeader = /^(1|true)$/u.test(findChild(node, "a:tblPr")?.attributes.firstRow ?? "");
	const rows = listChildren(node, "a:tr");
	return [
		{
			kind: "table",
			rows: rows.map((row, index) => toRow(row, isFirstRowHeader && index === 0 && rows.length > 1)),
		},
	];
}

function toRow(row: XmlNode, isHeader: boolean): OfficeRow {
	// Cells that a wider one covers are in the file, too.
	const cells = listChildren(row, "a:tc").filter(({ attributes }) => attributes.hMerge !== "1");
	return {
		isHeader,
		cells: cells.map((cell) => ({
			text: toCellText(toTextBlocks(findChild(cell, "a:txBody"), "text")),
			columns: Number(cell.attributes.gridSpan ?? 1) || 1,
			continuesAbove: cell.attributes.vMerge === "1",
		})),
	};
}
