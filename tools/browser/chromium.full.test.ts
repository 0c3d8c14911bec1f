import { existsSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backends, expectedOfAll, startBackends } from "../packed/backends";
import { createPackedConsumer, type PackedConsumer } from "../packed/packed-consumer";
import { EXPOSED } from "../packed/scenarios/client-scenario.mjs";
import type { Vendors } from "../packed/vendors";
import { type BuiltPage, buildPage } from "./build-page";
import { type CorsProxy, startCorsProxy } from "./cors-proxy";
import { servePages } from "./pages";

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

const expected = { ...expectedOfAll, client: { ...expectedOfAll.client, ...EXPOSED } };

let consumer: PackedConsumer;
let server: Server;
let origin: string;
let browser: Browser;
let backends: Backends;
let vendors: Vendors;
const proxies: CorsProxy[] = [];

/** What is left or aborted, a run, an answer, a tool and a task: nothing that ended by itself. */
const INTERRUPTED = [
	...["/v1/agents/writer/run", "/v1/agents/writer/run", "/v1/ask"],
	...["/mcp", "/mcp", "/a2a/writer", "/a2a/writer"],
];

interface Opened {
	/** What the page gives for its `outcome`. */
	readonly outcome: unknown;
	/** What went wrong, by the path of what was asked for. */
	readonly problems: readonly string[];
	/** The paths of what was broken off at the service; vendors are left as soon as nothing more is wanted of them. */
	readonly left: readonly string[];
}

async function open(path: string): Promise<Opened> {
	const page = await browser.newPage();
	const problems: string[] = [];
	const left: string[] = [];
	page.on("pageerror", (error) => problems.push(String(error)));
	page.on("console", (message) =>
		problems.push(`${new URL(message.location().url).pathname}: ${message.text()}`),
	);
	page.on("requestfailed", (request) => {
		const { errorText = "" } = request.failure() ?? {};
		const isOfService = request.url().startsWith(backends.settings.client.baseUrl);
		if (errorText !== "net::ERR_ABORTED") problems.push(`${request.url()}: ${errorText}`);
		else if (isOfService) left.push(new URL(request.url()).pathname);
	});
	const settings = { vendors, client: backends.settings.client };
	await page.goto(`${origin}${path}#${encodeURIComponent(JSON.stringify(settings))}`);
	const outcome = await page.evaluate(() => (globalThis as unknown as { outcome: Promise<unknown> }).outcome);
	await page.close();
	return { outcome, problems, left };
}

/** Vendors that allow calls from pages. */
async function allow<T extends { readonly baseUrl: string }>(options: T): Promise<T> {
	const proxy = await startCorsProxy(options.baseUrl);
	proxies.push(proxy);
	return { ...options, baseUrl: proxy.baseUrl };
}

/** The browser itself reports what is answered with an error. */
const report = (path: string, status: number, text: string): string =>
	`${path}: Failed to load resource: the server responded with a status of ${status} (${text})`;

describe.skipIf(!existsSync(executablePath))("the packed packages in a browser page", () => {
	beforeAll(async () => {
		[consumer, browser] = await Promise.all([
			createPackedConsumer(),
			chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS }),
		]);
		server = await servePages(consumer.folder);
		origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		backends = await startBackends({ origins: [origin] });
		const { bedrock, openAi, cohere, tei, ...keys } = backends.settings.vendors;
		vendors = {
			...keys,
			bedrock: await allow(bedrock),
			openAi: await allow(openAi),
			cohere: await allow(cohere),
			tei: await allow(tei),
		};
	});
	afterAll(async () => {
		await browser?.close();
		server?.close();
		for (const proxy of proxies) proxy.close();
		await backends?.close();
		await consumer?.remove();
	});

	const unknownAgent = report("/v1/agents/nobody/run", 404, "Not Found");
	/** The service keeps no sessions that a client could end. */
	const noSession = report("/mcp", 405, "Method Not Allowed");

	it("run graphs and use a service of another origin by a client key, unbundled", async () => {
		const { outcome, problems, left } = await open("/");
		const { graph, client } = expected;
		expect(left).toEqual(INTERRUPTED);
		expect(problems).toEqual([unknownAgent, noSession]);
		expect(outcome).toEqual({ graph, client });
	});

	describe("that Vite has built", () => {
		let built: BuiltPage;
		beforeAll(async () => {
			built = await buildPage(consumer);
		});

		it("are split without a warning", () => {
			expect(built.warnings).toEqual([]);
			expect(built.chunks.length).toBeGreaterThan(5);
		});

		it("do all that, ask models with keys, and sign with AWS keys", async () => {
			const { outcome, problems, left } = await open(built.path);
			expect(left).toEqual(INTERRUPTED);
			const refusedKey = expect.stringMatching(/^\/model\/.+: .* status of 40[13] /);
			expect(problems).toEqual([refusedKey, unknownAgent, noSession]);
			expect(outcome).toEqual(expected);
			const used = new Set(backends.vendors.bedrock.requests.map(({ credential }) => credential?.kind));
			expect([...used]).toEqual(["bearer", "signature", undefined]);
		});
	});
});
