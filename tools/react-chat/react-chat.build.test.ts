import { randomBytes } from "node:crypto";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { createHarness } from "@stemma/simulators/processes";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServiceProcess, startService, vendorEnvironment } from "../end-to-end/servers";
import { hasChromium, startChromium } from "../quick-starts/page";
import { buildPage, type StaticPage, servePage } from "./built-page";
import { type ChatPage, openChatPage } from "./chat-page";
import { storeDesk } from "./shop-desk";

/** The answer takes about three seconds. */
const ANSWER =
	`A refund takes five working days [1]. ${"It goes to the card that was charged. ".repeat(14)}`.trim();
const QUESTION = "How long does a refund take?";

const harness = createHarness();
let vendor: OpenAiSimulator;
let service: ServiceProcess;
let site: StaticPage;
let browser: Browser;
/** The second half of each answer waits for it. */
let held: Promise<void> | undefined;

async function start(): Promise<void> {
	const apiKey = `sk-${randomBytes(24).toString("hex")}`;
	vendor = await startOpenAiSimulator({
		apiKey,
		behaviour: () => ({ kind: "reply", text: ANSWER, pauseMs: 40, ...(held && { held }) }),
	});
	const folder = await harness.folder();
	site = await servePage(folder);
	service = await startService(harness, { env: vendorEnvironment(vendor.baseUrl, apiKey) });
	await storeDesk(service);
	const { client_key } = await service.stemma.clientKeys.create({
		name: "chat page",
		origins: [site.origin],
		agents: ["shop-desk"],
	});
	[browser] = await Promise.all([
		startChromium(),
		buildPage(harness, folder, { VITE_STEMMA_BASE_URL: service.url, VITE_STEMMA_CLIENT_KEY: client_key }),
	]);
}

async function listRuns() {
	const statuses: string[] = [];
	for await (const { status } of service.stemma.runs.list()) statuses.push(status);
	return statuses;
}

const until = <Value>(read: () => Value) => expect.poll(read, { interval: 20 });

/** Waits for the first words of an answer. */
async function untilWriting(page: ChatPage): Promise<string> {
	await until(page.answer).toMatch(/^A refund takes/);
	return page.answer();
}

describe.skipIf(!hasChromium)("the chat page, as Vite builds it", () => {
	let page: ChatPage;
	beforeAll(start);
	afterAll(async () => {
		await Promise.all([browser?.close(), vendor?.close(), harness.end()]);
		site?.close();
	});

	it("shows the answer as it is written, then its sources", async () => {
		page = await openChatPage(browser, site.origin);
		await page.ask(QUESTION);
		const lengths = [(await untilWriting(page)).length];
		while (await page.hasButton("Cancel")) {
			const { length } = await page.answer();
			if (length > (lengths.at(-1) ?? 0)) lengths.push(length);
		}
		await until(page.answer).toBe(ANSWER);
		expect(lengths.length).toBeGreaterThan(5);
		expect(await page.sources()).toEqual([expect.stringContaining("Refunds")]);
		expect(page.errors).toEqual([]);
	});

	it("cancels, keeps what was written, and the vendor is left", async () => {
		held = new Promise(() => undefined);
		await page.ask("And then?");
		const early = await untilWriting(page);
		await page.pressReturn("Impatient?");
		await page.click("Cancel");
		await until(() => page.hasText("Cancelled.")).toBe(true);
		expect((await page.answer()).startsWith(early)).toBe(true);
		expect(await page.questions()).toEqual([QUESTION, "And then?"]);
		await until(listRuns).toEqual(["cancelled", "completed"]);
		await until(() => vendor.requests.at(-1)?.isAborted).toBe(true);
		expect(page.errors).toEqual([]);
	});

	it("tells the agent of complete answers alone, and shows the others, too", async () => {
		held = undefined;
		await page.ask("Once more?");
		await untilWriting(page);
		expect(await page.questions()).toEqual([QUESTION, "And then?", "Once more?"]);
		const requestBody = JSON.stringify(vendor.requests.at(-1)?.body);
		expect(requestBody).toContain(QUESTION);
		expect(requestBody).toContain("Once more?");
		expect(requestBody).not.toContain("And then?");
		await until(() => page.hasButton("Ask")).toBe(true);
	});

	it("rejoins the run after a reload in its middle", async () => {
		const { promise, resolve: release } = Promise.withResolvers<void>();
		held = promise;
		await page.click("New conversation");
		await page.ask(QUESTION);
		const early = await untilWriting(page);
		await page.reload();
		await until(async () => (await page.answer()).length).toBeGreaterThanOrEqual(early.length);
		expect(await page.hasButton("Cancel")).toBe(true);
		expect((await page.answer()).length).toBeLessThan(ANSWER.length);
		release();
		await until(page.answer).toBe(ANSWER);
		expect(await page.questions()).toEqual([QUESTION]);
		await page.reload();
		await until(page.answer).toBe(ANSWER);
		await until(page.sources).toEqual([expect.stringContaining("Refunds")]);
		expect(await listRuns()).toEqual(["completed", "completed", "cancelled", "completed"]);
		expect(page.errors).toEqual([]);
	});

	it.each([
		["somebody tries again", () => page.click("Try again")],
		["the browser is online again", () => page.emitOnline()],
	])("shows a run that could not be reached when %s", async (_, reconnect) => {
		await page.setCutOff(true);
		await page.reload();
		await until(() => page.hasButton("Try again")).toBe(true);
		expect(await page.alert()).toMatch(/^No connection to /);
		await page.setCutOff(false);
		await reconnect();
		await until(page.answer).toBe(ANSWER);
		expect(await page.hasButton("Try again")).toBe(false);
		expect(await page.questions()).toEqual([QUESTION]);
		expect(await listRuns()).toHaveLength(4);
	});

	it("shows what is wrong, and what to do", async () => {
		await service.stemma.agents.delete("shop-desk");
		await page.ask("Is anybody there?");
		await until(page.alert).toMatch(/^There is no agent .*\. GET \/v1\/agents lists/);
		expect(await page.hasButton("Ask")).toBe(true);
	});
});
