import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { isAccepted } from "./is-accepted";

/** One file of the web app, as it is sent. */
export interface WebAppFile {
	readonly type: string;
	/** Encoding of the bytes, where they were compressed when the app was built. */
	readonly encoding: string | undefined;
	readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Built files of the web app. */
export interface WebAppFiles {
	/** @param accepted - header `accept-encoding`. */
	readIndex(accepted: string | undefined): Promise<WebAppFile>;
	/** Reads a file with a hash in its name. `undefined` for one that is not of this build. */
	readAsset(name: string, accepted: string | undefined): Promise<WebAppFile | undefined>;
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

/** Finds the built files beside the built service; `undefined` where it was built without them. */
export function findWebApp(folder = new URL("./web-app/", import.meta.url)): WebAppFiles | undefined {
	const path = fileURLToPath(folder);
	if (!existsSync(`${path}${PAGE}`)) return undefined;
	// A name that is asked for is looked up here, and is no path.
	const names = new Set([
		...readdirSync(path),
		...readdirSync(`${path}assets`).map((name) => `assets/${name}`),
	]);

	async function read(name: string, accepted = ""): Promise<WebAppFile> {
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
