import { randomBytes } from "node:crypto";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { createHarness } from "@stemma/simulators/processes";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServiceProcess, startService, vendorEnvironment } from "../end-to-end/servers";
import { hasChromium, startChromium } from "../quick-starts/page";
import { buildPage, type StaticPage, servePage } from "./built-page";
import { openReadyPage, type ReadyPage } from "./ready-page";
import { storeDesk } from "./shop-desk";

const QUESTION = "How long does a refund take?";
const ANSWER = "A refund takes **five working days** [1]. It goes to the card that was charged.";
const SHOWN = "A refund takes five working days 1. It goes to the card that was charged.";

const harness = createHarness();
let vendor: OpenAiSimulator;
let service: ServiceProcess;
let site: StaticPage;
let browser: Browser;
let chat: ReadyPage;
let text = ANSWER;
/** The second half of each answer waits for it. */
let held: Promise<void> | undefined;

async function start(): Promise<void> {
	const apiKey = `sk-${randomBytes(24).toString("hex")}`;
	vendor = await startOpenAiSimulator({
		apiKey,
		behaviour: () => ({ kind: "reply", text, ...(held && { held }) }),
	});
	const folder = await harness.folder();
	site = await servePage(folder);
	service = await startService(harness, { env: vendorEnvironment(vendor.baseUrl, apiKey) });
	await storeDesk(service);
	const { client_key } = await service.stemma.clientKeys.create({
		name: "ready chat",
		origins: [site.origin],
		agents: ["shop-desk"],
	});
	[browser] = await Promise.all([
		startChromium(),
		buildPage(harness, folder, { VITE_STEMMA_BASE_URL: service.url, VITE_STEMMA_CLIENT_KEY: client_key }),
	]);
	chat = await openReadyPage(browser, `${site.origin}/ready.html`, [site.origin, service.url]);
}

/** Holds the second half of each answer back. Returns what lets go of it. */
function hold(): () => void {
	const { promise, resolve } = Promise.withResolvers<void>();
	held = promise;
	return () => {
		held = undefined;
		resolve();
	};
}

const until = <Value>(read: () => Value) => expect.poll(read, { interval: 20 });
const untilIdle = () => until(() => chat.hasButton("Send")).toBe(true);

/** Messages of the only thread, as the service has them. */
async function listStored() {
	for await (const { id } of service.stemma.threads.list())
		return (await service.stemma.threads.messages(id)).messages;
	return [];
}

const listFeedback = async () => (await service.stemma.feedback.list()).data;

describe.skipIf(!hasChromium)("the ready chat, as Vite builds it", () => {
	beforeAll(start);
	afterAll(async () => {
		await Promise.all([browser?.close(), vendor?.close(), harness.end()]);
		site?.close();
	});

	it("answers with its sources, and keeps the focus in the field", async () => {
		expect(await chat.page.getByText("Ask about refunds").isVisible()).toBe(true);
		const release = hold();
		await chat.send(QUESTION);
		await until(chat.messages).toEqual([QUESTION, expect.stringMatching(/^A refund takes/)]);
		expect(await chat.announcement()).toBe("Answering…");
		expect(await chat.hasButton("Stop")).toBe(true);
		release();
		await until(chat.messages).toEqual([QUESTION, SHOWN]);
		await untilIdle();
		expect(await chat.sources()).toEqual([expect.stringContaining("Refunds")]);
		expect(await chat.announcement()).toBe(SHOWN);
		expect(await chat.focused()).toBe("Your message");
		await chat.page.getByRole("button", { name: /^Source 1:/ }).press("Enter");
		await until(() => chat.page.locator("blockquote").textContent()).toBe(
			"A refund takes five working days.",
		);
		const link = chat.page.getByRole("link", { name: "Open the document" });
		expect(await link.getAttribute("href")).toMatch(/\/v1\/documents\/doc_.*\/file\?token=/);
	});

	it("breaks no rule of accessibility", async () => {
		expect(await chat.violations()).toEqual([]);
		await chat.page.emulateMedia({ colorScheme: "dark" });
		expect(await chat.violations()).toEqual([]);
	});

	it("stops an answer, and keeps what was written", async () => {
		const release = hold();
		await chat.send("And a refund by bank?");
		await until(async () => (await chat.messages())[3]).toMatch(/^A refund/);
		await chat.click("Stop");
		await until(chat.statuses).toEqual(["completed", "completed", "completed", "cancelled"]);
		await until(() => vendor.requests.at(-1)?.isAborted).toBe(true);
		release();
		await chat.click("Try again");
		await until(async () => (await chat.messages())[3]).toBe(SHOWN);
		await untilIdle();
		expect(await chat.statuses()).toEqual(["completed", "completed", "completed", "completed"]);
	});

	it("rejoins the answer after a reload in its middle", async () => {
		const release = hold();
		await chat.send("How is a refund made?");
		await until(async () => (await chat.messages())[5]).toMatch(/^A refund/);
		const requests = vendor.requests.length;
		await chat.page.reload();
		await until(async () => (await chat.messages())[5]).toMatch(/^A refund/);
		expect(await chat.hasButton("Stop")).toBe(true);
		release();
		await until(async () => (await chat.messages())[5]).toBe(SHOWN);
		await untilIdle();
		expect(vendor.requests).toHaveLength(requests);
	});

	it("begins a branch at an edited message, and shows both", async () => {
		const edit = chat.page.getByRole("button", { name: "Edit" }).first();
		await edit.press("Enter");
		await until(chat.focused).toBe("Edit");
		await chat.page.keyboard.press("Escape");
		await until(chat.focused).toBe("Edit");
		await edit.press("Enter");
		await chat.page.getByRole("textbox", { name: "Edit" }).fill("Is a refund quick?");
		await chat.page.keyboard.press("Enter");
		await until(chat.messages).toEqual(["Is a refund quick?", SHOWN]);
		await untilIdle();
		expect(await chat.focused()).toBe("Your message");
		const previous = chat.page.getByRole("button", { name: "Previous version" }).first();
		await previous.press("Enter");
		await until(async () => (await chat.messages()).length).toBe(6);
		expect(await chat.focused()).toBe("Previous version");
		// The model has seen nothing of the other branch.
		const body = JSON.stringify(vendor.requests.at(-1)?.body);
		expect(body).toContain("Is a refund quick?");
		expect(body).not.toContain("How is a refund made?");
		const roots = (await listStored()).filter(({ parent_id }) => parent_id === null);
		expect(roots.map((message) => message.text)).toEqual([QUESTION, "Is a refund quick?"]);
	});

	it("sends a thumb and a comment", async () => {
		await chat.click("Bad answer");
		await chat.page.getByLabel("What was wrong?").fill("Too short.");
		await chat.page.keyboard.press("Enter");
		await until(() => chat.page.getByText("Thank you.").isVisible()).toBe(true);
		await expect
			.poll(listFeedback)
			.toMatchObject([{ rating: "down", comment: "Too short.", agent_slug: "shop-desk" }]);
	});

	it("runs and loads nothing that a text contains", async () => {
		text = `<img src="https://evil.example/a.png" onerror="alert(1)"> ![b](https://evil.example/b.png) [c](javascript:alert(1)) ${"x".repeat(20_000)}`;
		await chat.click("New chat");
		await until(chat.messages).toEqual([]);
		await chat.send("<script>alert(1)</script>");
		await untilIdle();
		await until(chat.messages).toEqual([
			"<script>alert(1)</script>",
			expect.stringMatching(/^<img src="https:\/\/evil\.example\/a\.png" onerror="alert\(1\)"> b c x/),
		]);
		const width = await chat.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		expect(width).toBeLessThanOrEqual(0);
		expect(chat.problems).toEqual([]);
	});

	it("says what is wrong, and what to do", async () => {
		await service.stemma.agents.delete("shop-desk");
		await chat.send("Is anybody there?");
		await until(() => chat.page.getByRole("alert").textContent()).toMatch(
			/^There is no agent .*\. GET \/v1\/agents lists/,
		);
		expect(await chat.hasButton("Send")).toBe(true);
	});
});
