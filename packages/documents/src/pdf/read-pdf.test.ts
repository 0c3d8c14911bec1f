import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cutPassages } from "../passages/cut-passages";
import { UnreadableError } from "../unreadable-error";
import { readPdf } from "./read-pdf";
import { makePdf, writeLines } from "./test-support/make-pdf";

const PICTURE = readFileSync(new URL("../ocr/test-support/house-rules.png", import.meta.url));

const LEFT = [
	"Parcels are sent on the day on which they are",
	"paid, if that is before noon. A parcel can be fol-",
	"lowed with the number that is in the letter, and",
	"it comes on the next day to most places here.",
];
const RIGHT = [
	"Returns are free of charge within thirty days of",
	"the day on which the parcel came. The money is",
	"paid back in five days to the card with which",
	"it was paid, never to another one of the buyer.",
];

const codeOf = (bytes: Uint8Array): Promise<string> =>
	readPdf(bytes).then(
		() => "",
		(error: unknown) => (error instanceof UnreadableError ? error.code : String(error)),
	);

describe("readPdf", () => {
	it("gives headings, and paragraphs whose lines are joined, with boxes where they are on the page", async () => {
		const bytes = await makePdf((pdf) => {
			pdf.fontSize(20).text("Parcels and returns", 60, 40);
			writeLines(pdf, LEFT);
			pdf.fontSize(14).text("Returns", 60, 160);
			writeLines(pdf, RIGHT, { y: 190 });
		});
		const parsed = await readPdf(bytes);
		expect(parsed.parts.map((part) => [part.kind === "heading" ? part.level : 0, part.text])).toEqual([
			[1, "Parcels and returns"],
			[0, LEFT.join(" ").replace("fol- lowed", "followed")],
			[2, "Returns"],
			[0, RIGHT.join(" ")],
		]);
		const [first] = cutPassages({ document_id: "d", title: "", path: "" }, parsed);
		expect(first?.place).toMatchObject({ page: 1, boxes: [{ page: 1 }] });
		const [box] = first?.place.boxes ?? [];
		expect(box?.x).toBeCloseTo(60, 0);
		expect(box?.y).toBeCloseTo(80, -1);
		expect(box?.height).toBeGreaterThan(40);
		expect(box?.height).toBeLessThan(60);
	});

	it("reads one column after the other, between what goes across both", async () => {
		const bytes = await makePdf((pdf) => {
			pdf.fontSize(18).text("A title that goes across both of the columns", 60, 40);
			writeLines(pdf, LEFT, { x: 50 });
			writeLines(pdf, RIGHT, { x: 310, y: 82 });
		});
		const texts = (await readPdf(bytes)).parts.map(({ text }) => text);
		expect(texts.slice(1)).toEqual([LEFT.join(" ").replace("fol- lowed", "followed"), RIGHT.join(" ")]);
	});

	it("reads tables by rows, with the header in each passage", async () => {
		const bytes = await makePdf((pdf) => {
			for (let page = 0; page < 4; page++) {
				if (page > 0) pdf.addPage();
				pdf.font("Helvetica-Bold").fontSize(9);
				for (const [column, name] of ["Article", "Weight", "Price"].entries())
					pdf.text(name, 60 + column * 150, 150);
				pdf.font("Helvetica");
				for (let row = 0; row < 40; row++)
					for (const [column, text] of [`Box ${page}-${row}`, `${row} kg`, `${row * 2}.50 EUR`].entries())
						pdf.text(text, 60 + column * 150, 165 + row * 14, { lineBreak: false });
			}
		});
		const parsed = await readPdf(bytes);
		expect(parsed.parts).toHaveLength(1);
		const passages = cutPassages({ document_id: "d", title: "", path: "" }, parsed);
		expect(passages.length).toBeGreaterThan(2);
		for (const { text } of passages)
			expect(text).toMatch(/^Article \| Weight \| Price\nBox \d-\d+ \| \d+ kg \| \d+\.50 EUR\n/);
		expect(passages.at(-1)?.place.boxes?.at(-1)).toMatchObject({ page: 4, x: 60 });
	});

	it("leaves out headers, footers and page numbers that repeat", async () => {
		const bytes = await makePdf((pdf) => {
			for (let page = 1; page <= 5; page++) {
				if (page > 1) pdf.addPage();
				writeLines(pdf, ["Example Ltd. - Handbook"], { y: 30, size: 8 });
				writeLines(pdf, [`Order ${[4711, 5102, 5103, 6200, 7013][page - 1]}`], { y: 90 });
				writeLines(pdf, [`Text of page ${page} that is about one thing.`, "It goes on in a second line."], {
					y: 200,
				});
				writeLines(pdf, [`Page ${page} of 5`], { x: page % 2 ? 60 : 480, y: 800, size: 8 });
			}
		});
		const { text } = await readPdf(bytes);
		expect(text).not.toMatch(/Example Ltd|Page \d/);
		expect(text?.match(/Text of page \d/g)).toHaveLength(5);
		expect(text?.match(/Order \d+/g)).toHaveLength(5);
	});

	it("reads turned pages as they are shown", async () => {
		const bytes = await makePdf((pdf) => {
			Object.assign(pdf.page.dictionary.data, { Rotate: 90 });
			pdf.save().rotate(-90).translate(-842, 0);
			writeLines(pdf, LEFT, { x: 100, y: 50 });
			pdf.restore();
		});
		const [part] = (await readPdf(bytes)).parts;
		expect(part?.text).toBe(LEFT.join(" ").replace("fol- lowed", "followed"));
		const [passage] = cutPassages({ document_id: "d", title: "", path: "" }, await readPdf(bytes));
		const [box] = passage?.place.boxes ?? [];
		expect(box?.x).toBeCloseTo(100, 0);
		expect(box?.y).toBeCloseTo(50, -1);
		expect(box?.width).toBeGreaterThan(200);
	});

	it("reads lists item by item", async () => {
		const bytes = await makePdf((pdf) =>
			writeLines(pdf, [
				"What to bring:",
				"• a letter from the bank that",
				"   shows the address",
				"• a card",
				"• 20 EUR",
			]),
		);
		expect((await readPdf(bytes)).text).toBe(
			"What to bring:\n\n• a letter from the bank that shows the address\n• a card\n• 20 EUR",
		);
	});

	it("takes the title of the metadata, unless a program made it up", async () => {
		const title = async (Title: string) =>
			(await readPdf(await makePdf((pdf) => writeLines(pdf, LEFT), { info: { Title } }))).title;
		expect(await title("Terms of delivery")).toBe("Terms of delivery");
		expect(await title("Microsoft Word - agb_final2.doc")).toBeUndefined();
	});

	it("names headings by the outline", async () => {
		const bytes = await makePdf((pdf) => {
			pdf.outline.addItem("First part").addItem("Costs");
			writeLines(pdf, ["First part"], { y: 60 });
			writeLines(pdf, LEFT, { y: 100 });
			writeLines(pdf, ["Costs"], { y: 170 });
			writeLines(pdf, RIGHT, { y: 200 });
		});
		const headings = (await readPdf(bytes)).parts.filter((part) => part.kind === "heading");
		expect(headings).toMatchObject([
			{ text: "First part", level: 2 },
			{ text: "Costs", level: 3 },
		]);
	});

	it("opens files that are encrypted without a password, and names those that need one", async () => {
		const draw = (pdf: PDFKit.PDFDocument) => writeLines(pdf, LEFT);
		const open = await makePdf(draw, { ownerPassword: "owner", permissions: { copying: false } });
		expect((await readPdf(open)).text).toContain("Parcels are sent");
		expect(await codeOf(await makePdf(draw, { userPassword: "secret", pdfVersion: "1.7" }))).toBe(
			"password_protected",
		);
	});

	it("reads what was filled into a form, but no passwords", async () => {
		const bytes = await makePdf((pdf) => {
			pdf.font("Helvetica").fontSize(10).initForm();
			pdf.text("Name:", 60, 100).text("Colour:", 60, 130);
			pdf.formText("name", 120, 96, 200, 16, { value: "Jane Doe" });
			pdf.formCombo("colour", 120, 126, 100, 16, { select: ["red", "blue"], value: "blue" });
			pdf.formText("code", 120, 156, 100, 16, { value: "secret", password: true });
		});
		expect((await readPdf(bytes)).text).toBe("Name: | Jane Doe\nColour: | blue");
	});

	it("says that scans need text recognition", async () => {
		expect(await codeOf(await makePdf((pdf) => pdf.rect(50, 50, 300, 300).fill("black")))).toBe("needs_ocr");
	});

	it("takes a page that shows nothing for a blank one", async () => {
		expect((await readPdf(await makePdf((pdf) => pdf.addPage().save().restore()))).parts).toEqual([]);
		expect(await codeOf(await makePdf((pdf) => pdf.addPage().image(PICTURE, 50, 50)))).toBe("needs_ocr");
		expect(await codeOf(await makePdf((pdf) => pdf.rect(50, 50, 300, 300).clip()))).toBe("");
	});

	it("reads a file of which a page is a scan, unless that is left to text recognition", async () => {
		const bytes = await makePdf((pdf) => {
			writeLines(pdf, LEFT);
			pdf.addPage().image(PICTURE, 50, 50, { width: 400 });
		});
		const { text, unreadPages } = await readPdf(bytes);
		expect(text).toContain("Parcels are sent");
		expect(unreadPages).toEqual([2]);
		await expect(readPdf(bytes, { leavesImagesToOcr: true })).rejects.toMatchObject({
			code: "needs_ocr",
			message: expect.stringContaining("page 2"),
		});
		const blank = await makePdf((pdf) => {
			writeLines(pdf, LEFT);
			pdf.addPage();
		});
		expect(await readPdf(blank, { leavesImagesToOcr: true })).toMatchObject({
			text: expect.stringContaining("Parcels are sent"),
			unreadPages: [],
		});
	});

	it("reads a file whose table of objects is damaged, and refuses what is no PDF", async () => {
		const bytes = await makePdf((pdf) => writeLines(pdf, LEFT));
		const text = Buffer.from(bytes).toString("latin1");
		const damaged = Buffer.from(text.replace(/startxref\n\d+/, "startxref\n7"), "latin1");
		expect((await readPdf(damaged)).text).toContain("Parcels are sent");
		const lost = Buffer.from(text.replace(/xref\n0 \d+/, "xrxx"), "latin1");
		expect((await readPdf(lost)).text).toContain("Parcels are sent");
		expect(await codeOf(Buffer.from("%PDF-1.7\nnothing"))).toBe("unreadable");
		expect(await codeOf(Buffer.from("x"))).toBe("unreadable");
	});
});
