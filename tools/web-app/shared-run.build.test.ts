import { createMcpHandler, text, useRpcServer } from "@stemma/simulators/rpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../quick-starts/page";
import { createHandbook, HOSTILE_TEXT } from "./refund-agent";
import { startWebAppFixture, type WebAppFixture } from "./web-app-fixture";
import { openWebApp, signInToWebApp, type WebAppPage } from "./web-app-page";

const HIDDEN_CHARACTERS = /[\u202e\u200b]/u;

let fixture: WebAppFixture;
let app: WebAppPage;
/** Run of a desk that quotes a page and calls a tool. */
let run: string;

const tools = useRpcServer();
const until = <Value>(read: () => Value) => expect.poll(read, { interval: 50, timeout: 15_000 });
const dialog = () => app.page.getByRole("dialog", { name: "Share this run" });

/** Makes a link in the dialog, which is open, and returns its address. */
async function createLink(): Promise<string> {
	await dialog().getByRole("button", { name: "Create a link" }).click();
	const link = dialog().locator(".notice code");
	await until(() => link.textContent()).toMatch(/#shared=sh_/);
	return (await link.textContent()) ?? "";
}

/** Asserts that nothing ran, that nothing was loaded from elsewhere, and that the page fits a phone. */
async function expectHarmless({ page, problems, phoneOverflow }: WebAppPage): Promise<void> {
	expect(problems).toEqual([]);
	expect(await page.locator("main script, main iframe, a[href^='javascript']").count()).toBe(0);
	expect(await page.locator("main img:not([alt='Stemma'])").count()).toBe(0);
	expect(await page.locator("body").textContent()).not.toMatch(HIDDEN_CHARACTERS);
	expect(await phoneOverflow()).toBeLessThanOrEqual(0);
}

describe.skipIf(!hasChromium)("a link to a run", () => {
	beforeAll(async () => {
		tools.handle(
			createMcpHandler({
				era: "modern",
				tools: [{ name: "refund", description: "Pays." }],
				call: () => text(`Paid. ${HOSTILE_TEXT}`),
			}),
		);
		fixture = await startWebAppFixture();
		const { stemma } = fixture.service();
		await createHandbook(stemma);
		await stemma.agents.create({
			slug: "refund-desk",
			graph: {
				name: "Refund desk",
				nodes: [
					{ id: "desk", kind: "coordinator", instructions: "Help." },
					{ id: "pages", kind: "knowledge", knowledgeBases: ["handbook"], topK: 2 },
					{ id: "pay", kind: "tool", description: "Pays.", tool: "refund", server: `${tools.url}/mcp` },
				],
				edges: [
					{ from: "desk", to: "pages", mode: "before" },
					{ from: "desk", to: "pay", mode: "call", maxCalls: 1 },
				],
			},
		});
		fixture.vendor.enqueue(
			{ kind: "reply", toolCalls: [{ name: "pay", arguments: { note: HOSTILE_TEXT } }] },
			{ kind: "reply", text: `Five working days [1]. ${HOSTILE_TEXT}` },
		);
		run = (await stemma.agents.run("refund-desk", { input: `Refund? ${HOSTILE_TEXT}` })).run_id;
		app = await signInToWebApp(fixture.browser, await fixture.invite("ada@example.com", "editor"));
	});
	afterAll(() => fixture?.close());

	it("is made by keyboard, with what was chosen, and listed", async () => {
		await app.open(`#/runs/${run}`);
		const share = app.page.getByRole("button", { name: "Share", exact: true });
		await share.press("Enter");
		await until(() => dialog().getByText("There is no valid link to this run.").isVisible()).toBe(true);
		expect(await app.violations()).toEqual([]);
		await dialog().getByLabel("What tools and other agents were asked, and returned").press("Space");
		expect(
			await dialog()
				.getByLabel(/^Steps/)
				.isChecked(),
		).toBe(true);
		await dialog().getByLabel("Valid for").selectOption("1 day");
		await createLink();
		await until(() =>
			dialog()
				.getByText(/^input, answer, steps, tools · until .* · opened 0 times/)
				.count(),
		).toBe(1);
		expect(await app.violations()).toEqual([]);
		expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
		await app.shoot("share-run");
		await app.page.keyboard.press("Escape");
		await until(() => dialog().count()).toBe(0);
		await until(() => share.evaluate((element) => element === document.activeElement)).toBe(true);
	});

	it("opens without signing in, with the chosen parts and no controls, also after a reload", async () => {
		await app.click("Share");
		const link = await createLink();
		await app.click("Close");
		const shared = await openWebApp(fixture.browser, link);
		const { page } = shared;
		const requests: string[] = [];
		page.on("request", (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
		await page.reload();
		await until(() => page.getByRole("region", { name: "Answer" }).textContent()).toMatch(
			/Five working days.*<img src=/s,
		);
		expect(await page.getByRole("region", { name: "Question" }).textContent()).toContain("Refund? <img");
		await page
			.getByText(/^\[1\]/)
			.first()
			.press("Enter");
		await until(() => page.locator("blockquote").textContent()).toContain(
			"A refund takes five working days.",
		);
		for (const name of ["Timeline", "Receipt"])
			expect(await page.getByRole("region", { name }).count()).toBe(0);
		expect(await page.locator("main button, main input, nav").count()).toBe(0);
		expect(requests.filter((request) => request.includes("/v1/"))).toEqual(["POST /v1/shared-runs"]);
		expect(await shared.violations()).toEqual([]);
		await expectHarmless(shared);
		await shared.shoot("shared-run");
		await shared.close();
	});

	it("shows steps, calls of tools and the receipt where they were chosen", async () => {
		await app.click("Share");
		await dialog().getByLabel("What tools and other agents were asked, and returned").check();
		await dialog()
			.getByLabel(/^Receipt/)
			.check();
		const shared = await openWebApp(fixture.browser, await createLink());
		const steps = shared.page.locator(".timeline > li");
		await until(() => steps.locator(".span-name").allTextContents()).toEqual([
			"deskCoordinator",
			"pagesKnowledge",
			"payTool",
		]);
		for (const step of await steps.locator("summary").all()) await step.press("Enter");
		await until(() => steps.nth(2).textContent()).toMatch(/"note": "<img.*Paid\. <img/s);
		expect(await steps.nth(1).textContent()).not.toContain("A refund takes");
		expect(await shared.page.getByRole("region", { name: "Receipt" }).textContent()).toMatch(/simulated-1/);
		expect(await shared.violations()).toEqual([]);
		await expectHarmless(shared);
		await shared.close();
		await app.click("Close");
	});

	it("is revoked, and says so to whoever opens it", async () => {
		await app.click("Share");
		const link = await createLink();
		const buttons = dialog().getByRole("button", { name: /^Revoke/ });
		await until(() => buttons.count()).toBe(4);
		await buttons.first().click();
		await until(() => buttons.count()).toBe(3);
		const shared = await openWebApp(fixture.browser, link);
		await until(() => shared.page.getByText("This link is not valid").isVisible()).toBe(true);
		expect(await shared.page.getByRole("heading").textContent()).toBe("The link cannot be opened");
		expect(await shared.violations()).toEqual([]);
		// The browser notes the status 404.
		expect(shared.problems.filter((problem) => !problem.includes("404"))).toEqual([]);
		await shared.close();
	});

	it("offers a viewer what they see themselves alone", async () => {
		const viewer = await signInToWebApp(fixture.browser, await fixture.invite("bob@example.com", "viewer"));
		const { page } = viewer;
		fixture.say("Five working days.");
		await page.getByRole("link", { name: "Agents", exact: true }).click();
		await page.getByRole("link", { name: /Refund desk/ }).click();
		await page.getByLabel("Input", { exact: true }).fill("Refund?");
		await page.getByRole("button", { name: "Run", exact: true }).click();
		await page.getByRole("link", { name: "Open this run" }).click();
		await page.getByRole("button", { name: "Share", exact: true }).click();
		await until(() => page.getByRole("dialog").getByRole("checkbox").count()).toBe(4);
		await page.getByRole("button", { name: "Create a link" }).click();
		await until(() => page.locator(".notice code").textContent()).toMatch(/#shared=sh_/);
		expect(viewer.problems).toEqual([]);
		await viewer.close();
	});
});
