import { appendFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { LICENSES_FILE } from "../../vite.base.ts";

const pdfjs = fileURLToPath(new URL("./node_modules/pdfjs-dist/", import.meta.url));

/** Parts of PDF.js that others have made and that the build contains, with the files of their licences. */
const PARTS: readonly (readonly [title: string, folder: string, files: RegExp])[] = [
	["Character maps of Adobe, in PDF.js", "cmaps", /^LICENSE$/],
	["Fonts of PDFium (Foxit) and Liberation fonts, in PDF.js", "standard_fonts", /^LICENSE_/],
	[
		"Decoders of pictures and colours (OpenJPEG, JBIG2 of PDFium, qcms), in PDF.js",
		"wasm",
		/_(?:OPENJPEG|JBIG2|QCMS)$/,
	],
];

/** Plugin that adds the licences of fonts, character maps and decoders to those that Vite collects of packages. */
export const pdfLicenses = (): Plugin => ({
	name: "licences of PDF.js",
	apply: "build",
	writeBundle: {
		order: "post",
		sequential: true,
		async handler({ dir = "dist" }) {
			const sections = await Promise.all(PARTS.map(readSection));
			await appendFile(join(dir, LICENSES_FILE), sections.join(""));
		},
	},
});

async function readSection([title, folder, files]: (typeof PARTS)[number]): Promise<string> {
	const names = (await readdir(join(pdfjs, folder))).filter((name) => files.test(name)).sort();
	if (names.length === 0) throw new Error(`PDF.js has the licences of ${folder} in another place now.`);
	const texts = await Promise.all(names.map((name) => readFile(join(pdfjs, folder, name), "utf8")));
	return `\n## ${title}\n${texts.map((text) => `\n\`\`\`text\n${text.trim()}\n\`\`\`\n`).join("")}`;
}
