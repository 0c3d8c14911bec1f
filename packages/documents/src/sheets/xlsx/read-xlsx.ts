import type { ParsedDocument } from "../../document-part";
import { findMainPart, listRelationships } from "../../office/ooxml/relationships";
import { createTextExtraction } from "../../text-extraction";
import { openZip, type ZipContainer } from "../../zip/open-zip";
import { createCellCounter } from "../grid";
import { coverMergedCells } from "../merged-cells";
import { writeSheet } from "../write-sheet";
import { type CellFormats, createCellFormats } from "./cell-formats";
import { listComments } from "./list-comments";
import { readSharedStrings } from "./read-shared-strings";
import { readStyles } from "./read-styles";
import { readWorkbook } from "./read-workbook";
import { readWorksheet } from "./read-worksheet";

/**
 * Reads a workbook of Excel: the cells of each visible sheet as they are shown, and their comments. Formulas are never
 * evaluated: their last results are in the file. Macros are not read.
 */
export async function readXlsx(bytes: Uint8Array): Promise<ParsedDocument> {
	const zip = await openZip(bytes);
	const main = await findMainPart(zip, "xl/workbook.xml");
	const { sheets, isDate1904 } = readWorkbook(await zip.get(main));
	const links = await listRelationships(zip, main);
	const part = async (type: string) => findPart(zip, links.find((link) => link.type === type)?.target);
	const sharedStrings = readSharedStrings(await part("sharedStrings"));
	const formats: CellFormats = createCellFormats(readStyles(await part("styles")), isDate1904);
	const extraction = createTextExtraction();
	const count = createCellCounter();
	for (const { name, id } of sheets) {
		const link = links.find((one) => one.id === id && one.type === "worksheet");
		if (link === undefined) continue;
		const { rows, merged } = readWorksheet(await zip.get(link.target), { sharedStrings, formats, count });
		const comments = await listComments(zip, link.target);
		writeSheet(extraction, { name, rows: coverMergedCells(rows, merged), comments });
	}
	return extraction.finish();
}

const findPart = async (zip: ZipContainer, name: string | undefined): Promise<Uint8Array | undefined> =>
	name === undefined ? undefined : zip.find(name);
