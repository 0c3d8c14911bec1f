import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScene } from "../end-to-end/scene";
import { vendorEnvironment } from "../end-to-end/servers";
import { startVendor, type Vendor } from "../end-to-end/vendor";
import { hasChromium, openShopPage, startChromium } from "./page";
import { createStage, type Stage } from "./stage";

const scene = createScene();
let stage: Stage;
let browser: Browser;
let vendor: Vendor;
let url: string;

/** The page over a service whose vendor takes its time. */
async function start(): Promise<void> {
	vendor = await startVendor();
	stage = await createStage(scene, { env: vendorEnvironment(vendor.baseUrl, vendor.apiKey) });
	const { agents, clientKeys } = stage.service.stemma;
	await agents.create({
		slug: "shop-desk",
		graph: { nodes: [{ id: "desk", kind: "coordinator" }], edges: [] },
	});
	const origin = `http://localhost:${stage.portFor("8080")}`;
	const key = await clientKeys.create({ name: "page", origins: [origin], agents: ["shop-desk"] });
	await stage.replaceInFile("examples/browser-esm/index.html", "ck_…", key.client_key);
	[url] = await stage.start("node examples/browser-esm/serve.mjs").said(/http:\/\/\S+/);
	browser = await startChromium();
}

describe.skipIf(!hasChromium)("the page of the browser quick start", () => {
	beforeAll(start);
	afterAll(async () => {
		await Promise.all([browser?.close(), vendor?.close(), scene.end()]);
	});

	it("shows the answer while it is written", async () => {
		const page = await openShopPage(browser, url);
		await page.ask("#slow");
		await expect.poll(page.answer, { timeout: 10_000, interval: 20 }).toMatch(/^A sentence/);
		expect(await page.status()).toBe("…");
		const early = await page.answer();
		expect(await page.ended()).toBe("completed");
		const whole = await page.answer();
		expect(whole.startsWith(early)).toBe(true);
		expect(whole.length).toBeGreaterThan(early.length);
		expect(page.errors).toEqual([]);
	});

	it("cancels, keeps what was written, and the vendor is left", async () => {
		const page = await openShopPage(browser, url);
		await page.ask("#stall");
		await expect.poll(page.answer, { timeout: 10_000, interval: 20 }).toMatch(/^A sentence/);
		await page.cancel();
		expect(await page.ended()).toBe("cancelled");
		expect(await page.answer()).toMatch(/^A sentence/);
		const request = vendor.requests.find(({ body }) => JSON.stringify(body).includes("#stall"));
		await expect.poll(() => request?.isAborted, { timeout: 2000, interval: 20 }).toBe(true);
		expect(page.errors).toEqual([]);
	});
});
