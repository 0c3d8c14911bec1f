import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { isAccepted } from "./is-accepted";

/** One file of a built page, as it is sent. */
export interface PageFile {
	readonly type: string;
	/** Encoding of the bytes, where they were compressed when the page was built. */
	readonly encoding: string | undefined;
	readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Built files of a page: of the web app, or of the API reference. */
export interface PageFiles {
	/** @param accepted - header `accept-encoding`. */
	readIndex(accepted: string | undefined): Promise<PageFile>;
	/** Reads a file with a hash in its name. `undefined` for one that is not of this build. */
	readAsset(name: string, accepted: string | undefined): Promise<PageFile | undefined>;
}

const TYPES: Readonly<Record<string, string>> = {
	css: "text/css; charset=utf-8",
	html: "text/html; charset=utf-8",
	js: "text/javascript; charset=utf-8",
	svg: "image/svg+xml",
};

/** Encodings by the endings of their files, the smallest first. */
const ENCODINGS: readonly (readonly [encoding: string, ending: string])[] = [
	["br", ".br"],
	["gzip", ".gz"],
];

const PAGE = "index.html";

/**
 * Finds the built files of a page beside the built service; `undefined` where it was built without them.
 *
 * @param name - of their folder.
 */
export const findBuiltPage = (name: "web-app" | "api-reference"): PageFiles | undefined =>
	findPageFiles(new URL(`./${name}/`, import.meta.url));

/** Finds the built files of a page in a folder; `undefined` where there are none. */
export function findPageFiles(folder: URL): PageFiles | undefined {
	const path = fileURLToPath(folder);
	if (!existsSync(`${path}${PAGE}`)) return undefined;
	// A name that is asked for is looked up here, and is no path.
	const names = new Set([
		...readdirSync(path),
		...readdirSync(`${path}assets`).map((name) => `assets/${name}`),
	]);

	async function read(name: string, accepted = ""): Promise<PageFile> {
		const found = ENCODINGS.find(
			([encoding, ending]) => names.has(name + ending) && isAccepted(accepted, encoding),
		);
		const [encoding, ending = ""] = found ?? [];
		const type = TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
		return { type, encoding, bytes: new Uint8Array(await readFile(path + name + ending)) };
	}

	return {
		readIndex: (accepted) => read(PAGE, accepted),
		readAsset: async (name, accepted) =>
			names.has(`assets/${name}`) ? read(`assets/${name}`, accepted) : undefined,
	};
}
