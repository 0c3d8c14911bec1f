import { makePdf } from "../../pdf/test-support/make-pdf";
import {
	NEEDS_OCR,
	NO_TEXT,
	type OddFile,
	type Oddities,
	PASSWORD_PROTECTED,
	toOddFiles,
	UNREADABLE,
} from "./odd-file";

/** Fonts of every reader have no sign of the euro in all of their encodings. */
const TEXT = "A parcel to Berlin costs 4 EUR.";
const SAYS = { text: TEXT };

const draw =
	(text = TEXT) =>
	(pdf: PDFKit.PDFDocument): void =>
		void pdf.fontSize(10).text(text, 60, 80, { lineBreak: false });

async function makeVariants(): Promise<Oddities> {
	const make = async (options: PDFKit.PDFDocumentOptions): Promise<readonly [Uint8Array, typeof SAYS]> => [
		await makePdf(draw(), options),
		SAYS,
	];
	return {
		"version-1.3": await make({ pdfVersion: "1.3" }),
		"version-1.7-uncompressed": await make({ pdfVersion: "1.7ext3", compress: false }),
		"owner-password": await make({ ownerPassword: "x", permissions: {} }),
		"owner-password-1.7": await make({ ownerPassword: "x", pdfVersion: "1.7ext3" }),
		"user-password": [await makePdf(draw(), { userPassword: "x" }), PASSWORD_PROTECTED],
		"user-password-1.7": [
			await makePdf(draw(), { userPassword: "x", pdfVersion: "1.7ext3" }),
			PASSWORD_PROTECTED,
		],
		"page-of-a-stamp": await make({ size: [400, 100] }),
		"page-of-a-poster": await make({ size: [14_400, 14_400] }),
		landscape: await make({ layout: "landscape" }),
		tagged: await make({ tagged: true, lang: "en" }),
		"title-of-bytes": await make({ info: { Title: "\ufeffFees \u0001" } }),
	};
}

async function makePages(): Promise<Oddities> {
	const make = async (
		drawPages: (pdf: PDFKit.PDFDocument) => void,
		outcome: OddFile["outcome"] = SAYS,
	): Promise<readonly [Uint8Array, OddFile["outcome"]]> => [await makePdf(drawPages), outcome];
	return {
		empty: await make(() => undefined, NO_TEXT),
		"drawn-alone": await make((pdf) => void pdf.rect(10, 10, 400, 400).fill("black"), NEEDS_OCR),
		"white-text": await make((pdf) => draw()(pdf.fillColor("white"))),
		"tiny-text": await make((pdf) => void pdf.fontSize(0.5).text(TEXT, 60, 80)),
		"rotated-text": await make((pdf) => draw()(pdf.rotate(90, { origin: [200, 200] }))),
		"letter-by-letter": await make((pdf) => {
			pdf.font("Courier").fontSize(10);
			for (const [index, letter] of [...TEXT].entries())
				pdf.text(letter, 60 + index * 6, 80, { lineBreak: false });
		}),
		"text-outside-of-the-page": await make((pdf) => {
			draw()(pdf);
			pdf.text("Outside", 5_000, 80, { lineBreak: false });
		}),
		"two-hundred-pages": await make((pdf) => {
			draw()(pdf);
			for (let page = 0; page < 200; page++) draw(`Page ${page}`)(pdf.addPage());
		}),
		link: await make((pdf) => void pdf.text(TEXT, 60, 80, { link: "javascript:alert(1)" })),
		"attached-file": await make((pdf) => {
			draw()(pdf);
			pdf.file(Buffer.from("x"), { name: "x.txt" });
		}),
	};
}

async function makeDamaged(): Promise<Oddities> {
	const whole = Buffer.from(await makePdf(draw(), { compress: false }));
	const replace = (from: string, to: string): Buffer =>
		Buffer.from(whole.toString("latin1").replaceAll(from, to), "latin1");
	return {
		"wrong-table-of-objects": [replace("startxref", "startxref\n9"), SAYS],
		"no-table-of-objects": [
			Buffer.from(whole.toString("latin1").replace(/\nxref\n.*?trailer/s, "\ntrailer"), "latin1"),
			SAYS,
		],
		"bytes-before": [Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\n\r\n"), whole]), SAYS],
		"bytes-behind": [Buffer.concat([whole, Buffer.alloc(3_000)]), SAYS],
		"lines-of-windows": [replace("endobj\n", "endobj\r\n"), SAYS],
		"unknown-version": [replace("%PDF-1.3", "%PDF-9.9"), SAYS],
		"wrong-length": [
			Buffer.from(whole.toString("latin1").replace(/\/Length \d+/, "/Length 3"), "latin1"),
			SAYS,
		],
		"cut-off": [whole.subarray(0, 200), UNREADABLE],
		"header-alone": ["%PDF-1.7\n", UNREADABLE],
		empty: ["", NO_TEXT],
	};
}

/** Odd files of PDF. */
export const makePdfFiles = async (): Promise<readonly OddFile[]> =>
	toOddFiles("pdf", { ...(await makeVariants()), ...(await makePages()), ...(await makeDamaged()) });
