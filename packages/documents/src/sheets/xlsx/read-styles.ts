import { findChild, listChildren, parseXml } from "../../xml/xml-tree";

/** Style of cells: its number format by id, and by text where the file has one of its own. */
export interface CellStyle {
	readonly formatId: number;
	readonly formatCode: string | undefined;
	readonly isBold: boolean;
}

/** Reads the styles of a workbook, which cells refer to by their number. */
export function readStyles(bytes: Uint8Array | undefined): CellStyle[] {
	if (bytes === undefined) return [];
	const sheet = parseXml(bytes);
	const codes = new Map(
		listChildren(findChild(sheet, "x:numFmts"), "x:numFmt").map(({ attributes }) => [
			Number(attributes.numFmtId),
			attributes.formatCode,
		]),
	);
	const isBoldFont = listChildren(findChild(sheet, "x:fonts"), "x:font").map((font) => {
		const bold = findChild(font, "x:b");
		return bold !== undefined && !/^(?:0|false)$/u.test(bold.attributes.val ?? "");
	});
	return listChildren(findChild(sheet, "x:cellXfs"), "x:xf").map(({ attributes }) => {
		const formatId = Number(attributes.numFmtId ?? 0);
		const isBold = isBoldFont[Number(attributes.fontId ?? 0)] ?? false;
		return { formatId, formatCode: codes.get(formatId), isBold };
	});
}
