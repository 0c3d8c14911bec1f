import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
	".css": "text/css",
	".html": "text/html; charset=utf-8",
	".js": "text/javascript",
	".json": "application/json",
	".svg": "image/svg+xml",
};

/** Serves the files of a folder as hosts of static sites do: a folder is its `index.html`. */
export async function serveFolder(
	folder: string,
): Promise<{ readonly server: Server; readonly origin: string }> {
	const server = createServer(async ({ url = "/" }, response) => {
		const path = normalize(decodeURIComponent(new URL(url, "http://host").pathname));
		const file = path.endsWith("/") ? `${path}index.html` : path;
		try {
			const body = await readFile(join(folder, file));
			response
				.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" })
				.end(body);
		} catch {
			response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>");
		}
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
