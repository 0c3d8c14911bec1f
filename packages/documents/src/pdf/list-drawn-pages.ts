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

/** Lists those of some pages that show an image or a drawing. Images are not decoded. */
export async function listDrawnPages(
	bytes: Uint8Array,
	pages: readonly number[],
	/** Maximum pages that are listed. Default: all. */
	limit = Number.POSITIVE_INFINITY,
): Promise<number[]> {
	if (pages.length === 0) return [];
	const task = loadPdf(bytes, { maxImageSize: NO_PIXELS, stopAtErrors: true });
	try {
		const document = await task.promise;
		const drawn: number[] = [];
		for (const number of pages) {
			if (drawn.length >= limit) break;
			const page = await document.getPage(number);
			if (await showsSomething(page)) drawn.push(number);
			page.cleanup();
		}
		return drawn;
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
