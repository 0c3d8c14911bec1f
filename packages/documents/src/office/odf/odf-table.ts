import type { XmlNode } from "../../xml/xml-element";
import { isXmlNode } from "../../xml/xml-tree";
import { toCellText } from "../cell-text";
import type { OfficeBlock, OfficeCell, OfficeRow } from "../office-block";
import { MAX_TABLE_COLUMNS } from "../to-table";

type ReadCell = (cell: XmlNode) => OfficeBlock[];

interface OdfRow {
	readonly cells: readonly XmlNode[];
	readonly isHeader: boolean;
}

/** Reads a table; one of one column, as the text in it. @param readCell - reads what is in a cell. */
export function readOdfTable(table: XmlNode, readCell: ReadCell): OfficeBlock[] {
	const rows = listRows(table, false);
	if (rows.every(({ cells }) => cells.length <= 1))
		return rows.flatMap(({ cells }) => cells.flatMap(readCell));
	return [{ kind: "table", rows: rows.map((row) => toRow(row, readCell)) }];
}

const GROUPS = new Set(["table:table-rows", "table:table-row-group"]);

const listRows = (parent: XmlNode, isHeader: boolean): OdfRow[] =>
	parent.children.filter(isXmlNode).flatMap((child): OdfRow[] => {
		if (child.name === "table:table-header-rows") return listRows(child, true);
		if (GROUPS.has(child.name)) return listRows(child, isHeader);
		return child.name === "table:table-row" ? [{ cells: listCells(child), isHeader }] : [];
	});

const listCells = (row: XmlNode): XmlNode[] =>
	row.children
		.filter(isXmlNode)
		.filter(({ name }) => name === "table:table-cell" || name === "table:covered-table-cell");

function toRow({ cells, isHeader }: OdfRow, readCell: ReadCell): OfficeRow {
	const row: OfficeCell[] = [];
	/** Cells after this one that it covers. */
	let covered = 0;
	for (const cell of cells) {
		const repeated = toCount(cell.attributes["table:number-columns-repeated"]);
		if (cell.name === "table:covered-table-cell") {
			for (let index = 0; index < repeated; index++) {
				if (covered > 0) covered -= 1;
				else if (row.length < MAX_TABLE_COLUMNS) row.push({ text: "", columns: 1, continuesAbove: true });
			}
			continue;
		}
		const columns = toCount(cell.attributes["table:number-columns-spanned"]);
		covered = columns - 1;
		row.push({ text: toCellText(readCell(cell)), columns: Math.max(columns, repeated) });
	}
	return { cells: row, isHeader };
}

const toCount = (value = "1"): number =>
	Math.min(Math.max(Number.parseInt(value, 10) || 1, 1), MAX_TABLE_COLUMNS);
