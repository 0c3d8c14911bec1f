import type { XmlNode } from "../../xml/xml-element";
import { findChild, isXmlNode } from "../../xml/xml-tree";

/** Row of a `w:tbl`, with its `w:tc`. */
export interface DocxRow {
	readonly cells: readonly XmlNode[];
	/** Set where the row is repeated on each page, or where the style of the table sets its first row apart. */
	readonly isHeader: boolean;
}

/** Bit of `w:tblLook` for a first row that is set apart (ECMA-376, 17.4.55). */
const FIRST_ROW = 0x20;

/** Lists the rows of a table, without those that a tracked change deletes. */
export function listRows(table: XmlNode): DocxRow[] {
	const rows = listThrough(table, "w:tr").filter(
		(row) => findChild(findChild(row, "w:trPr"), "w:del") === undefined,
	);
	const isStyled = rows.length > 1 && hasFirstRow(findChild(table, "w:tblPr"));
	return rows.map((row, index) => ({
		cells: listThrough(row, "w:tc"),
		isHeader: isRepeated(row) || (index === 0 && isStyled),
	}));
}

/** Rows and cells can stand in content controls and in marks of changes. */
const WRAPPERS = new Set(["w:sdt", "w:sdtContent", "w:ins", "w:moveTo", "w:customXml", "w:smartTag"]);

const listThrough = (parent: XmlNode, name: string): XmlNode[] =>
	parent.children.filter(isXmlNode).flatMap((child) => {
		if (child.name === name) return child;
		return WRAPPERS.has(child.name) ? listThrough(child, name) : [];
	});

function isRepeated(row: XmlNode): boolean {
	const header = findChild(findChild(row, "w:trPr"), "w:tblHeader");
	return header !== undefined && !/^(0|false|off)$/u.test(header.attributes["w:val"] ?? "1");
}

function hasFirstRow(properties: XmlNode | undefined): boolean {
	const { "w:firstRow": firstRow, "w:val": value = "0" } =
		findChild(properties, "w:tblLook")?.attributes ?? {};
	// Plain tables have the mark by default, and no style that shows it.
	if (findChild(properties, "w:tblStyle") === undefined) return false;
	return firstRow === undefined
		? (Number.parseInt(value, 16) & FIRST_ROW) !== 0
		: /^(1|true|on)$/u.test(firstRow);
}
