import { read as readWithOther, utils, write } from "@e965/xlsx";
import { expect, it } from "vitest";
import { readDocument } from "../read-document";
import { createZip } from "../test-support/create-zip";

const read = async (bytes: Uint8Array) =>
	(await readDocument({ bytes, format: "ods", fileName: "a.ods", source: null })).passages;

const NAMESPACES = ["office", "text", "table", "style"].map(
	(name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
);

/** A spreadsheet with the given elements, in which `t:` stands for `table:`. */
const toFile = (sheets: string, styles = ""): Uint8Array =>
	createZip({
		mimetype: "application/vnd.oasis.opendocument.spreadsheet",
		"content.xml": `<office:document-content ${NAMESPACES.join(" ")}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${sheets.replaceAll(/\bt:/g, "table:")}</office:spreadsheet></office:body></office:document-content>`,
	});

const cell = (text: string, attributes = "") =>
	`<t:table-cell ${attributes}><text:p>${text}</text:p></t:table-cell>`;

it("reads cells as they are shown, repeated and merged ones, and comments", async () => {
	const passages = await read(
		toFile(
			`<t:table t:name="Fees">
				<t:table-row>${cell("Name")}${cell("Fee")}${cell("Seen", 't:number-columns-repeated="2"')}</t:table-row>
				<t:table-row>${cell("Ann <text:span>A.</text:span><text:s/>B.", 't:number-rows-spanned="2"')}${cell("1.200,50 €", 'office:value-type="currency"')}</t:table-row>
				<t:table-row t:number-rows-repeated="2"><t:covered-table-cell/><t:table-cell office:value-type="float"><office:annotation><text:p>Why?</text:p></office:annotation><text:p>7</text:p></t:table-cell></t:table-row>
			</t:table>
			<t:table t:name="Off" t:style-name="hidden"><t:table-row>${cell("Not for others.")}</t:table-row></t:table>`,
			'<style:style style:name="hidden"><style:table-properties table:display="false"/></style:style>',
		),
	);
	expect(passages.map(({ text }) => text)).toEqual([
		"Name | Fee | Seen | Seen\nAnn A. B. | 1.200,50 €\nAnn A. B. | 7\n | 7\n\nComment on B3: Why?",
	]);
	expect(passages[0]?.place).toMatchObject({ sheet: "Fees", cells: "A1:D4", heading: "Fees" });
});

it("passages hold the text that another library finds at their cells", async () => {
	const rows = Array.from({ length: 200 }, (_, row) => [`Name ${row}`, row * 3, `City ${row % 9}`]);
	const book = utils.book_new();
	utils.book_append_sheet(book, utils.aoa_to_sheet([["Name", "Age", "City"], ...rows]), "People");
	const file: unknown = write(book, { type: "buffer", bookType: "ods" });
	if (!Buffer.isBuffer(file)) throw new Error("not a file");
	const passages = await read(file);
	expect(passages.length).toBeGreaterThan(2);
	for (const { text, place } of passages) {
		const sheet = readWithOther(file).Sheets[place.sheet ?? ""] ?? {};
		const found = utils.sheet_to_json<string[]>(sheet, { header: 1, raw: false, range: place.cells ?? "" });
		expect(text.split("\n").slice(1)).toEqual(
			found.map((row) => row.join(" | ")).filter((line) => !line.startsWith("Name |")),
		);
	}
});

it("refuses a row that is repeated without end, and leaves empty ones out", async () => {
	const endless = toFile(
		`<t:table t:name="S"><t:table-row t:number-rows-repeated="1048576">${cell("x", 't:number-columns-repeated="1024"')}</t:table-row></t:table>`,
	);
	await expect(read(endless)).rejects.toMatchObject({ error: { code: "too_complex" } });
	const empty = toFile(
		`<t:table t:name="S"><t:table-row t:number-rows-repeated="1048575"><t:table-cell t:number-columns-repeated="16384"/></t:table-row><t:table-row>${cell("End")}</t:table-row></t:table>`,
	);
	expect((await read(empty))[0]?.place.cells).toBe("A1048576");
});

it("says that an encrypted file has a password", async () => {
	const file = createZip({
		"META-INF/manifest.xml":
			'<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:encryption-data/></m:manifest>',
		"content.xml": "encrypted",
	});
	await expect(read(file)).rejects.toMatchObject({ error: { code: "password_protected" } });
});
