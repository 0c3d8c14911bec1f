import type { ParsedDocument } from "../document-part";
import { UnreadableError } from "../unreadable-error";
import type { OcrFiles } from "./ocr-files";
import { createTextRecognizer, type Orientation } from "./text-recognizer";
import { writeRecognized } from "./write-recognized";

/**
 * Reads the text that an image shows: one page, with boxes in pixels of the image as shown.
 *
 * @param ocr - text recognition, where it is installed.
 * @throws UnreadableError `needs_ocr` where it is not.
 */
export async function readImage(bytes: Uint8Array, ocr: OcrFiles | undefined): Promise<ParsedDocument> {
	if (ocr === undefined) throw new UnreadableError("it is an image", { code: "needs_ocr" });
	const recognizer = await createTextRecognizer(ocr);
	const paragraphs = recognizer.recognize(bytes, findOrientation(bytes));
	return writeRecognized([{ page: 1, paragraphs }]);
}

/** Bytes at the start of a photo in which its orientation is looked for. */
const EXIF_BYTES = 4_096;
/** Entry of the orientation (tag 0x0112, one short number) in both orders of bytes, as hexadecimal digits. */
const ORIENTATION = /01120003000000010{3}([1-8])|120103000100000{2}([1-8])/u;

/** Orientation that a camera wrote into a JPEG file. */
function findOrientation(bytes: Uint8Array): Orientation {
	const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, EXIF_BYTES));
	if (!start.toString("latin1").startsWith("\xff\xd8") || !start.includes("Exif")) return 1;
	const [, big, little] = ORIENTATION.exec(start.toString("hex")) ?? [];
	const value = Number(big ?? little);
	return ORIENTATIONS.find((orientation) => orientation === value) ?? 1;
}

const ORIENTATIONS: readonly Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8];
