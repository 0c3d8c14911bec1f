import type { ParsedDocument } from "../document-part";
import type { Recognition } from "../ocr/recognition";
import type { RecognizedPage } from "../ocr/write-recognized";
import { UnreadableError } from "../unreadable-error";
import { MAX_UNREAD_PAGES } from "../upload-content";
import { layOutPages, type SegmentedPage, toSegmentedPage } from "./layout/lay-out-pages";
import { listDrawnPages } from "./list-drawn-pages";
import { openPdf, type PdfFile } from "./pdf-file";
import { readScans } from "./read-scans";
import { writePages } from "./write-pages";

const MAX_PDF_PAGES = 5_000;
const MAX_PDF_CHARACTERS = 20_000_000;

/**
 * Reads a PDF file: headings, paragraphs, lists and tables, each with its page and boxes. Pages without text that have
 * images are recognized, where text recognition is installed.
 *
 * @throws UnreadableError `password_protected`; `needs_ocr` where no text can be read, as in scans, and where pages are left
 * to another reading; `too_complex` beyond 5,000 pages or 20 million characters.
 */
export async function readPdf(bytes: Uint8Array, recognition: Recognition = {}): Promise<ParsedDocument> {
	const { ocr, leavesImagesToOcr = false } = recognition;
	const file = await openPdf(bytes, { withImages: ocr !== undefined });
	try {
		const { pages: count, title, outline } = file;
		if (count > MAX_PDF_PAGES) throw tooComplex(`${count} pages; at most ${MAX_PDF_PAGES} are read`);
		const { pages, textless, reason } = await readPages(file);
		const hasText = textless.length < count;
		const recognized = ocr && textless.length > 0 ? await readScans(file, textless, ocr) : [];
		const left = leaveOut(textless, recognized);
		const mayFail = recognized.length === 0 && (!hasText || leavesImagesToOcr);
		if (mayFail && left.length > 0 && reason !== undefined) throw needsOcr(reason);
		if (mayFail) {
			const [first] = await listDrawnPages(bytes, left, 1);
			if (first !== undefined) throw needsOcr(toReason(first, hasText));
		}
		const unreadPages = mayFail ? [] : await listDrawnPages(bytes, left.slice(0, MAX_UNREAD_PAGES));
		return { ...writePages(layOutPages(pages), { title, outline, recognized }), unreadPages };
	} finally {
		await file.close();
	}
}

/** Pages without text that were not recognized. */
function leaveOut(textless: readonly number[], recognized: readonly RecognizedPage[]): number[] {
	const done = new Set(recognized.map(({ page }) => page));
	return textless.filter((number) => !done.has(number));
}

const toReason = (page: number, hasText: boolean): string =>
	hasText
		? `its page ${page} has no text, only what is drawn, as in a scan`
		: "it has no text, only what is drawn, as in a scan";

interface ReadPages {
	readonly pages: readonly SegmentedPage[];
	/** Numbers of the pages without text. */
	readonly textless: readonly number[];
	/** Reason why no page has text that can be read, where it is known. */
	readonly reason?: string;
}

/** Text of all pages; one that cannot be read is left out where others can. */
async function readPages(file: PdfFile): Promise<ReadPages> {
	const pages: SegmentedPage[] = [];
	const textless: number[] = [];
	let characters = 0;
	let unreadable = 0;
	let failure: unknown;
	for (let number = 1; number <= file.pages; number++) {
		const read = await file.readPage(number).catch((error: unknown) => {
			failure = error;
		});
		if (read === undefined) continue;
		const page = toSegmentedPage(read);
		pages.push(page);
		const texts = page.directions.flat();
		if (texts.length === 0) textless.push(number);
		for (const { text } of texts) {
			characters += text.length;
			unreadable += text.match(UNDECODED)?.length ?? 0;
		}
		if (characters > MAX_PDF_CHARACTERS) throw tooComplex("too much text");
	}
	if (failure !== undefined && characters === 0) throw failure;
	if (unreadable <= characters / 2) return { pages, textless };
	const all = Array.from({ length: file.pages }, (_, index) => index + 1);
	return { pages: [], textless: all, reason: "its fonts do not say which letters they show" };
}

/** Characters that fonts without a table of letters give. */
const UNDECODED = /[\p{Private_Use}\p{Unassigned}\uFFFD]/gu;

const needsOcr = (message: string): UnreadableError => new UnreadableError(message, { code: "needs_ocr" });
const tooComplex = (what: string): UnreadableError =>
	new UnreadableError(`it has ${what}`, { code: "too_complex" });
