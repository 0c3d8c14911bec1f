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

const readError = (content: string | Uint8Array): string => {
	try {
		read(content, { format: "text" });
	} catch (error) {
		if (error instanceof DocumentError) return error.error.code;
	}
	return "";
};

describe("readDocument", () => {
	it("gives a title that hides nothing, and passages as they are written", () => {
		const hidden = "\u{e006f}\u{e0062}\u202e\u200b";
		const { title, passages } = read(`# Re${hidden}funds\n\nIn 14${hidden} days.`);
		expect(title).toBe("Re[hidden: ob]funds");
		expect(passages.map(({ text }) => text)).toEqual([`In 14${hidden} days.`]);
		expect(read("text", { fileName: `${hidden}.md`, format: "markdown" }).title).toBe("[hidden: ob].md");
	});

	it("gives passages with their places, and the words for the index where they are others", () => {
		expect(read("# Wetter\n\n## Regen\n\n梅雨")).toEqual({
			title: "Wetter",
			passages: [{ heading: "Regen", page: null, start: 20, end: 22, text: "梅雨", indexText: " 梅雨 雨 " }],
		});
	});

	it("takes the title from the text, else the file, else the source, else the first words", () => {
		const upload = { fileName: "a.txt", source: "folder/a.txt", format: "text" } as const;
		expect(read("# Title\n\nText").title).toBe("Title");
		expect(read("Text", upload).title).toBe("a.txt");
		expect(read("Text", { ...upload, fileName: null }).title).toBe("folder/a.txt");
		expect(read("First line\nsecond line", { format: "text" }).title).toBe("First line");
		expect(read("word ".repeat(50), { format: "text" }).title).toMatch(/^(word )+word…$/);
	});

	it("reads by the name of the file what the format alone would not tell", () => {
		const content = "Title\n=====\n\nText";
		expect(read(content, { format: "text", fileName: "a.rst" }).title).toBe("Title");
		expect(read(content, { format: "text", fileName: "a.txt" }).title).toBe("a.txt");
	});

	it.each([
		["", "no_text"],
		[" \n\n ", "no_text"],
		["binary \0 data", "unreadable"],
		[Uint8Array.of(0xff, 0xfe, 0x00, 0xd8, 0x41), "unreadable"],
	])("refuses %j as %s", (content, code) => {
		expect(readError(content)).toBe(code);
	});
});
