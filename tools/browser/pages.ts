import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { extname, join, normalize } from "node:path";

/** What the page itself imports, and nothing else. */
const IMPORTS = {
	"@stemma/core": "/node_modules/@stemma/core/dist/index.js",
	"@stemma/core/errors": "/node_modules/@stemma/core/dist/errors.js",
	"@stemma/core/sse": "/node_modules/@stemma/core/dist/sse.js",
	"@stemma/client": "/node_modules/@stemma/client/dist/browser/index.js",
	"@stemma/client/mcp": "/node_modules/@stemma/client/dist/browser/mcp.js",
	"@stemma/client/a2a": "/node_modules/@stemma/client/dist/browser/a2a.js",
	"@stemma/local": "/node_modules/@stemma/local/dist/browser/index.js",
	"@stemma/routing/extractive": "/node_modules/@stemma/routing/dist/browser/extractive.js",
	"@stemma/routing/openai-compatible": "/node_modules/@stemma/routing/dist/browser/openai-compatible.js",
};

/** What is called stands behind the `#`. */
const SETTINGS = "JSON.parse(decodeURIComponent(location.hash.slice(1)))";

const UNBUNDLED = `<!doctype html><title>stemma</title>
<link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>
<script type="module">
import * as core from "@stemma/core";
import * as errors from "@stemma/core/errors";
import * as sse from "@stemma/core/sse";
import * as client from "@stemma/client";
import * as mcp from "@stemma/client/mcp";
import * as a2a from "@stemma/client/a2a";
import * as local from "@stemma/local";
import "@stemma/routing/extractive";
import "@stemma/routing/openai-compatible";
import { scenario } from "/scenario.mjs";
import { clientScenario } from "/client-scenario.mjs";
const run = async () => ({
	graph: await scenario({ core, errors, sse, local }),
	client: await clientScenario({ core, client, mcp, a2a, local }, ${SETTINGS}.client),
});
globalThis.outcome = run();
</script>`;

/** A page as apps have them, which loads most of its code when it is needed. */
export const BUNDLED = `<!doctype html><title>stemma</title>
<link rel="icon" href="data:,">
<script type="module">
globalThis.outcome = import("./run-all.mjs").then(({ runAll }) => runAll(${SETTINGS}));
</script>`;

const TYPES: Readonly<Record<string, string>> = {
	".html": "text/html",
	".js": "text/javascript",
	".mjs": "text/javascript",
};

/** Serves a page without a bundle, and the files of a folder, under a policy that forbids `eval`. */
export function servePages(folder: string): Promise<Server> {
	const server = createServer(async ({ url = "/" }, response) => {
		const path = normalize(new URL(url, "http://host").pathname);
		try {
			const body = path === "/" ? UNBUNDLED : await readFile(join(folder, path));
			response
				.writeHead(200, {
					"content-type": TYPES[path === "/" ? ".html" : extname(path)] ?? "application/octet-stream",
					"content-security-policy": "script-src 'self' 'unsafe-inline'",
				})
				.end(body);
		} catch {
			response.writeHead(404).end();
		}
	});
	return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
