import { AnnotationMode, type PDFDocumentProxy, type PDFPageProxy } from "unpdf/pdfjs";
import { UnreadableError } from "../unreadable-error";
import { toFieldItems } from "./form-fields";
import type { OutlineEntry } from "./layout/headings";
import type { PageText } from "./layout/page-text";
import { loadPdf, NO_PIXELS } from "./load-pdf";
import { type PageImage, readPageImages } from "./page-images";
import { type FontFacts, type RawItem, toDirections, toFontFacts } from "./pdf-items";
import { toSensibleTitle } from "./pdf-title";

/** A PDF file that was opened; it has to be closed. */
export interface PdfFile {
	readonly pages: number;
	readonly title: string | undefined;
	readonly outline: readonly OutlineEntry[];
	/** @param page - from 1. */
	readPage(page: number): Promise<PageText>;
	/** Images that are large enough to be a scan. None where the file was opened without images. */
	readImages(page: number): Promise<PageImage[]>;
	close(): Promise<void>;
}

/** Pages of which the drawing is read to learn the names of new fonts. */
const FONT_PAGES = 500;
const OUTLINE_ENTRIES = 5_000;
/** Larger images are left out, in pixels: a page of A4 at 600 dots per inch has 35 million. */
const MAX_SCAN_PIXELS = 40_000_000;

/**
 * Opens a PDF file with PDF.js. An empty password is tried for encrypted files.
 *
 * @param options.withImages - decodes images, which takes time and memory. Default false.
 * @throws UnreadableError where it needs a password, or is no PDF.
 */
export async function openPdf(bytes: Uint8Array, { withImages = false } = {}): Promise<PdfFile> {
	const task = loadPdf(bytes, { maxImageSize: withImages ? MAX_SCAN_PIXELS : NO_PIXELS });
	const document = await task.promise.catch(async (error: unknown) => {
		await task.destroy();
		throw toUnreadableError(error);
	});
	const fonts = new Map<string, FontFacts>();
	const hasForm = (await document.getFieldObjects().catch(() => null)) !== null;
	return {
		pages: document.numPages,
		title: await readTitle(document),
		outline: await readOutline(document),
		readPage: (page) => readPage(document, page, fonts, hasForm),
		readImages: (page) => readPageImages(document, page),
		close: () => task.destroy(),
	};
}

function toUnreadableError(cause: unknown): UnreadableError {
	const { name, message } = cause instanceof Error ? cause : new Error(String(cause));
	if (name === "PasswordException")
		return new UnreadableError("it is protected by a password", { code: "password_protected", cause });
	return new UnreadableError(`it is no PDF file that can be opened (${message.replace(/\.$/u, "")})`, {
		cause,
	});
}

async function readTitle(document: PDFDocumentProxy): Promise<string | undefined> {
	const { info } = await document.getMetadata().catch(() => ({ info: {} }));
	return "Title" in info ? toSensibleTitle(info.Title) : undefined;
}

async function readOutline(document: PDFDocumentProxy): Promise<OutlineEntry[]> {
	const entries: OutlineEntry[] = [];
	const add = (nodes: Awaited<ReturnType<PDFDocumentProxy["getOutline"]>>, depth: number): void => {
		for (const { title, items } of nodes ?? []) {
			if (entries.length >= OUTLINE_ENTRIES) return;
			entries.push({ title, depth });
			add(items, depth + 1);
		}
	};
	add(await document.getOutline().catch(() => []), 0);
	return entries;
}

async function readPage(
	document: PDFDocumentProxy,
	number: number,
	fonts: Map<string, FontFacts>,
	hasForm: boolean,
): Promise<PageText> {
	const page = await document.getPage(number);
	try {
		const { items, styles } = await page.getTextContent();
		const viewport = page.getViewport({ scale: 1 });
		const unknown = Object.keys(styles).filter((font) => !fonts.has(font));
		if (unknown.length > 0 && number <= FONT_PAGES)
			await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE }).catch(() => undefined);
		for (const font of unknown) fonts.set(font, toFontFacts(findFontName(page, font), styles[font] ?? {}));
		const fields = hasForm ? toFieldItems(await page.getAnnotations().catch(() => [])) : [];
		const texts = [...items.filter((item): item is typeof item & RawItem => "str" in item), ...fields];
		const { width, height } = viewport;
		return { page: number, width, height, directions: toDirections(texts, fonts, viewport) };
	} finally {
		page.cleanup();
	}
}

function findFontName(page: PDFPageProxy, font: string): string {
	const found: unknown = page.commonObjs.has(font) ? page.commonObjs.get(font) : undefined;
	const isNamed = typeof found === "object" && found !== null && "name" in found;
	return isNamed && typeof found.name === "string" ? found.name : "";
}
