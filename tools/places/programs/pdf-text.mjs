// Text in boxes of a PDF, by PDFium: boxes in points from the upper left of the page as shown, pages from 1.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { init } from "@embedpdf/pdfium";

const wasm = createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm");

/** Device units of a point: positions on the device are whole numbers. */
const SCALE = 100;
/** Room for the edges of glyphs, in points. */
const MARGIN = 1;

const pdfium = await init({ wasmBinary: (await readFile(wasm)).buffer });
pdfium.PDFiumExt_Init();
const { pdfium: memory } = pdfium;

/** Opens a PDF; `read` gives the text in a box, and `close` frees it. */
export function openPdf(bytes) {
	const buffer = memory.wasmExports.malloc(bytes.length);
	memory.HEAPU8.set(bytes, buffer);
	const document = pdfium.FPDF_LoadMemDocument(buffer, bytes.length, "");
	if (!document) throw new Error(`PDFium cannot open it: ${pdfium.FPDF_GetLastError()}`);
	return {
		pageCount: pdfium.FPDF_GetPageCount(document),
		read: (box) => readBox(document, box),
		close() {
			pdfium.FPDF_CloseDocument(document);
			memory.wasmExports.free(buffer);
		},
	};
}

function readBox(document, { page: number, x, y, width, height }) {
	const page = pdfium.FPDF_LoadPage(document, number - 1);
	const text = pdfium.FPDFText_LoadPage(page);
	try {
		const corners = [
			toPagePoint(page, x - MARGIN, y - MARGIN),
			toPagePoint(page, x + width + MARGIN, y + height + MARGIN),
		];
		const [xs, ys] = [corners.map(([left]) => left), corners.map(([, top]) => top)];
		return readBounded(text, Math.min(...xs), Math.max(...ys), Math.max(...xs), Math.min(...ys));
	} finally {
		pdfium.FPDFText_ClosePage(text);
		pdfium.FPDF_ClosePage(page);
	}
}

/** Point of a page as shown → point of its own coordinates, also where it is rotated. */
function toPagePoint(page, x, y) {
	const result = memory.wasmExports.malloc(16);
	const width = Math.round(pdfium.FPDF_GetPageWidthF(page) * SCALE);
	const height = Math.round(pdfium.FPDF_GetPageHeightF(page) * SCALE);
	const device = [Math.round(x * SCALE), Math.round(y * SCALE)];
	pdfium.FPDF_DeviceToPage(page, 0, 0, width, height, 0, ...device, result, result + 8);
	const point = [memory.getValue(result, "double"), memory.getValue(result + 8, "double")];
	memory.wasmExports.free(result);
	return point;
}

function readBounded(text, left, top, right, bottom) {
	const length = pdfium.FPDFText_GetBoundedText(text, left, top, right, bottom, 0, 0);
	const buffer = memory.wasmExports.malloc((length + 1) * 2);
	try {
		const read = pdfium.FPDFText_GetBoundedText(text, left, top, right, bottom, buffer, length);
		return Buffer.from(memory.HEAPU8.slice(buffer, buffer + read * 2))
			.toString("utf16le")
			.replace(/\0+$/, "");
	} finally {
		memory.wasmExports.free(buffer);
	}
}
