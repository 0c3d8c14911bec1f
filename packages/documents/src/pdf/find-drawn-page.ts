import { AnnotationMode, OPS, type PDFPageProxy } from "unpdf/pdfjs";
import { loadPdf, NO_PIXELS } from "./load-pdf";

/** Operations that paint something besides text and images. */
const PAINTING: ReadonlySet<number> = new Set([
	OPS.stroke,
	OPS.closeStroke,
	OPS.fill,
	OPS.eoFill,
	OPS.fillStroke,
	OPS.eoFillStroke,
	OPS.closeFillStroke,
	OPS.closeEOFillStroke,
	OPS.shadingFill,
]);

/**
 * Finds the first of some pages that shows an image or a drawing; undefined where all of them are blank. Images are not
 * decoded.
 */
export async function findDrawnPage(
	bytes: Uint8Array,
	pages: readonly number[],
): Promise<number | undefined> {
	const task = loadPdf(bytes, { maxImageSize: NO_PIXELS, stopAtErrors: true });
	try {
		const document = await task.promise;
		for (const number of pages) {
			const page = await document.getPage(number);
			if (await showsSomething(page)) return number;
			page.cleanup();
		}
		return undefined;
	} finally {
		await task.destroy();
	}
}

/** An image ends the list of a page before its first operation, as images are left out and the page is given up. */
async function showsSomething(page: PDFPageProxy): Promise<boolean> {
	const list = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE }).catch(() => undefined);
	if (list === undefined || list.fnArray.length === 0) return true;
	return list.fnArray.some((operation, index) => PAINTING.has(toPainting(operation, list.argsArray[index])));
}

/** Operation that ends a path: painting, clipping, or nothing. */
function toPainting(operation: number, args: unknown): number {
	if (operation !== OPS.constructPath || !Array.isArray(args)) return operation;
	return Number(args[0]);
}
