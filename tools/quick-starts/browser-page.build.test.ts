import { createHarness } from "@stemma/simulators/processes";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { vendorEnvironment } from "../end-to-end/servers";
import { startVendor, type Vendor } from "../end-to-end/vendor";
import { hasChromium, openShopPage, startChromium } from "./page";
import { createReadmeFixture, type ReadmeFixture } from "./readme-fixture";

const harness = createHarness();
let fixture: ReadmeFixture;
let browser: Browser;
let vendor: Vendor;
let url: string;

/** The page over a service whose vendor takes its time. */
async function start(): Promise<void> {
	vendor = await startVendor();
	fixture = await createReadmeFixture(harness, { env: vendorEnvironment(vendor.baseUrl, vendor.apiKey) });
	const { agents, clientKeys } = fixture.service.stemma;
	await agents.create({
		slug: "shop-desk",
		graph: { nodes: [{ id: "desk", kind: "coordinator" }], edges: [] },
	});
	const origin = `http://localhost:${fixture.portFor("8080")}`;
	const key = await clientKeys.create({ name: "page", origins: [origin], agents: ["shop-desk"] });
	await fixture.replaceInFile("examples/browser-esm/index.html", "ck_…", key.client_key);
	[url] = await fixture.start("node examples/browser-esm/serve.mjs").waitForOutput(/http:\/\/\S+/);
	browser = await startChromium();
}

describe.skipIf(!hasChromium)("the page of the browser quick start", () => {
	beforeAll(start);
	afterAll(async () => {
		await Promise.all([browser?.close(), vendor?.close(), harness.end()]);
	});

	it("shows the answer while it is written", async () => {
		const page = await openShopPage(browser, url);
		await page.ask("#slow");
		await expect.poll(page.answer, { interval: 20 }).toMatch(/^A sentence/);
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
		await expect.poll(page.answer, { interval: 20 }).toMatch(/^A sentence/);
		await page.cancel();
		expect(await page.ended()).toBe("cancelled");
		expect(await page.answer()).toMatch(/^A sentence/);
		const request = vendor.requests.find(({ body }) => JSON.stringify(body).includes("#stall"));
		await expect.poll(() => request?.isAborted, { interval: 20 }).toBe(true);
		expect(page.errors).toEqual([]);
	});
});
