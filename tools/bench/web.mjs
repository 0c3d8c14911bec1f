// The web app in Chromium: script of the first page, time until it can be used, frames while an answer streams, long lists. [--quick]
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { createLoginLink } from "../../packages/service/dist/index.js";
import { createKnowledgeBase, ingest } from "./service/knowledge.mjs";
import { median, quantile } from "./service/quantile.mjs";
import { createReport } from "./service/report.mjs";
import { startService } from "./service/start-service.mjs";
import { startFrames } from "./web/measure-frames.mjs";
import { startChunkVendor } from "./web/start-chunk-vendor.mjs";

const QUICK = process.argv.includes("--quick");
const LOADS = QUICK ? 3 : 9;
const DOCUMENTS = QUICK ? 500 : 10_000;
const CHUNKS_PER_SECOND = 200;
const STREAM_SECONDS = QUICK ? 3 : 10;
const PAGE_SIZE = 100;
/** A frame of a screen with 60 Hz (16.67 ms), and the tenths by which its times are rounded. */
const FRAME_MS = 16.9;
const ASSETS = fileURLToPath(new URL("../../packages/service/dist/web-app/assets/", import.meta.url));

const report = createReport();

const gzipBytes = (names) => names.reduce((sum, name) => sum + statSync(join(ASSETS, `${name}.gz`)).size, 0);

async function signIn(browser, folder, url) {
	const { link } = await createLoginLink({ data: folder }, { url, email: "ada@example.com" });
	const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
	const page = await context.newPage();
	await page.goto(link);
	await page.getByRole("button", { name: "Sign in with this link" }).click();
	await page.locator("textarea").waitFor();
	const storageState = await context.storageState();
	await context.close();
	return storageState;
}

/** Loads the first page as for the first time, until the question can be written. */
async function measureLoad(browser, storageState, url) {
	const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 800 } });
	const page = await context.newPage();
	const scripts = [];
	page.on("response", (response) => {
		const name = new URL(response.url()).pathname.split("/").at(-1);
		if (name.endsWith(".js")) scripts.push(name);
	});
	await page.goto(url);
	const handle = await page.waitForFunction(
		() => document.querySelector("textarea:enabled") !== null && performance.now(),
		undefined,
		{ polling: "raf" },
	);
	const interactiveMs = await handle.jsonValue();
	await context.close();
	return { interactiveMs, scripts };
}

async function measureLoads(browser, storageState, url) {
	const loads = [];
	for (let load = 0; load < LOADS; load += 1) loads.push(await measureLoad(browser, storageState, url));
	report.atMost("script of the first page (gzip)", gzipBytes(loads[0].scripts) / 1_000, "kB", 120);
	const all = readdirSync(ASSETS).filter((name) => name.endsWith(".js"));
	report.report("… of all pages, with PDF.js", gzipBytes(all) / 1_000, "kB");
	report.atMost(
		"until the question can be written, p50",
		median(loads.map((load) => load.interactiveMs)),
		"ms",
		1_000,
	);
}

function reportFrames(what, { frames, busyMs }) {
	const totalMs = frames.reduce((sum, frame) => sum + frame, 0);
	report.atMost(`${what}: time between frames, p95`, quantile(frames, 0.95), "ms", FRAME_MS);
	report.report("… p50", median(frames), "ms");
	report.report("… p99", quantile(frames, 0.99), "ms");
	report.report("… share of the time in which the page computes", (100 * busyMs) / totalMs, "%");
}

async function measureStream(page, url) {
	await page.goto(`${url}/#/ask`);
	const question = page.locator("textarea");
	await question.fill("How long does a refund take?");
	await question.press("Enter");
	await page
		.locator('.stemma-message[data-role="assistant"] .stemma-text')
		.filter({ hasText: "Refunds" })
		.waitFor();
	const end = await startFrames(page);
	await page.waitForTimeout(STREAM_SECONDS * 1_000 - 1_000);
	reportFrames(`an answer of ${CHUNKS_PER_SECOND} events/s`, await end());
}

async function measureList(page, url, base) {
	const startedAt = performance.now();
	await page.goto(`${url}/#/knowledge/${base}`);
	await page.reload();
	await page
		.locator(".documents > li")
		.nth(PAGE_SIZE - 1)
		.waitFor();
	report.report(
		`list of ${report.number(DOCUMENTS)} documents, first page shown`,
		performance.now() - startedAt,
		"ms",
	);
	const turnedAt = performance.now();
	await page.getByRole("button", { name: "Next", exact: true }).click();
	await page.getByText("Page 2", { exact: true }).waitFor();
	await page
		.locator(".documents > li")
		.nth(PAGE_SIZE - 1)
		.waitFor();
	report.report("… next page shown", performance.now() - turnedAt, "ms");
	const end = await startFrames(page);
	for (let step = 0; step < 60; step += 1) {
		await page.mouse.move(500, 500);
		await page.mouse.wheel(0, 120);
		await page.waitForTimeout(16);
	}
	reportFrames("… scrolling it", await end());
}

async function measure(folder, vendor) {
	const data = join(folder, "service");
	const service = await startService(data, {
		providers: {
			chunks: { provider: "openai-compatible", base_url: vendor.baseUrl, default_model: "chunks" },
		},
		chat: "chunks",
	});
	const url = service.url.replace("127.0.0.1", "localhost");
	const base = await createKnowledgeBase(service, "Handbook");
	const names = Array.from({ length: DOCUMENTS }, (_, index) => `note-${index}.md`);
	await ingest(
		service,
		names.map((name) => ({
			knowledgeBase: base,
			name,
			source: name,
			text: `# ${name}\n\nRefunds take days.`,
		})),
	);
	const browser = await chromium.launch({
		executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
		args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
	});
	const storageState = await signIn(browser, data, url);
	await measureLoads(browser, storageState, url);
	const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 800 } });
	const page = await context.newPage();
	await measureStream(page, url);
	await measureList(page, url, base);
	await browser.close();
	await service.stop();
	console.log(report.toTable());
}

if (!existsSync(ASSETS)) throw new Error("The web app is not built: npm run build");
const folder = mkdtempSync(join(tmpdir(), "stemma-bench-web-"));
const vendor = await startChunkVendor({
	chunks: STREAM_SECONDS * CHUNKS_PER_SECOND,
	chunksPerSecond: CHUNKS_PER_SECOND,
});
try {
	await measure(folder, vendor);
} finally {
	vendor.stop();
	rmSync(folder, { recursive: true, force: true });
}
