import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { dirname, extname, join, sep } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";

const TYPES: Readonly<Record<string, string>> = {
	".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".mjs": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".json": "application/json",
	".map": "application/json",
	".svg": "image/svg+xml",
	".png": "image/png",
	".jpg": "image/jpeg",
	".webp": "image/webp",
	".ico": "image/x-icon",
	".woff2": "font/woff2",
};

/** Modules of installed packages: `modules/@stemma/client/dist/index.js`. */
const MODULE = /^modules\/((?:@[^/]+\/)?[^/]+)\/(.+)$/;

/**
 * Serves the files of a folder, and under `modules/` those of packages that are installed for it, so that a page needs no build
 * step. Files that are hidden, of another kind, or outside of their folder are not found.
 *
 * @param prefix - path of the folder, with a slash at its end: `/web/`.
 */
export const createPages =
	(folder: string, prefix: string) =>
	async (request: Request): Promise<Response> => {
		if (!["GET", "HEAD"].includes(request.method)) return new Response(null, { status: 405 });
		const { pathname } = new URL(request.url);
		if (`${pathname}/` === prefix) return Response.redirect(new URL(prefix, request.url), 302);
		const path = pathname.startsWith(prefix) ? decode(pathname.slice(prefix.length)) : undefined;
		const file = path === undefined ? undefined : await findFile(folder, path);
		if (file === undefined) return new Response("Not found", { status: 404 });
		const headers = {
			"content-type": TYPES[extname(file)] ?? "",
			"cache-control": "no-store",
			"x-content-type-options": "nosniff",
		};
		return new Response(request.method === "HEAD" ? null : toWebStream(file), { headers });
	};

const toWebStream = (file: string) => Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;

function decode(path: string): string | undefined {
	try {
		return decodeURIComponent(path);
	} catch {
		return undefined;
	}
}

async function findFile(folder: string, path: string): Promise<string | undefined> {
	const [, name, rest] = MODULE.exec(path) ?? [];
	if (name === undefined || rest === undefined) return findIn(folder, path === "" ? "index.html" : path);
	const root = findPackage(name, folder);
	return root === undefined ? undefined : findIn(root, rest);
}

function findPackage(name: string, folder: string): string | undefined {
	try {
		const manifest = findPackageJSON(name, pathToFileURL(join(folder, "page.js")));
		return manifest === undefined ? undefined : dirname(manifest);
	} catch {
		// Not installed.
		return undefined;
	}
}

/** A file of a kind that pages have, which is in the folder also when links are followed. */
async function findIn(folder: string, path: string): Promise<string | undefined> {
	if (path.split(/[\\/]/).some((part) => part.startsWith(".")) || TYPES[extname(path)] === undefined)
		return undefined;
	try {
		const [root, file] = await Promise.all([realpath(folder), realpath(join(folder, path))]);
		return file.startsWith(root + sep) && (await stat(file)).isFile() ? file : undefined;
	} catch {
		return undefined;
	}
}
