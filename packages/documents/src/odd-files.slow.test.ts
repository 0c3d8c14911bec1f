import { expect, it } from "vitest";
import { DocumentError } from "./document-error";
import { FORMAT_BY_API_NAME } from "./document-format";
import { readDocument } from "./read-document";
import { makeOddFiles, type OddFile } from "./test-support/odd-files";

const MIN_FILES = 25;
const files = await makeOddFiles();
const byFormat = Map.groupBy(files, ({ name }) => name.slice(0, name.indexOf("/")));

/** Text of the passages, with single blanks, or the code of the error. */
async function readOutcome({ name, bytes }: OddFile): Promise<string> {
	const fileName = name.slice(name.indexOf("/") + 1);
	try {
		const { title, passages } = await readDocument({ bytes, format: "text", fileName, source: null });
		return [title, ...passages.map(({ text }) => text)].join("\n").replace(/\s+/g, " ");
	} catch (error) {
		if (error instanceof DocumentError) return error.error.code;
		throw error;
	}
}

it.each([...byFormat])("odd %s files are read, or fail with the right reason", async (_, own) => {
	expect(own.length).toBeGreaterThanOrEqual(MIN_FILES);
	const unexpected: string[] = [];
	for (const file of own) {
		const read = await readOutcome(file);
		const { outcome } = file;
		const isExpected = "text" in outcome ? read.includes(outcome.text) : read === outcome.code;
		if (!isExpected) unexpected.push(`${file.name}: ${read.slice(0, 200)}`);
	}
	expect(unexpected).toEqual([]);
});

it("there are odd files of every format", () => {
	const formats = Object.keys(FORMAT_BY_API_NAME);
	expect(formats.length).toBeGreaterThan(15);
	expect(files.length).toBeGreaterThanOrEqual(300);
});
