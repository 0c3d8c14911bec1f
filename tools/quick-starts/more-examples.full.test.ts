import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createHarness } from "@stemma/simulators/processes";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { vendorEnvironment } from "../end-to-end/servers";
import { startVendor, type Vendor } from "../end-to-end/vendor";
import { hasChromium, openShopPage, startChromium } from "./page";
import { createReadmeFixture, type ReadmeFixture } from "./readme-fixture";

// The examples that the README only names, over a service whose vendor takes its time.

const harness = createHarness();
let fixture: ReadmeFixture;
let vendor: Vendor;
let browser: Browser | undefined;

beforeAll(async () => {
	vendor = await startVendor();
	fixture = await createReadmeFixture(harness, { env: vendorEnvironment(vendor.baseUrl, vendor.apiKey) });
	const { agents, knowledge } = fixture.service.stemma;
	const { id } = await knowledge.create({ name: "shop" });
	const upload = await knowledge.documents.addText(id, {
		title: "Leave",
		text: "Parental leave takes 16 weeks.",
	});
	await knowledge.documents.waitUntilReady(id, upload);
	await agents.create({
		slug: "shop-desk",
		graph: { nodes: [{ id: "desk", kind: "coordinator" }], edges: [] },
	});
	if (hasChromium) browser = await startChromium();
});
afterAll(async () => {
	await Promise.all([browser?.close(), vendor?.close(), harness.end()]);
});

/** The commands of an example's README, one a line. */
async function readCommands(example: string): Promise<readonly [string, string]> {
	const readme = await readFile(join(fixture.folder, "examples", example, "README.md"), "utf8");
	const [, prepare = "", start = ""] = /```sh\n(.*)\n(.*)\n```/.exec(readme) ?? [];
	return [prepare, start];
}

it("a CommonJS program asks, and writes the answer as it comes", async () => {
	const commands = await readCommands("cjs-quickstart");
	const output = await fixture.run(commands.join("\n"));
	expect(output).toMatch(
		/^Asking "shop" …\n\nParental leave takes 16 weeks \[1\]\.\n\n\[1\] Leave\n(?:\S+, paid by: deployment\n)+$/,
	);
});

it.skipIf(!hasChromium)("a page streams through a route of its own server, and stops the run", async () => {
	if (browser === undefined) throw new Error("There is no browser.");
	const [prepare, start] = await readCommands("web-route");
	await fixture.run(prepare);
	const env = await readFile(join(fixture.folder, "examples/web-route/.env"), "utf8");
	const variables = Object.fromEntries(new URLSearchParams(env.trim().replaceAll("\n", "&")));
	const server = fixture.start(start.replace(/--env-file=\S+ /, ""), variables);
	const [url] = await server.waitForOutput(/http:\/\/\S+/);
	const page = await openShopPage(browser, url);

	await page.ask("#slow");
	await expect.poll(page.answer, { interval: 20 }).toMatch(/^A sentence/);
	expect(await page.status()).toBe("…");
	const early = await page.answer();
	expect(await page.ended()).toBe("completed");
	expect((await page.answer()).length).toBeGreaterThan(early.length);

	await page.ask("#stall");
	await expect.poll(page.answer, { interval: 20 }).toMatch(/^A sentence/);
	await page.cancel();
	expect(await page.ended()).toBe("cancelled");
	await expect.poll(async () => (await fixture.service.stemma.runs.list()).data[0]?.status).toBe("cancelled");

	const ask = (body: string): Promise<Response> => fetch(`${url}/api/ask`, { method: "POST", body });
	for (const body of ["", "{bad", "null", "[]", '{"question":""}', '{"question":5}']) {
		const refused = await ask(body);
		expect([body, refused.status, await refused.json()]).toEqual([body, 400, { error: "invalid_request" }]);
	}

	await page.ask("#fail");
	expect(await page.ended()).toMatch(/^The question could not be answered \(\w+\)\.$/);
	expect(page.errors).toEqual([]);
	expect(server.output()).not.toContain(variables.STEMMA_CLIENT_SECRET);
});
