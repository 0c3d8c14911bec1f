import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";
import type { Rectangle } from "../pdf/layout/page-text";
import { UnreadableError } from "../unreadable-error";
import type { OcrFiles } from "./ocr-files";

/** Line of text in an image; its box is in pixels from the upper left corner of the image as shown. */
export interface RecognizedLine extends Rectangle {
	readonly text: string;
}

/** Recognizer of the text in images. Each call takes the whole thread for seconds. */
export interface TextRecognizer {
	/**
	 * Paragraphs of an image in reading order, each with its lines.
	 *
	 * @param image - PNG, JPEG, WebP, BMP, TIFF or PGM.
	 * @throws UnreadableError where it is no image that can be read.
	 */
	recognize(image: Uint8Array, orientation: Orientation): RecognizedLine[][];
}

/** Turn and mirroring that show an image upright, as in Exif: 1 as it is, 6 turned by 90° clockwise. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Part of Tesseract's interface, as `tesseract.js-core` has it. */
interface Tesseract {
	readonly FS: { writeFile(path: string, data: Uint8Array): void };
	readonly TessBaseAPI: new () => {
		/** @returns 0, or -1 where the data is bad. */
		Init(dataFolder: null, languages: string, engine: number): number;
		/** Reads `/input`. @returns 1 where it is no image. */
		SetImageFile(orientation: number, angle: number): number;
		Recognize(monitor: null): number;
		GetJSONText(): string;
	};
}

/** Result as `GetJSONText` writes it. */
interface Recognition {
	readonly blocks?: readonly { readonly paragraphs?: readonly { readonly lines?: readonly Line[] }[] }[];
}

interface Line {
	readonly text: string;
	/** Confidence in percent. */
	readonly confidence: number;
	readonly bbox: { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number };
}

const NEURAL_ENGINE = 1;
/** Confidence, in percent, below which a line is taken for a picture's texture. */
const MIN_LINE_CONFIDENCE = 30;

/** Loads Tesseract and its languages, from files alone. */
export async function createTextRecognizer({ core, languages }: OcrFiles): Promise<TextRecognizer> {
	const load: (options: object) => Promise<Tesseract> = createRequire(core)(core);
	const tesseract = await load({ TesseractProgress: () => undefined });
	for (const { code, path } of languages)
		tesseract.FS.writeFile(`./${code}.traineddata`, gunzipSync(await readFile(path)));
	const api = new tesseract.TessBaseAPI();
	if (api.Init(null, languages.map(({ code }) => code).join("+"), NEURAL_ENGINE) !== 0)
		throw new Error("The data of a language for text recognition cannot be used.");
	return {
		recognize(image, orientation) {
			tesseract.FS.writeFile("/input", image);
			if (api.SetImageFile(orientation, 0) === 1)
				throw new UnreadableError("it is no image that text recognition can read");
			api.Recognize(null);
			const { blocks = [] }: Recognition = JSON.parse(api.GetJSONText());
			return blocks.flatMap(({ paragraphs = [] }) => paragraphs.map(({ lines = [] }) => toLines(lines)));
		},
	};
}

const toLines = (lines: readonly Line[]): RecognizedLine[] =>
	lines
		.filter(({ text, confidence }) => text.trim() !== "" && confidence >= MIN_LINE_CONFIDENCE)
		.map(({ text, bbox: { x0, y0, x1, y1 } }) => ({
			text: text.trim(),
			x: x0,
			y: y0,
			width: x1 - x0,
			height: y1 - y0,
		}));
