import { existsSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectedOfModels } from "../packed/models-scenario.mjs";
import { createPackedConsumer, type PackedConsumer } from "../packed/packed-consumer";
import { expected } from "../packed/scenario.mjs";
import { type RunningVendors, startVendors, type Vendors } from "../packed/vendors";
import { type CorsProxy, startCorsProxy } from "./cors-proxy";
import { MODELS_PROGRAM, servePages } from "./pages";

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

let consumer: PackedConsumer;
let server: Server;
let browser: Browser;

interface Opened {
	/** What the page gives for its `outcome`. */
	readonly outcome: unknown;
	readonly problems: readonly string[];
}

async function open(path: string): Promise<Opened> {
	const page = await browser.newPage();
	const problems: string[] = [];
	page.on("pageerror", (error) => problems.push(String(error)));
	page.on("requestfailed", (request) => problems.push(`failed: ${request.url()}`));
	await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
	const outcome = await page.evaluate(() => (globalThis as unknown as { outcome: Promise<unknown> }).outcome);
	return { outcome, problems };
}

describe.skipIf(!existsSync(executablePath))("the packed packages in a browser page", () => {
	beforeAll(async () => {
		consumer = await createPackedConsumer();
		server = await servePages(consumer.folder);
		browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS });
	});
	afterAll(async () => {
		await browser?.close();
		server?.close();
		await consumer?.remove();
	});

	it("run a graph, unbundled", async () => {
		const { outcome, problems } = await open("/");
		expect(problems).toEqual([]);
		expect(outcome).toEqual(expected);
	});

	describe("with vendors that allow calls from pages", () => {
		let running: RunningVendors;
		let vendors: Vendors;
		const proxies: CorsProxy[] = [];

		async function allow<T extends { readonly baseUrl: string }>(options: T): Promise<T> {
			const proxy = await startCorsProxy(options.baseUrl);
			proxies.push(proxy);
			return { ...options, baseUrl: proxy.baseUrl };
		}

		beforeAll(async () => {
			running = await startVendors();
			vendors = {
				...running.vendors,
				bedrock: await allow(running.vendors.bedrock),
				openAi: await allow(running.vendors.openAi),
				cohere: await allow(running.vendors.cohere),
				tei: await allow(running.vendors.tei),
			};
			await bundleModels();
		});
		afterAll(async () => {
			for (const proxy of proxies) proxy.close();
			await running?.close();
		});

		it("ask models with keys, and sign with AWS keys", async () => {
			const { outcome, problems } = await open(`/models#${encodeURIComponent(JSON.stringify(vendors))}`);
			expect(outcome).toEqual(expectedOfModels);
			expect(problems.filter((problem) => !problem.startsWith("failed: "))).toEqual([]);
			const used = new Set(running.bedrock.requests.map(({ credential }) => credential?.kind));
			expect([...used]).toEqual(["bearer", "signature", undefined]);
		});
	});
});

/** As apps are built for browsers. */
async function bundleModels(): Promise<void> {
	await build({
		stdin: { contents: MODELS_PROGRAM, resolveDir: consumer.folder },
		outfile: join(consumer.folder, "models.js"),
		bundle: true,
		format: "esm",
		platform: "browser",
		logLevel: "error",
	});
}
