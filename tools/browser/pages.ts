import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { extname, join, normalize } from "node:path";

const IMPORTS = {
	"@stemma/core": "/node_modules/@stemma/core/dist/index.js",
	"@stemma/core/errors": "/node_modules/@stemma/core/dist/errors.js",
	"@stemma/core/sse": "/node_modules/@stemma/core/dist/sse.js",
	"@stemma/core/internal": "/node_modules/@stemma/core/dist/internal.js",
	"@stemma/client": "/node_modules/@stemma/client/dist/index.js",
	"@stemma/engine": "/node_modules/@stemma/engine/dist/index.js",
	"@stemma/local": "/node_modules/@stemma/local/dist/index.js",
	"@stemma/routing/extractive": "/node_modules/@stemma/routing/dist/extractive.js",
	"@stemma/routing/openai-compatible": "/node_modules/@stemma/routing/dist/openai-compatible.js",
	"@cfworker/json-schema": "/node_modules/@cfworker/json-schema/dist/esm/index.js",
};

const UNBUNDLED = `<!doctype html><title>stemma</title>
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>
<script type="module">
import * as core from "@stemma/core";
import * as errors from "@stemma/core/errors";
import * as sse from "@stemma/core/sse";
import * as local from "@stemma/local";
import "@stemma/routing/extractive";
import "@stemma/routing/openai-compatible";
import { scenario } from "/scenario.mjs";
globalThis.outcome = scenario({ core, errors, sse, local });
</script>`;

/** Where the vendors listen stands behind the `#`. */
export const MODELS_PROGRAM = `
import * as core from "@stemma/core";
import * as local from "@stemma/local";
import * as routing from "@stemma/routing";
import * as aiSdk from "@stemma/routing/ai-sdk";
import * as bedrock from "@stemma/routing/bedrock";
import * as extractive from "@stemma/routing/extractive";
import * as openAiCompatible from "@stemma/routing/openai-compatible";
import * as rerankers from "@stemma/routing/rerankers";
import { modelsScenario } from "./models-scenario.mjs";
const packages = { core, local, routing, aiSdk, bedrock, extractive, openAiCompatible, rerankers };
globalThis.outcome = modelsScenario(packages, JSON.parse(decodeURIComponent(location.hash.slice(1))));
`;

/** The pages, by their paths. */
const PAGES: Readonly<Record<string, string>> = {
	"/": UNBUNDLED,
	"/models": '<!doctype html><title>stemma</title><script type="module" src="/models.js"></script>',
};

const TYPES: Readonly<Record<string, string>> = { ".js": "text/javascript", ".mjs": "text/javascript" };

/** Serves the pages and the consumer's folder under a policy that forbids `eval`. */
export function servePages(folder: string): Promise<Server> {
	const server = createServer(async ({ url = "/" }, response) => {
		const path = normalize(new URL(url, "http://host").pathname);
		const page = PAGES[path];
		if (page !== undefined) {
			const headers = {
				"content-type": "text/html",
				"content-security-policy": "script-src 'self' 'unsafe-inline'",
			};
			response.writeHead(200, headers).end(page);
			return;
		}
		try {
			const body = await readFile(join(folder, path));
			response
				.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" })
				.end(body);
		} catch {
			response.writeHead(404).end();
		}
	});
	return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
