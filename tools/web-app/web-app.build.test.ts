import { request as requestHttp } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../quick-starts/page";
import { createEncryptionKey, startWebAppFixture, type WebAppFixture } from "./web-app-fixture";
import { openWebApp, signInToWebApp, type WebAppPage } from "./web-app-page";

const QUESTION = "How long does a refund take?";
const ANSWER = "A refund takes **five working days** [1].";
const SHOWN = "A refund takes five working days 1.";
const REFUNDS = "# Refunds\n\nA refund takes five working days.\n\n## Abroad\n\nAbroad it takes ten.\n";

let fixture: WebAppFixture;
let link: string;
let app: WebAppPage;

const until = <Value>(read: () => Value) => expect.poll(read, { interval: 50 });
const has = (text: string | RegExp) => until(() => app.page.getByText(text).first().isVisible()).toBe(true);
const answers = () =>
	app.page.locator('.stemma-message[data-role="assistant"] .stemma-text').allTextContents();

describe.skipIf(!hasChromium)("the web app", () => {
	beforeAll(async () => {
		fixture = await startWebAppFixture(createEncryptionKey());
		link = await fixture.invite("ada@example.com", "admin");
	});
	afterAll(() => fixture?.close());

	it("shows people without a session how to get a link", async () => {
		const visitor = await openWebApp(fixture.browser, new URL(link).origin);
		await until(() => visitor.page.getByRole("heading", { name: "Sign in to Stemma" }).isVisible()).toBe(
			true,
		);
		expect(await visitor.violations()).toEqual([]);
		expect(await visitor.phoneOverflow()).toBeLessThanOrEqual(0);
		await visitor.shoot("sign-in");
		await visitor.open(new URL(link).hash);
		await visitor.page.getByRole("button", { name: "Sign in with this link" }).waitFor();
		expect(await visitor.page.evaluate(() => JSON.stringify(localStorage))).not.toContain("sign-in");
		expect(visitor.problems).toEqual([]);
		await visitor.close();
	});

	it("signs in with a link after a click: it works once and is in no history", async () => {
		app = await openWebApp(fixture.browser, link);
		await has("Sign in only with a link that you expected");
		expect(app.page.url()).toBe(`${new URL(link).origin}/#/ask`);
		expect(await app.violations()).toEqual([]);
		expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
		await app.shoot("sign-in-link");
		await app.click("Sign in with this link");
		await has("There is nothing to answer from yet");
		expect(app.page.url()).toBe(`${new URL(link).origin}/#/ask`);
		await app.page.reload();
		await has("There is nothing to answer from yet");
		expect(await app.violations()).toEqual([]);
		await app.shoot("ask-first");
		const again = await signInToWebApp(fixture.browser, link);
		await until(() => again.page.getByRole("alert").textContent()).toMatch(
			/was used before.*sign_in_link_invalid/s,
		);
		await again.close();
		expect(app.problems).toEqual([]);
	});

	it("keeps a session when a link is pasted: until the click, and for one that does not work", async () => {
		const another = await fixture.invite("ada@example.com", "admin");
		await app.open(new URL(another).hash);
		await has("You are signed in as ada (ada@example.com) in");
		expect(app.page.url()).not.toContain("sign-in");
		expect(await app.violations()).toEqual([]);
		await app.shoot("sign-in-replaces");
		await app.click("Stay signed in");
		await has("There is nothing to answer from yet");
		await app.open(new URL(link).hash);
		await app.click("Sign in with this link");
		await until(() => app.page.getByRole("alert").textContent()).toContain("sign_in_link_invalid");
		await app.click("Stay signed in");
		await has("There is nothing to answer from yet");
		await app.page.reload();
		await has("There is nothing to answer from yet");
		// It was not used.
		await app.open(new URL(another).hash);
		await app.click("Sign in with this link");
		await has("There is nothing to answer from yet");
		expect(app.problems).toEqual([]);
	});

	it("goes from 127.0.0.1 to localhost, where sessions work", async () => {
		const { port } = new URL(link);
		const visitor = await openWebApp(fixture.browser, `http://127.0.0.1:${port}/#/knowledge`);
		await visitor.page.waitForURL(`http://localhost:${port}/#/knowledge`);
		await visitor.close();
	});

	it("leads to first documents: a knowledge base, a file, and its state", async () => {
		await app.page.getByRole("link", { name: "Add documents" }).click();
		await has("There is no knowledge base yet.");
		expect(await app.violations()).toEqual([]);
		await app.page.getByLabel("Name").fill("Shop");
		await app.page.keyboard.press("Enter");
		await has("There are no documents in it yet.");
		await app.page.locator("input[type=file]").setInputFiles([
			{ name: "refunds.md", mimeType: "text/markdown", buffer: Buffer.from(REFUNDS) },
			{ name: "broken.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4 nothing of it") },
		]);
		await until(() => app.page.locator('.documents li[data-status="ready"]').count()).toBe(1);
		const broken = app.page.locator('.documents li[data-status="failed"]');
		await until(() => broken.textContent()).toMatch(/Code: \w+/);
		expect(await app.violations()).toEqual([]);
		expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
		await app.shoot("knowledge");
	});

	it("searches with scores, and marks a passage in its document", async () => {
		await app.page.getByPlaceholder("Words or a question").fill("refund");
		await app.page.keyboard.press("Enter");
		await until(() => app.page.locator(".passages .badge").first().textContent()).toMatch(/^Score [\d.,]+$/);
		await app.page.locator(".passages").getByRole("button").first().click();
		await until(() => app.page.locator(".viewer mark").textContent()).toContain(
			"A refund takes five working days.",
		);
		expect(await app.violations()).toEqual([]);
		await app.page.keyboard.press("Escape");
		await until(() => app.page.locator(".viewer").count()).toBe(0);
	});

	it("retries and deletes a document", async () => {
		await app.page.getByRole("button", { name: /^Read again:/ }).click();
		await until(() => app.page.locator('.documents li[data-status="failed"]').count()).toBe(1);
		await app.page
			.locator('li[data-status="failed"]')
			.getByRole("button", { name: /^Delete/ })
			.click();
		expect(await app.violations()).toEqual([]);
		await app.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
		await until(() => app.page.locator(".documents li").count()).toBe(1);
		expect(app.problems).toEqual([]);
	});

	it("keeps a draft, answers with streaming, and opens a source at its passage", async () => {
		await app.page.getByRole("link", { name: "Ask", exact: true }).click();
		const field = app.page.getByLabel("Your question");
		await field.fill(QUESTION);
		await app.page.reload();
		await until(() => field.inputValue()).toBe(QUESTION);
		fixture.say(ANSWER);
		const release = fixture.hold();
		await field.press("Enter");
		await until(async () => (await answers())[0]).toMatch(/^A refund/);
		release();
		await until(answers).toEqual([SHOWN]);
		await until(() => app.page.url()).toMatch(/#\/ask\/thr_/);
		await app.page.locator("button.stemma-source").first().click();
		await until(() => app.page.locator(".viewer mark").textContent()).toContain(
			"A refund takes five working days.",
		);
		expect(await app.violations()).toEqual([]);
		await app.shoot("ask-source");
		await app.page.keyboard.press("Escape");
		await app.page.locator(".stemma-receipt summary").click();
		await has(/answer: simulated-1, \d+ tokens, deployment, \d+ ms/);
		await until(() => app.page.locator(".threads li").count()).toBe(1);
		expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
		await app.shoot("ask");
		await app.page.reload();
		await until(answers).toEqual([SHOWN]);
		expect(app.problems).toEqual([]);
	});

	it("asks an agent, and rates its answer", async () => {
		const [shop] = (await fixture.service().stemma.knowledge.list()).data;
		await fixture.service().stemma.agents.create({
			slug: "shop-desk",
			graph: {
				name: "Shop desk",
				nodes: [
					{ id: "desk", kind: "coordinator", instructions: "Answer from the passages, and cite them." },
					{ id: "pages", kind: "knowledge", knowledgeBases: [shop?.id ?? ""], topK: 2 },
				],
				edges: [{ from: "desk", to: "pages", mode: "before" }],
			},
		});
		await app.page.reload();
		await app.click("New conversation");
		await until(answers).toEqual([]);
		await app.page.locator(".picker summary").click();
		await app.page.getByRole("radio", { name: "Shop desk" }).check();
		expect(await app.violations()).toEqual([]);
		await app.page.keyboard.press("Escape");
		await app.page.getByLabel("Your question").fill(QUESTION);
		await app.page.keyboard.press("Enter");
		await until(answers).toEqual([SHOWN]);
		await app.click("Good answer");
		await until(() =>
			app.page.getByRole("button", { name: "Good answer" }).getAttribute("aria-pressed"),
		).toBe("true");
		await until(() => app.page.locator(".threads li").count()).toBe(2);
		await app.page.getByLabel("Search conversations").fill("nothing like it");
		await has("No conversation has these words.");
		await app.page.getByLabel("Search conversations").fill("");
		expect(app.problems).toEqual([]);
	});

	it("deletes a conversation", async () => {
		await app.page.locator(".threads li").first().getByRole("button").click();
		await app.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
		await until(() => app.page.locator(".threads li").count()).toBe(1);
		await until(answers).toEqual([]);
	});

	it("tests, saves and clears the model settings, and shows who pays before and after", async () => {
		await app.page.getByRole("link", { name: "Models" }).click();
		await has("Nothing is set");
		expect(await app.violations()).toEqual([]);
		await app.page.getByLabel("Endpoint").fill(fixture.vendor.baseUrl);
		await app.page.getByLabel("Model", { exact: true }).fill("simulated-2");
		await app.page.getByLabel("API key").fill("sk-wrong");
		await app.click("Test");
		await until(() => app.page.getByRole("alert").textContent()).toMatch(/^The test failed.*Code:/s);
		await app.shoot("models-failed");
		await app.page.getByLabel("API key").fill(fixture.vendorKey);
		fixture.say("OK");
		await app.click("Test");
		await has(/^simulated-\d answered in/);
		await app.click("Save");
		await has("A key is stored. It is never shown.");
		await has("Saved.");
		await until(() => app.page.locator(".plan").textContent()).toMatch(
			/Before.*paid by: the deployment.*Now.*paid by: this workspace/s,
		);
		expect(await app.page.content()).not.toContain(fixture.vendorKey);
		expect(await app.page.getByLabel("API key").inputValue()).toBe("");
		expect(await app.violations()).toEqual([]);
		expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
		await app.shoot("models");
		await app.click("Clear");
		await app.page.getByRole("dialog").getByRole("button", { name: "Clear" }).click();
		await has("Nothing is set");
		expect(app.problems).toEqual([]);
	});

	it("invites a viewer, who sees no control that would be refused", async () => {
		await app.page.getByRole("link", { name: "Members" }).click();
		await app.page.getByLabel("E-mail address").fill("bob@example.com");
		await app.click("Create a link");
		const invitation = (await app.page.locator(".notice.good code").textContent()) ?? "";
		expect(invitation).toMatch(/#sign-in=/);
		expect(await app.violations()).toEqual([]);
		expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
		await app.shoot("members");
		const viewer = await signInToWebApp(fixture.browser, invitation);
		await until(() => viewer.page.getByText("What would you like to know?").isVisible()).toBe(true);
		const pages = viewer.page.getByRole("navigation").getByRole("link");
		expect(await pages.allTextContents()).toEqual(["Ask", "Knowledge", "Agents", "Runs"]);
		// Conversations are of the person who began them.
		expect(await viewer.page.locator(".threads li").count()).toBe(0);
		await viewer.open("#/knowledge");
		await viewer.page.getByRole("link", { name: /^Shop/ }).click();
		await until(() => viewer.page.locator(".documents li").count()).toBe(1);
		expect(await viewer.page.getByRole("button", { name: /Delete|choose files|Create/ }).count()).toBe(0);
		expect(viewer.problems).toEqual([]);
		await app.page.reload();
		await app.click("Remove bob");
		await app.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
		await until(() => app.page.locator(".people").first().locator("li").count()).toBe(1);
		await viewer.page.reload();
		await until(() => viewer.page.getByRole("heading", { name: "Sign in to Stemma" }).isVisible()).toBe(true);
		await viewer.close();
	});

	it("is in the theme of the person, also after a reload", async () => {
		const background = () =>
			app.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
		const light = await background();
		await app.page.locator("summary[aria-label=Account]").click();
		await app.page.getByLabel("Theme").selectOption("dark");
		expect(await app.violations()).toEqual([]);
		await app.page.reload();
		await until(background).not.toBe(light);
	});

	it("signs out", async () => {
		await app.page.locator("summary[aria-label=Account]").click();
		await app.click("Sign out");
		await until(() => app.page.getByRole("heading", { name: "Sign in to Stemma" }).isVisible()).toBe(true);
		await app.close();
	});

	it("is sent compressed with its policy, and JSON to all others", async () => {
		const page = await get("/", {
			accept: "text/html",
			"accept-encoding": "gzip, br",
			host: new URL(link).host,
		});
		expect(page.headers).toMatchObject({
			"content-encoding": "br",
			"cache-control": "no-cache",
			"content-security-policy": expect.stringMatching(/^default-src 'none'; script-src 'self';/),
			"cross-origin-opener-policy": "same-origin",
			"referrer-policy": "no-referrer",
			"x-content-type-options": "nosniff",
		});
		const html = await get("/", { accept: "text/html", host: new URL(link).host });
		const [script = ""] = /\/assets\/[\w.-]+\.js/.exec(html.text) ?? [];
		const asset = await get(script, { "accept-encoding": "gzip" });
		expect(asset.headers).toMatchObject({
			"content-encoding": "gzip",
			"cache-control": "public, max-age=31536000, immutable",
			"content-type": "text/javascript; charset=utf-8",
		});
		expect(Number(asset.headers["content-length"])).toBeLessThan(120_000);
		expect((await get("/assets/..%2findex.html", {})).status).toBe(404);
		expect((await get("/", { accept: "text/html", host: "127.0.0.1:1" })).status).toBe(200);
		expect(JSON.parse((await get("/", { accept: "*/*" })).text)).toMatchObject({ name: "Stemma" });
	});
});

/** Sends a request as it is: `fetch` would unpack bodies, and sets headers of its own. */
function get(path: string, headers: Readonly<Record<string, string>>) {
	return new Promise<{ status: number; headers: Readonly<Record<string, unknown>>; text: string }>(
		(resolve, reject) => {
			const request = requestHttp(new URL(path, fixture.service().url), { headers }, async (response) => {
				const chunks: Buffer[] = [];
				for await (const chunk of response) chunks.push(chunk);
				resolve({
					status: response.statusCode ?? 0,
					headers: response.headers,
					text: Buffer.concat(chunks).toString(),
				});
			});
			request.on("error", reject).end();
		},
	);
}
