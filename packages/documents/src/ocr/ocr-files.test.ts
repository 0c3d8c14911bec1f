import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findOcrFiles, listOcrFolders } from "./ocr-files";

let folder = "";
beforeEach(() => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), "stemma-ocr-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

function addFile(...path: string[]): string {
	const file = join(folder, "node_modules", ...path);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, "");
	return file;
}

const addCore = () => addFile("tesseract.js-core", "tesseract-core-simd-lstm.js");
const addLanguage = (code: string) =>
	addFile("@tesseract.js-data", code, "4.0.0_best_int", `${code}.traineddata.gz`);
const find = (languages?: readonly string[]) =>
	findOcrFiles({ from: join(folder, "node_modules", "service", "dist", "index.js"), languages });

describe("packages of text recognition", () => {
	it("are found around the service, with all languages that are there", () => {
		const [core, eng, deu] = [addCore(), addLanguage("eng"), addLanguage("deu")];
		const { files, missing } = find();
		expect(files).toEqual({
			core,
			languages: [
				{ code: "deu", path: deu },
				{ code: "eng", path: eng },
			],
		});
		expect(missing).toEqual([]);
		expect(files && listOcrFolders(files)).toEqual([dirname(core), dirname(deu), dirname(eng)]);
	});

	it("are those of the languages that are wanted, in their order", () => {
		addCore();
		for (const code of ["deu", "eng", "fra"]) addLanguage(code);
		expect(find(["fra", "deu"]).files?.languages.map(({ code }) => code)).toEqual(["fra", "deu"]);
		expect(find([])).toEqual({ missing: [] });
	});

	it("are named where they are missing", () => {
		expect(find(["eng"])).toEqual({ missing: ["tesseract.js-core", "@tesseract.js-data/eng"] });
		addLanguage("eng");
		expect(find()).toEqual({ missing: ["tesseract.js-core"] });
		addCore();
		expect(find(["eng", "deu"]).missing).toEqual(["@tesseract.js-data/deu"]);
	});
});
