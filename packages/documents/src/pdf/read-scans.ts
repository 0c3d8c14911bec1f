import type { OcrFiles } from "../ocr/ocr-files";
import { createTextRecognizer, type RecognizedLine, type TextRecognizer } from "../ocr/text-recognizer";
import type { RecognizedPage } from "../ocr/write-recognized";
import { UnreadableError } from "../unreadable-error";
import type { PageImage } from "./page-images";
import type { PdfFile } from "./pdf-file";

const MAX_SCANNED_PAGES = 200;

/**
 * Reads the text that images show on some pages of a PDF file, with boxes in points. Pages without images are left out; where
 * others have text, so are those beyond 200.
 *
 * @throws UnreadableError `too_complex` where all pages are scans, and more than 200.
 */
export async function readScans(
	file: PdfFile,
	numbers: readonly number[],
	ocr: OcrFiles,
): Promise<RecognizedPage[]> {
	if (numbers.length === file.pages && file.pages > MAX_SCANNED_PAGES)
		throw new UnreadableError(
			`it has ${file.pages} scanned pages; text is recognized on at most ${MAX_SCANNED_PAGES}`,
			{ code: "too_complex" },
		);
	let recognizer: TextRecognizer | undefined;
	const pages: RecognizedPage[] = [];
	for (const page of numbers.slice(0, MAX_SCANNED_PAGES)) {
		const images = await file.readImages(page).catch(() => []);
		if (images.length === 0) continue;
		recognizer ??= await createTextRecognizer(ocr);
		pages.push({ page, paragraphs: recognizeAll(images, recognizer) });
	}
	return pages;
}

const recognizeAll = (images: readonly PageImage[], recognizer: TextRecognizer): RecognizedLine[][] =>
	images.flatMap((image) =>
		recognizer
			.recognize(image.file, image.orientation)
			.map((lines) => lines.map((line) => toPoints(line, image))),
	);

function toPoints(line: RecognizedLine, { pixels, place }: PageImage): RecognizedLine {
	const scaleX = place.width / pixels.width;
	const scaleY = place.height / pixels.height;
	return {
		text: line.text,
		x: place.x + line.x * scaleX,
		y: place.y + line.y * scaleY,
		width: line.width * scaleX,
		height: line.height * scaleY,
	};
}
