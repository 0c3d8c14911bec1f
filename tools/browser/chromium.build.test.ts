import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPackedConsumer, type PackedConsumer } from "../packed/packed-consumer";
import { expected } from "../packed/scenario.mjs";

const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

/** Without the background flags Chromium calls home at every start. */
const CHROMIUM_ARGUMENTS = [
	"--no-sandbox",
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
];

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

const PAGE = `<!doctype html><title>stemma</title>
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

const TYPES: Readonly<Record<string, string>> = { ".js": "text/javascript", ".mjs": "text/javascript" };

/** Serves the consumer's folder under a policy that forbids `eval`. */
function serve(folder: string): Promise<Server> {
	const server = createServer(async ({ url = "/" }, response) => {
		const path = normalize(new URL(url, "http://host").pathname);
		if (path === "/") {
			const headers = {
				"content-type": "text/html",
				"content-security-policy": "script-src 'self' 'unsafe-inline'",
			};
			response.writeHead(200, headers).end(PAGE);
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

let consumer: PackedConsumer;
let server: Server;
beforeAll(async () => {
	consumer = await createPackedConsumer();
	server = await serve(consumer.folder);
});
afterAll(async () => {
	server.close();
	await consumer.remove();
});

it.skipIf(!existsSync(executablePath))(
	"the packed packages run a graph in a browser page, unbundled",
	async () => {
		const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS });
		try {
			const page = await browser.newPage();
			const problems: string[] = [];
			page.on("pageerror", (error) => problems.push(String(error)));
			page.on("requestfailed", (request) => problems.push(`failed: ${request.url()}`));
			await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
			const outcome = await page.evaluate(
				() => (globalThis as unknown as { outcome: Promise<unknown> }).outcome,
			);
			expect(problems).toEqual([]);
			expect(outcome).toEqual(expected);
		} finally {
			await browser.close();
		}
	},
);
