import { describe, expect, it } from "vitest";
import { DocumentError } from "./document-error";
import { readDocument } from "./read-document";
import type { UploadContent } from "./upload-content";

const read = (content: string | Uint8Array, upload: Partial<UploadContent> = {}) =>
	readDocument({
		bytes: typeof content === "string" ? Buffer.from(content) : content,
		format: "markdown",
		fileName: null,
		source: null,
		...upload,
	});

const readError = async (content: string | Uint8Array): Promise<string> => {
	try {
		await read(content, { format: "text" });
	} catch (error) {
		if (error instanceof DocumentError) return error.error.code;
	}
	return "";
};

describe("readDocument", () => {
	it("leaves the images that are attached to a mail to text recognition, where there is some", async () => {
		const image = (disposition: string, name: string) =>
			`--x\r\nContent-Type: image/png; name=${name}\r\nContent-Disposition: ${disposition}; filename=${name}\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n`;
		const mail = `Subject: Rules\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nSee below.\r\n${image("attachment", "rules.png")}${image("attachment", "rules")}--x--\r\n`;
		const upload = { format: "eml", fileName: "a.eml", separatesAttachments: true } as const;
		const left = await read(mail, { ...upload, leavesImagesToOcr: true });
		expect(left.attachments.map(({ name, format }) => [name, format])).toEqual([
			["rules.png", "image"],
			["rules", "image"],
		]);
		expect(left.passages[0]?.text).toMatch(/Attachments: rules\.png, rules$/m);
		const without = await read(mail, upload);
		expect(without.attachments).toEqual([]);
		expect(without.passages[0]?.text).toContain("rules.png (not read: it is a PNG image)");
		const within = await read(mail, { ...upload, separatesAttachments: false, leavesImagesToOcr: true });
		expect(within.passages[0]?.text).toContain("rules.png (not read: it is a PNG image)");
	});

	it("gives a title that hides nothing, and passages as they are written", async () => {
		const hidden = "\u{e006f}\u{e0062}\u202e\u200b";
		const { title, passages } = await read(`# Re${hidden}funds\n\nIn 14${hidden} days.`);
		expect(title).toBe("Re[hidden: ob]funds");
		expect(passages.map(({ text }) => text)).toEqual([`In 14${hidden} days.`]);
		expect((await read("text", { fileName: `${hidden}.md`, format: "markdown" })).title).toBe(
			"[hidden: ob].md",
		);
	});

	it("gives the index the site of a link where the text does not name it", async () => {
		const indexTextsOf = async (content: string, format: "markdown" | "html") =>
			(await read(content, { format })).passages.map(({ text, indexText = text }) => [text, indexText]);
		const text = "It joined the Native Foundation in 2016.";
		const found = [[text, `${text} cncf`]];
		const markdown = (link: string) => `It joined the [Native Foundation]${link} in 2016.`;
		expect(await indexTextsOf(markdown("(https://www.cncf.io/about)"), "markdown")).toEqual(found);
		expect(await indexTextsOf(`${markdown("[f]")}\n\n[F]: <https://cncf.io>`, "markdown")).toEqual(found);
		expect(await indexTextsOf(markdown("(/about/cncf.html)"), "markdown")).toEqual([[text, text]]);
		const html = (address: string) =>
			`<p>It joined the <a href="${address}">Native Foundation</a> in 2016.</p>`;
		expect(await indexTextsOf(html("//cncf.io:443"), "html")).toEqual(found);
		expect(await indexTextsOf(html("https://foundation.example"), "html")).toEqual([[text, text]]);
		expect(await indexTextsOf(html("http://127.0.0.1/x"), "html")).toEqual([[text, text]]);
	});

	it("gives each passage the links in its own part of a long block", async () => {
		const filler = (name: string) => `${`${name} word `.repeat(110)}end.`;
		const source = `See [one](https://first.example). ${filler("a")} ${filler("b")} See [two](https://second.example).`;
		const { passages } = await read(source);
		expect(passages).toHaveLength(2);
		expect(passages.map(({ indexText = "" }) => indexText.slice(-6))).toEqual([" first", "second"]);
	});

	it("gives passages with their places, and the words for the index where they are others", async () => {
		expect(await read("# Wetter\n\n## Regen\n\n梅雨")).toEqual({
			title: "Wetter",
			text: null,
			attachments: [],
			unreadPages: [],
			passages: [{ place: { heading: "Regen", start: 20, end: 22 }, text: "梅雨", indexText: " 梅雨 雨 " }],
		});
	});

	it("gives the text that the places are of, where it is not the file itself", async () => {
		const text = "Refunds für 14 Tage.";
		expect((await read(text)).text).toBeNull();
		expect((await read(`\ufeff${text}`)).text).toBe(text);
		expect((await read(Buffer.from(text, "latin1"))).text).toBe(text);
		expect((await read(Buffer.from(`\ufeff${text}`, "utf16le"))).text).toBe(text);
		const html = "<meta charset=windows-1252><p>für";
		expect((await read(html, { format: "html" })).text).toBe("<meta charset=windows-1252><p>fÃ¼r");
	});

	it("takes the title from the text, else the file, else the source, else the first words", async () => {
		const upload = { fileName: "a.txt", source: "folder/a.txt", format: "text" } as const;
		expect((await read("# Title\n\nText")).title).toBe("Title");
		expect((await read("Text", upload)).title).toBe("a.txt");
		expect((await read("Text", { ...upload, fileName: null })).title).toBe("folder/a.txt");
		expect((await read("First line\nsecond line", { format: "text" })).title).toBe("First line");
		expect((await read("word ".repeat(50), { format: "text" })).title).toMatch(/^(word )+word…$/);
	});

	it("reads by the name of the file what the format alone would not tell", async () => {
		const content = "Title\n=====\n\nText";
		expect((await read(content, { format: "text", fileName: "a.rst" })).title).toBe("Title");
		expect((await read(content, { format: "text", fileName: "a.txt" })).title).toBe("a.txt");
	});

	it.each([
		["", "no_text"],
		[" \n\n ", "no_text"],
		["binary \0 data", "unreadable"],
		[Uint8Array.of(0xff, 0xfe, 0x00, 0xd8, 0x41), "unreadable"],
	])("refuses %j as %s", async (content, code) => {
		expect(await readError(content)).toBe(code);
	});
});
