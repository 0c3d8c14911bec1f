import PdfKit from "pdfkit";

/** PDF file that `draw` fills. Default: one page of A4 without margins, 595 by 842 points. */
export async function makePdf(
	draw: (pdf: PDFKit.PDFDocument) => void,
	options: PDFKit.PDFDocumentOptions = {},
): Promise<Uint8Array> {
	const pdf = new PdfKit({ size: "A4", margin: 0, ...options });
	const chunks: Buffer[] = [];
	pdf.on("data", (chunk: Buffer) => chunks.push(chunk));
	const ended = new Promise((resolve) => pdf.on("end", resolve));
	draw(pdf);
	pdf.end();
	await ended;
	return new Uint8Array(Buffer.concat(chunks));
}

/** Writes lines below one another from a point on. */
export function writeLines(
	pdf: PDFKit.PDFDocument,
	lines: readonly string[],
	{ x = 60, y = 80, size = 10, gap = 13 } = {},
): void {
	pdf.fontSize(size);
	for (const [index, line] of lines.entries()) pdf.text(line, x, y + index * gap, { lineBreak: false });
}

/** PDF file for which PDF.js leaves a failed promise alone: its table names places two bytes behind some of the objects. */
export async function makeMisplacedPdf(): Promise<Uint8Array> {
	const whole = await makePdf((pdf) => {
		for (let page = 1; page <= 4; page++) {
			if (page > 1) pdf.addPage();
			writeLines(pdf, [`Text of page ${page}.`]);
		}
	});
	const misplaced = Buffer.from(whole)
		.toString("latin1")
		.replace(/\d{10}(?= 00000 n)/g, (offset) =>
			Number(offset) < 1_618 ? String(Number(offset) + 2).padStart(10, "0") : offset,
		);
	return Buffer.from(misplaced, "latin1");
}
