import { getDocument, type PDFDocumentLoadingTask } from "unpdf/pdfjs";
import { createUnshownFonts } from "./unshown-fonts";

/** Options of {@link loadPdf}. */
export interface LoadOptions {
	/** Images of more pixels are left out. */
	readonly maxImageSize: number;
	/** Gives up a page at the first thing in it that cannot be read, or is left out. Default false. */
	readonly stopAtErrors?: boolean;
}

/** Limit at which no image is read. */
export const NO_PIXELS = 1;

/** Loads a PDF file with PDF.js, without anything from outside of it. */
export const loadPdf = (bytes: Uint8Array, options: LoadOptions): PDFDocumentLoadingTask =>
	getDocument({
		// The library takes the buffer for itself.
		data: Uint8Array.from(bytes),
		useSystemFonts: false,
		useWorkerFetch: false,
		isOffscreenCanvasSupported: false,
		isImageDecoderSupported: false,
		enableXfa: false,
		verbosity: 0,
		...createUnshownFonts(),
		...options,
	});
