import { AnnotationMode, OPS, type PDFDocumentProxy, type PDFPageProxy } from "unpdf/pdfjs";
import { type PixelImage, writeGrayImage } from "../ocr/gray-image";
import type { Orientation } from "../ocr/text-recognizer";
import type { Rectangle } from "./layout/page-text";

/** Image on a page of a PDF file. */
export interface PageImage {
	/** Image in gray, as PGM. */
	readonly file: Uint8Array;
	/** Turn and mirroring with which the page shows it. */
	readonly orientation: Orientation;
	/** Pixels of the image as shown. */
	readonly pixels: { readonly width: number; readonly height: number };
	/** Place on the page as shown, in points. */
	readonly place: Rectangle;
}

/** Transformation of the plane: `x' = a·x + c·y + e`, `y' = b·x + d·y + f`. */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Images of a page that are read: the largest ones. */
const MAX_PAGE_IMAGES = 4;
/** Share of the page's largest image that another one must have to be read. */
const MIN_IMAGE_SHARE = 0.1;

/** Reads the images of a page that are large enough to be a scan, from top to bottom. */
export async function readPageImages(document: PDFDocumentProxy, number: number): Promise<PageImage[]> {
	const page = await document.getPage(number);
	try {
		const painted = listPainted(await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE }), page);
		const found = painted.sort((one, other) => areaOf(other) - areaOf(one)).slice(0, MAX_PAGE_IMAGES);
		const images: PageImage[] = [];
		for (const { id, matrix } of found) {
			const image = await readImage(page, id);
			if (image !== undefined) images.push(toPageImage(image, matrix));
		}
		return images.sort((one, other) => one.place.y - other.place.y);
	} finally {
		page.cleanup();
	}
}

interface PaintedImage {
	/** Name of the image in the page's objects. */
	readonly id: string;
	/** Transformation of the square of one unit, which the image fills, to the page as shown. */
	readonly matrix: Matrix;
}

/** Images that a page paints, without small ones. */
function listPainted(
	{ fnArray, argsArray }: Awaited<ReturnType<PDFPageProxy["getOperatorList"]>>,
	page: PDFPageProxy,
): PaintedImage[] {
	const painted: PaintedImage[] = [];
	const saved: Matrix[] = [];
	let matrix = toMatrix(page.getViewport({ scale: 1 }).transform) ?? IDENTITY;
	for (const [index, operation] of fnArray.entries()) {
		const args: unknown = argsArray[index];
		const [first]: readonly unknown[] = Array.isArray(args) ? args : [];
		if (operation === OPS.save) saved.push(matrix);
		else if (operation === OPS.restore || operation === OPS.paintFormXObjectEnd)
			matrix = saved.pop() ?? matrix;
		else if (operation === OPS.transform) matrix = multiply(matrix, toMatrix(args) ?? IDENTITY);
		else if (operation === OPS.paintFormXObjectBegin) {
			saved.push(matrix);
			matrix = multiply(matrix, toMatrix(first) ?? IDENTITY);
		} else if (operation === OPS.paintImageXObject && typeof first === "string")
			painted.push({ id: first, matrix });
	}
	const largest = Math.max(...painted.map(areaOf), 0);
	return painted.filter((one) => areaOf(one) >= MIN_IMAGE_SHARE * largest);
}

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

function toMatrix(value: unknown): Matrix | undefined {
	const [a, b, c, d, e, f] = value instanceof Float32Array || Array.isArray(value) ? value : [];
	const numbers = [a, b, c, d, e, f].map(Number);
	return numbers.every(Number.isFinite)
		? [Number(a), Number(b), Number(c), Number(d), Number(e), Number(f)]
		: undefined;
}

const multiply = (one: Matrix, [a, b, c, d, e, f]: Matrix): Matrix => [
	one[0] * a + one[2] * b,
	one[1] * a + one[3] * b,
	one[0] * c + one[2] * d,
	one[1] * c + one[3] * d,
	one[0] * e + one[2] * f + one[4],
	one[1] * e + one[3] * f + one[5],
];

const areaOf = ({ matrix: [a, b, c, d] }: PaintedImage): number => Math.abs(a * d - b * c);

/** Pixels of an image; undefined where it cannot be decoded, or is too large. */
async function readImage(page: PDFPageProxy, id: string): Promise<PixelImage | undefined> {
	const objects = id.startsWith("g_") ? page.commonObjs : page.objs;
	const image: unknown = await new Promise((resolve) => objects.get(id, resolve));
	return isPixelImage(image) ? image : undefined;
}

const isPixelImage = (image: unknown): image is PixelImage =>
	typeof image === "object" &&
	image !== null &&
	"kind" in image &&
	"data" in image &&
	(image.data instanceof Uint8Array || image.data instanceof Uint8ClampedArray);

function toPageImage(image: PixelImage, [a, b, c, d, e, f]: Matrix): PageImage {
	const { width, height } = image;
	const isUpright = Math.abs(a) + Math.abs(d) >= Math.abs(b) + Math.abs(c);
	return {
		file: writeGrayImage(image),
		orientation: isUpright ? UPRIGHT[toSigns(a, -d)] : TURNED[toSigns(b, -c)],
		pixels: isUpright ? { width, height } : { width: height, height: width },
		place: {
			x: e + Math.min(a, 0) + Math.min(c, 0),
			y: f + Math.min(b, 0) + Math.min(d, 0),
			width: Math.abs(a) + Math.abs(c),
			height: Math.abs(b) + Math.abs(d),
		},
	};
}

/** Orientations by the directions in which the rows and the columns of pixels go on the page. */
const UPRIGHT = { "++": 1, "-+": 2, "--": 3, "+-": 4 } as const;
const TURNED = { "++": 5, "+-": 6, "--": 7, "-+": 8 } as const;

const toSigns = (row: number, column: number): keyof typeof UPRIGHT =>
	`${row < 0 ? "-" : "+"}${column < 0 ? "-" : "+"}`;
