import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import PdfDocument from "pdfkit";
import { expect, it } from "vitest";
import { readDocument } from "../read-document";
import type { UploadContent } from "../upload-content";
import { findOcrFiles } from "./ocr-files";

/** Tool with Tesseract, which has dependencies of its own. */
const tool = fileURLToPath(new URL("../../../../tools/ocr/", import.meta.url));
const { files: ocr } = findOcrFiles({ from: tool });
const isInstalled = existsSync(`${tool}node_modules`);

const read = (bytes: Uint8Array, format: UploadContent["format"] = "pdf") =>
	readDocument({ bytes, format, fileName: null, source: null, ...(ocr && { ocr }) });

/** A picture of 1190 × 476 pixels with a heading and two paragraphs. */
const picture = readFileSync(new URL("test-support/house-rules.png", import.meta.url));

const WORDS =
	"House rules of the club The sauna opens at seven in the morning and costs 4.50 euros. Guests bring their own towel, and leave the room as they would like to find it. Keys are kept at the front desk. A lost key costs 35 euros, which the treasurer collects at the end of the month.";

type Pdf = InstanceType<typeof PdfDocument>;

/** PDF file of one page, 600 × 400 points. */
async function drawPdf(draw: (pdf: Pdf) => void): Promise<Uint8Array> {
	const pdf = new PdfDocument({ size: [600, 400], margin: 0 });
	draw(pdf);
	pdf.end();
	const pieces: Uint8Array[] = [];
	for await (const piece of pdf) pieces.push(piece);
	return Buffer.concat(pieces);
}

it.skipIf(!isInstalled)("the text of an image is read, with boxes in its pixels", async () => {
	const { text, passages } = await read(picture, "image");
	expect(text?.replaceAll(/\s+/g, " ")).toBe(WORDS);
	expect(passages).toHaveLength(1);
	const { page, boxes = [] } = passages[0]?.place ?? {};
	expect(page).toBe(1);
	const [first] = boxes;
	expect(first?.x).toBeCloseTo(52, -1);
	expect(first?.y).toBeCloseTo(59, -1);
});

it.skipIf(!isInstalled)("an image is known by its content", async () => {
	const { text } = await read(picture, "markdown");
	expect(text).toContain("The sauna opens at seven");
});

it.skipIf(!isInstalled)("what is no image fails with a code", async () => {
	const broken = picture.subarray(0, 100);
	await expect(read(broken, "image")).rejects.toMatchObject({ error: { code: "unreadable" } });
});

it.skipIf(!isInstalled).each([0, 90, 180, 270])("a scan that is turned by %i° is read", async (degrees) => {
	const scan = await drawPdf((pdf) => {
		// Stored turned, and turned back by the page.
		Object.assign(pdf.page.dictionary.data, { Rotate: (360 - degrees) % 360 });
		pdf.rotate(degrees, { origin: [300, 200] }).image(picture, 100, 150, { width: 400 });
	});
	const { text, passages } = await read(scan);
	expect(text).toContain("bring their own towel, and leave the room");
	const box = passages[0]?.place.boxes?.[0];
	expect(box?.page).toBe(1);
	// The page as shown is 600 × 400, or turned: the picture's middle stays in the middle.
	const isTurned = degrees % 180 !== 0;
	expect(box?.x).toBeCloseTo((isTurned ? 0 : 100) + 17, -1);
	expect(box?.y).toBeCloseTo((isTurned ? 250 : 150) + 20, -1);
});

it.skipIf(!isInstalled)("a scan of another program is read", async () => {
	const path = new URL("../test-support/other-programs/ghostscript-scan.pdf", import.meta.url);
	const { passages } = await read(readFileSync(path));
	expect(passages.map(({ text }) => text).join("\n")).toContain("amber stone 11");
});

it.skipIf(!isInstalled)("the scans among pages with text are read, each in its place", async () => {
	const mixed = await drawPdf((pdf) => {
		pdf.fontSize(12).text("Minutes of the meeting in March.", 50, 50);
		pdf.addPage().image(picture, 100, 150, { width: 400 });
		pdf.addPage();
		pdf.addPage().text("Signed by the treasurer.", 50, 50);
	});
	const { text, passages, unreadPages } = await read(mixed);
	expect(unreadPages).toEqual([]);
	expect(text?.replaceAll(/\s+/g, " ")).toBe(
		`Minutes of the meeting in March. ${WORDS} Signed by the treasurer.`,
	);
	const boxes = passages.flatMap(({ place }) => place.boxes ?? []);
	expect(boxes.map(({ page }) => page)).toEqual(expect.arrayContaining([1, 2, 4]));
	const scanned = boxes.find(({ page }) => page === 2);
	expect(scanned?.x).toBeCloseTo(117, -1);
	expect(scanned?.y).toBeCloseTo(170, -1);
});

it.skipIf(!isInstalled)("a page of which nothing is an image fails as without text recognition", async () => {
	const drawing = await drawPdf((pdf) => pdf.rect(50, 50, 300, 300).fill("black"));
	await expect(read(drawing)).rejects.toMatchObject({ error: { code: "needs_ocr" } });
});
