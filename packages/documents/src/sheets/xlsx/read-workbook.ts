import { findChild, listChildren, parseXml } from "../../xml/xml-tree";

/** Sheet of a workbook that is shown. */
export interface WorkbookSheet {
	readonly name: string;
	/** Id of the relationship that leads to it. */
	readonly id: string;
}

export interface Workbook {
	/** Visible sheets in their order. */
	readonly sheets: readonly WorkbookSheet[];
	/** Dates count from 1904, as in files of old Macs. */
	readonly isDate1904: boolean;
}

export function readWorkbook(bytes: Uint8Array): Workbook {
	const workbook = parseXml(bytes);
	const sheets = listChildren(findChild(workbook, "x:sheets"), "x:sheet")
		.filter(({ attributes }) => !/hidden$/iu.test(attributes.state ?? ""))
		.map(({ attributes }) => ({ name: attributes.name ?? "", id: attributes["r:id"] ?? "" }));
	const date1904 = findChild(workbook, "x:workbookPr")?.attributes.date1904;
	return { sheets, isDate1904: date1904 === "1" || date1904 === "true" };
}
