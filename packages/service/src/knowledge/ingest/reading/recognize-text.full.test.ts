import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findOcrFiles } from "@stemma/documents";
import { afterEach, expect, it } from "vitest";
import { decodePassages } from "../encoded-passages";
import type * as source from "./document-reader";

/** Tool with Tesseract, which has dependencies of its own. */
const tool = fileURLToPath(new URL("../../../../../../tools/ocr/", import.meta.url));
const { files: ocr } = findOcrFiles({ from: tool });

// The package does not export it.
const path = new URL("../../../../dist/document-reader.js", import.meta.url).href;
const { createDocumentReaders } = (await import(path)) as typeof source;

let readers: source.DocumentReaders | undefined;
afterEach(async () => {
	await readers?.stop();
	readers = undefined;
});

const documents = "../../../../../documents/src/";
const readBytes = (name: string) => readFileSync(new URL(`${documents}${name}`, import.meta.url));
const picture = { bytes: readBytes("ocr/test-support/house-rules.png"), fileName: "rules.png", source: null };
const scan = {
	bytes: readBytes("test-support/other-programs/ghostscript-scan.pdf"),
	fileName: "scan.pdf",
	source: null,
};

/** Text on its first page, and a picture of text on its second. */
const minutes = { bytes: readBytes("ocr/test-support/minutes.pdf"), fileName: "minutes.pdf", source: null };

it.skipIf(ocr === undefined)(
	"images and scans are read in a process that may read the packages",
	async () => {
		readers = createDocumentReaders({ ocr });
		expect(readers.findAddedFormat("Rules.PNG")).toBe("image");
		expect(readers.findAddedFormat("upload", "image/jpeg; q=1")).toBe("image");
		expect(readers.findAddedFormat("photo.heic")).toBeUndefined();
		expect(readers.findAddedFormat("notes.md", "image/png")).toBeUndefined();
		const [image, pdf] = await Promise.all([
			readers.read("a", { ...picture, format: "image" }),
			readers.read("a", { ...scan, format: "pdf" }),
		]);
		expect(image.title).toBe("rules.png");
		const [ofImage, ofPdf] = [image, pdf].map(({ passages }) => passages.flatMap(decodePassages)[0]);
		expect(ofImage?.text).toContain("The sauna opens at seven in the morning");
		expect(ofPdf?.text).toContain("amber stone 11");
		expect(ofPdf?.place).toMatchObject({ page: 2, boxes: [{ page: 2 }] });
	},
);

it.skipIf(ocr === undefined)("so are the scans among pages with text", async () => {
	readers = createDocumentReaders({ ocr });
	const { passages } = await readers.read("a", { ...minutes, format: "pdf" });
	const texts = passages.flatMap(decodePassages).map(({ text }) => text);
	expect(texts.join("\n")).toMatch(/^Minutes of the meeting in March\.\s.*The sauna opens at seven/s);
});

it("without the packages the pages with text are read", async () => {
	readers = createDocumentReaders();
	const { passages } = await readers.read("a", { ...minutes, format: "pdf" });
	expect(passages.flatMap(decodePassages).map(({ text }) => text)).toEqual([
		"Minutes of the meeting in March.",
	]);
});

it("without the packages both fail, and images are no documents", async () => {
	readers = createDocumentReaders();
	expect(readers.findAddedFormat("rules.png", "image/png")).toBeUndefined();
	const needsOcr = { error: { code: "needs_ocr", hint: expect.stringContaining("tesseract.js-core") } };
	await expect(readers.read("a", { ...picture, format: "image" })).rejects.toMatchObject(needsOcr);
	await expect(readers.read("a", { ...scan, format: "pdf" })).rejects.toMatchObject(needsOcr);
});
