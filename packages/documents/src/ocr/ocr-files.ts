import { existsSync, readdirSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Files of text recognition (OCR): Tesseract as WebAssembly, and data of languages. */
export interface OcrFiles {
	/** Path of the module of `tesseract.js-core`; its `.wasm` file is beside it. */
	readonly core: string;
	/** Languages that are recognized together, at least one. */
	readonly languages: readonly OcrLanguage[];
}

export interface OcrLanguage {
	/** Tesseract's code, such as `eng` or `chi_sim`. */
	readonly code: string;
	/** Path of its `.traineddata.gz`. */
	readonly path: string;
}

export interface OcrSearch {
	/** Module or folder beside whose packages they are looked for, as an absolute path or a `file:` address. */
	readonly from: string;
	/** Codes of languages. Default: all that are installed. */
	readonly languages?: readonly string[] | undefined;
}

/** Result of the search for text recognition. */
export interface OcrFinding {
	/** Left out where a package is missing, or no language is wanted. */
	readonly files?: OcrFiles;
	/** Packages that are missing for the languages that are wanted. */
	readonly missing: readonly string[];
}

const CORE = "tesseract.js-core";
/** Instructions that all processors of today have; neural recognition alone. */
const CORE_MODULE = "tesseract-core-simd-lstm.js";
const DATA_SCOPE = "@tesseract.js-data";
/** Folder of the data that is the most exact and small, in each package of a language. */
const DATA_FOLDER = "4.0.0_best_int";

/** Finds text recognition in the packages that are installed; nothing is loaded or fetched. */
export function findOcrFiles({ from, languages }: OcrSearch): OcrFinding {
	const folders = createRequire(from).resolve.paths(CORE) ?? [];
	const find = (...path: string[]): string | undefined => {
		const found = folders.map((folder) => join(folder, ...path)).find(existsSync);
		return found && realpathSync(found);
	};
	const core = find(CORE, CORE_MODULE);
	const codes = languages ?? listInstalled(folders);
	const data = codes.map((code) => ({
		code,
		path: find(DATA_SCOPE, code, DATA_FOLDER, `${code}.traineddata.gz`),
	}));
	const found = data.flatMap(({ code, path }) => (path === undefined ? [] : { code, path }));
	const missing = [
		...(core === undefined ? [CORE] : []),
		...data.flatMap(({ code, path }) => (path === undefined ? `${DATA_SCOPE}/${code}` : [])),
	];
	if (core === undefined || found.length === 0) return { missing };
	return { files: { core, languages: found }, missing };
}

/** Folders that a process has to read for text recognition. */
export const listOcrFolders = ({ core, languages }: OcrFiles): string[] =>
	[core, ...languages.map(({ path }) => path)].map((path) => dirname(path));

function listInstalled(folders: readonly string[]): string[] {
	const scopes = folders.map((folder) => join(folder, DATA_SCOPE)).filter(existsSync);
	return [...new Set(scopes.flatMap((scope) => readdirSync(scope)))].sort();
}
