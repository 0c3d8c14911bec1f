import { createServer } from "node:http";
import { deflateRawSync } from "node:zlib";
import type { KnowledgeBase } from "@stemma/client";
import { createZip } from "@stemma/documents/test-support/create-zip";
import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { getBody } from "../test-support/tenant";
import { openTestDeployment, type TestDeployment, type TestWorkspace } from "../test-support/test-deployment";
import { uploadFile, waitUntilRead } from "../test-support/upload-file";

let deployment: TestDeployment;
let send: TestWorkspace["send"];
let base: string;
let calls = 0;
const server = createServer((_, response) => {
	calls += 1;
	response.end("1");
});
beforeAll(async () => {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	deployment = await openTestDeployment(built);
	({ send } = await deployment.addWorkspace("a"));
	base = (await getBody<KnowledgeBase>(send("POST", "/v1/knowledge-bases", { json: { name: "b" } }))).id;
});
afterAll(async () => {
	await deployment?.close();
	server.close();
});

const toDocx = (document: string | Uint8Array): Buffer =>
	createZip({ "[Content_Types].xml": "<Types/>", "word/document.xml": document });

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** PDF file of objects, numbered from 1; the first is the catalogue. */
function toPdf(objects: readonly string[], trailer = ""): string {
	let text = "%PDF-1.4\n";
	const offsets = objects.map((object, index) => {
		const offset = text.length;
		text += `${index + 1} 0 obj\n${object}\nendobj\n`;
		return `${String(offset).padStart(10, "0")} 00000 n \n`;
	});
	const size = objects.length + 1;
	return `${text}xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${text.length}\n%%EOF`;
}

const THOUSAND = Array.from({ length: 1_000 });

const MILLION_PAGES = toPdf([
	"<</Type/Catalog/Pages 2 0 R>>",
	`<</Type/Pages/Count 1000000/Kids[${THOUSAND.map(() => "3 0 R").join(" ")}]>>`,
	`<</Type/Pages/Parent 2 0 R/Count 1000/Kids[${THOUSAND.map(() => "4 0 R").join(" ")}]>>`,
	"<</Type/Page/Parent 3 0 R/MediaBox[0 0 10 10]>>",
]);

const ENDLESS_TREE = toPdf([
	"<</Type/Catalog/Pages 2 0 R>>",
	"<</Type/Pages/Count 3/Parent 3 0 R/Kids[3 0 R 2 0 R]>>",
	"<</Type/Pages/Count 3/Parent 2 0 R/Kids[2 0 R 3 0 R]>>",
]);

const DRAW_ITSELF = "/F Do /F Do /F Do";
const ENDLESS_DRAWING = toPdf([
	"<</Type/Catalog/Pages 2 0 R>>",
	"<</Type/Pages/Count 1/Kids[3 0 R]>>",
	"<</Type/Page/Parent 2 0 R/MediaBox[0 0 10 10]/Contents 4 0 R/Resources<</XObject<</F 4 0 R>>>>>>",
	`<</Type/XObject/Subtype/Form/BBox[0 0 10 10]/Resources<</XObject<</F 4 0 R>>>>/Length ${DRAW_ITSELF.length}>>\nstream\n${DRAW_ITSELF}\nendstream`,
]);

/** Compound file whose directory is a sector that follows itself. */
function toCyclicMessage(): Buffer {
	const file = Buffer.alloc(512 * 4, 0xff);
	file.fill(0, 0, 76);
	Buffer.from("d0cf11e0a1b11ae1", "hex").copy(file);
	file.writeUInt16LE(0x3e, 24);
	file.writeUInt16LE(3, 26);
	file.writeUInt16LE(0xfffe, 28);
	file.writeUInt16LE(9, 30);
	file.writeUInt16LE(6, 32);
	file.writeUInt32LE(1, 44);
	file.writeUInt32LE(1, 48);
	file.writeUInt32LE(0x1000, 56);
	file.writeUInt32LE(2, 60);
	file.writeUInt32LE(1, 64);
	file.writeInt32LE(-2, 68);
	file.writeUInt32LE(0, 76);
	// The table of sectors: itself, then two that follow themselves.
	file.writeInt32LE(-3, 512);
	file.writeUInt32LE(1, 516);
	file.writeUInt32LE(2, 520);
	const root = Buffer.alloc(128);
	root.write("Root Entry", "utf16le");
	root.writeUInt16LE(22, 64);
	root.writeUInt8(5, 66);
	// Its child is itself.
	for (const [offset, value] of [
		[68, 0],
		[72, 0],
		[76, 0],
		[116, 2],
		[120, 64],
	] as const)
		root.writeUInt32LE(value, offset);
	root.copy(file, 1024);
	return file;
}

const entities = Array.from(
	{ length: 9 },
	(_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`,
);
const XML_BOMB = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "lol">${entities.join("")}]><a>&e9;</a>`;
const EXTERNAL_ENTITY =
	'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>';

/** A gigabyte of zeros, in a container that says so and in one that lies. */
const ZEROS = Buffer.alloc(300 * 1024 * 1024);

const toFormulas = (url: string): Buffer =>
	createZip({
		"[Content_Types].xml": "<Types/>",
		"xl/workbook.xml":
			'<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
		"xl/_rels/workbook.xml.rels":
			'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
		"xl/worksheets/sheet1.xml": `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Rate</t></is></c></row><row r="2"><c r="A2"><f>WEBSERVICE("${url}")</f></c></row></sheetData></worksheet>`,
	});

const FILES: readonly (readonly [name: string, make: () => string | Uint8Array, codes: RegExp])[] = [
	["bomb.docx", () => toDocx(ZEROS), /^too_complex$/],
	[
		"lie.docx",
		() => createZip([{ name: "word/document.xml", content: ZEROS, declaredSize: 100 }]),
		/^(too_complex|unreadable)$/,
	],
	["bomb.xml", () => XML_BOMB, /^unreadable$/],
	["bomb.xml.docx", () => toDocx(XML_BOMB), /^unreadable$/],
	["entity.xml", () => EXTERNAL_ENTITY, /^unreadable$/],
	["entity.docx", () => toDocx(EXTERNAL_ENTITY), /^unreadable$/],
	["pages.pdf", () => MILLION_PAGES, /^too_complex$/],
	["tree.pdf", () => ENDLESS_TREE, /^(unreadable|needs_ocr|too_complex|parse_timeout)$/],
	["drawing.pdf", () => ENDLESS_DRAWING, /^(unreadable|needs_ocr|too_complex|parse_timeout)$/],
	[
		"previous.pdf",
		() => toPdf(["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 0/Kids[]>>"], "/Prev 9"),
		/^(unreadable|needs_ocr|no_text)$/,
	],
	["cyclic.msg", toCyclicMessage, /^(unreadable|no_text|parse_timeout|parse_out_of_memory)$/],
	[
		"deflate.docx",
		() => createZip([{ name: "word/document.xml", content: deflateRawSync(ZEROS) }]),
		/^(unreadable|too_complex)$/,
	],
	[
		"words.docx",
		() => toDocx(`<w:document ${WORD}><w:body>${"<w:p>".repeat(200_000)}</w:body></w:document>`),
		/^(unreadable|too_complex)$/,
	],
];

it("ends each hostile document with a code, and answers meanwhile", async () => {
	const uploads = await Promise.all(
		FILES.map(async ([name, make, codes]) => ({
			codes,
			document: await uploadFile(send, base, { name, content: make() }),
		})),
	);
	let isDone = false;
	const reading = Promise.all(uploads.map(({ document }) => waitUntilRead(send, document))).finally(() => {
		isDone = true;
	});
	const statuses = new Set<number>();
	while (!isDone) {
		statuses.add((await deployment.service.fetch(new Request("http://localhost/healthz"))).status);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	expect([...statuses]).toEqual([200]);
	const found = (await reading).map(({ source, error }, index) => ({
		source,
		index,
		code: error?.code ?? "none",
	}));
	const unexpected = found.filter(({ index, code }) => !uploads[index]?.codes.test(code));
	expect(unexpected.map(({ index, code }) => [FILES[index]?.[0], code])).toEqual([]);
}, 300_000);

it("evaluates no formula", async () => {
	const address = server.address();
	const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/rate`;
	const xlsx = await uploadFile(send, base, { name: "calls.xlsx", content: toFormulas(url) });
	const csv = await uploadFile(send, base, {
		name: "calls.csv",
		content: `Rate\n"=WEBSERVICE(""${url}"")"\n`,
	});
	for (const document of [xlsx, csv])
		expect(await waitUntilRead(send, document)).toMatchObject({ status: "ready" });
	expect(calls).toBe(0);
}, 300_000);
