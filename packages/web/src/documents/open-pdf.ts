import { getDocument, type PDFDocumentProxy, PDFWorker } from "pdfjs-dist";
import PdfWorker from "pdfjs-dist/build/pdf.worker.mjs?worker";
import { PdfData } from "./pdf-data";

/** A PDF file that is open, of which pages can be drawn. */
export interface OpenPdf {
	readonly pageCount: number;
	/**
	 * Draws a page on a canvas, as wide as is asked for.
	 *
	 * @param number - from 1.
	 * @returns size of the page as it is shown, in points.
	 */
	draw(
		number: number,
		canvas: HTMLCanvasElement,
		widthPixels: number,
		signal: AbortSignal,
	): Promise<PageSize>;
}

/** Size of a page in points (1/72 inch). */
export interface PageSize {
	readonly width: number;
	readonly height: number;
}

/** Addresses that PDF.js wants to have; `PdfData` finds files by their names. */
const PDF_DATA = "./";

/** Pixels of a canvas; browsers draw nothing on larger ones. */
const MAX_CANVAS_PIXELS = 16_000_000;

/** Opens a PDF file of the service with PDF.js, which reads the parts that it needs; it is closed with the signal. */
export async function openPdf(url: string, signal: AbortSignal): Promise<OpenPdf> {
	signal.throwIfAborted();
	const port = new PdfWorker();
	const worker = PDFWorker.create({ port });
	const task = getDocument({
		...{ url, worker },
		// The policy of the page allows no code that is made at run time (PDF.js has none any more), and no WebAssembly.
		...{ isEvalSupported: false, useWasm: false, enableXfa: false },
		...{
			useWorkerFetch: false,
			BinaryDataFactory: PdfData,
			cMapUrl: PDF_DATA,
			standardFontDataUrl: PDF_DATA,
		},
		...{ disableAutoFetch: true, withCredentials: true },
	});
	const close = () =>
		void task.destroy().finally(() => {
			worker.destroy();
			port.terminate();
		});
	signal.addEventListener("abort", close, { once: true });
	const pdf = await task.promise;
	return {
		pageCount: pdf.numPages,
		draw: (number, canvas, widthPixels, drawSignal) => draw(pdf, number, canvas, widthPixels, drawSignal),
	};
}

async function draw(
	pdf: PDFDocumentProxy,
	number: number,
	canvas: HTMLCanvasElement,
	widthPixels: number,
	signal: AbortSignal,
): Promise<PageSize> {
	const page = await pdf.getPage(number);
	const { width, height } = page.getViewport({ scale: 1 });
	signal.throwIfAborted();
	const scale = Math.min(widthPixels / width, Math.sqrt(MAX_CANVAS_PIXELS / (width * height)));
	const viewport = page.getViewport({ scale });
	canvas.width = Math.floor(viewport.width);
	canvas.height = Math.floor(viewport.height);
	const drawing = page.render({ canvas, viewport });
	signal.addEventListener("abort", () => drawing.cancel(), { once: true });
	await drawing.promise;
	return { width, height };
}
