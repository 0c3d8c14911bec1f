import { readFile } from "node:fs/promises";
import type { Download } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../quick-starts/page";
import { createEncryptionKey, startWebAppFixture, type WebAppFixture } from "./web-app-fixture";
import { signInToWebApp, type WebAppPage } from "./web-app-page";

const HOSTILE = "<img src=x onerror=alert(1)> safe\u202efdp";

let fixture: WebAppFixture;
let app: WebAppPage;

const until = <Value>(read: () => Value) => expect.poll(read, { interval: 50 });
const has = (text: string | RegExp) => until(() => app.page.getByText(text).first().isVisible()).toBe(true);
const dialogButton = (name: string) =>
	app.page.getByRole("dialog").getByRole("button", { name, exact: true });
const rows = () => app.page.locator(".people > li");
const secretShown = async () => (await app.page.locator(".notice.good code").textContent()) ?? "";

async function save(click: () => Promise<void>): Promise<string> {
	const [download] = await Promise.all<[Promise<Download>, Promise<void>]>([
		app.page.waitForEvent("download"),
		click(),
	]);
	return readFile(await download.path(), "utf8");
}

/** Asserts that the page is accessible in both themes, fits a phone, and ran and loaded nothing of others. */
async function expectSound(name: string): Promise<void> {
	expect(await app.violations()).toEqual([]);
	expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
	expect(app.problems).toEqual([]);
	await app.shoot(name);
}

/** Gets a token, as a server does: the status says whether the service knows the client. */
async function signInClient(credentials: string): Promise<number> {
	const [, id = "", secret = ""] = /CLIENT_ID=(\S+)\s+STEMMA_CLIENT_SECRET=(\S+)/.exec(credentials) ?? [];
	const body = new URLSearchParams({
		grant_type: "client_credentials",
		client_id: id,
		client_secret: secret,
	});
	return (await fetch(`${fixture.service().url}/oauth/token`, { method: "POST", body })).status;
}

describe.skipIf(!hasChromium)("the pages of admins", () => {
	beforeAll(async () => {
		fixture = await startWebAppFixture(createEncryptionKey());
		await fixture.service().stemma.knowledge.create({ name: HOSTILE });
		app = await signInToWebApp(fixture.browser, await fixture.invite("ada@example.com", "admin"));
		await app.page
			.getByText("What would you like to know?")
			.or(app.page.getByText("nothing to answer"))
			.waitFor();
	});
	afterAll(() => fixture?.close());

	it("create a client, whose secret is shown once, give it another one, and delete it", async () => {
		await app.page.getByRole("link", { name: "Settings", exact: true }).click();
		await app.page.getByLabel("Name").fill("Shop backend");
		await app.page.getByRole("checkbox", { name: /Run agents/ }).check();
		await app.click("Create");
		await has("Client id and secret of Shop backend");
		const first = await secretShown();
		expect(await signInClient(first)).toBe(200);
		await expectSound("settings-clients");
		const created = rows().filter({ hasText: "Shop backend" });
		expect(await created.textContent()).toContain("ask, agents:run");
		await app.click("New secret of Shop backend");
		await dialogButton("Make a new secret").click();
		await until(secretShown).not.toBe(first);
		expect([await signInClient(first), await signInClient(await secretShown())]).toEqual([401, 200]);
		await app.page.reload();
		await created.waitFor();
		expect(await app.page.locator(".notice.good").count()).toBe(0);
		await app.click("Delete the client Shop backend");
		await dialogButton("Cancel").click();
		expect(await created.count()).toBe(1);
		await app.click("Delete the client Shop backend");
		await dialogButton("Delete").click();
		await until(() => created.count()).toBe(0);
	});

	it("say what to do where the service refuses", async () => {
		await app.page
			.getByRole("button", { name: /^Delete the client/ })
			.first()
			.click();
		await dialogButton("Delete").click();
		// The first client manages workspaces, too, which no role may.
		await has(/missing_scope/);
		expect(app.problems.splice(0)).toHaveLength(1);
	});

	it("create a client key for the origins of copied addresses, and delete it", async () => {
		await app.page.getByRole("link", { name: "Client keys" }).click();
		await app.page.getByLabel("Name").fill(HOSTILE);
		await app.page
			.getByLabel("Pages that may use it")
			.fill("https://app.example/page?q=1\nhttps://b.example");
		await app.page.getByRole("radio", { name: "These alone:" }).first().check();
		await app.page.getByRole("checkbox", { name: /^<img/ }).check();
		await app.page.getByText("Limits", { exact: true }).click();
		await app.page.getByLabel("Requests a minute").fill("5");
		await app.click("Create");
		await until(secretShown).toMatch(/^ck_/);
		const created = rows().filter({ hasText: "app.example" });
		expect(await created.textContent()).toMatch(
			/https:\/\/app\.example, https:\/\/b\.example.*5 requests a minute/s,
		);
		await expectSound("settings-keys");
		const [key] = (await fixture.service().stemma.clientKeys.list()).data.filter(
			({ name }) => name === HOSTILE,
		);
		expect(key?.knowledge_base_ids).toHaveLength(1);
		await created.getByRole("button").click();
		await dialogButton("Delete").click();
		await until(() => created.count()).toBe(0);
	});

	it("set a secret whose value is never shown, replace and delete it", async () => {
		await app.page.getByRole("link", { name: "Secrets" }).click();
		await has("There is no secret yet.");
		await app.page.getByLabel("Name").fill("tools");
		await app.page.getByLabel("Address that it is sent to").fill("https://tools.example.com/mcp");
		await app.page.getByLabel("Value").fill("a-value-that-nobody-sees");
		await app.click("Save");
		await has("tools is saved.");
		expect(await app.page.content()).not.toContain("a-value-that-nobody-sees");
		expect(await app.page.getByLabel("Value").inputValue()).toBe("");
		await expectSound("settings-secrets");
		await app.click("Replace tools");
		await app.page.getByLabel("Address that it is sent to").fill("https://other.example.com/mcp");
		await app.click("Save");
		await has(/value_required/);
		expect(app.problems.splice(0)).toHaveLength(1);
		await app.click("Delete tools");
		await dialogButton("Delete").click();
		await has("There is no secret yet.");
	});

	it("list and end the session of a member", async () => {
		const link = await fixture.invite("bob@example.com", "viewer");
		const viewer = await signInToWebApp(fixture.browser, link);
		await viewer.page.getByRole("navigation").first().waitFor();
		await app.page.getByRole("link", { name: "Sessions" }).click();
		await has("this browser");
		await app.page.getByLabel("Member").selectOption({ label: "bob (bob@example.com)" });
		await until(() => rows().count()).toBe(1);
		expect(await rows().textContent()).toMatch(/Chrome \d+, Linux/);
		await expectSound("settings-sessions");
		await rows().getByRole("button").click();
		await dialogButton("End").click();
		await has("This person is not signed in anywhere.");
		await viewer.page.reload();
		await viewer.page.getByRole("heading", { name: "Sign in to Stemma" }).waitFor();
		await viewer.close();
	});

	it("show who changed what, by action, and as a file without formulas", async () => {
		await fixture.service().stemma.apiClients.create({ name: `=1+1 ${HOSTILE}`, scopes: ["ask"] });
		await app.page.getByRole("link", { name: "Audit" }).click();
		await until(() => rows().first().textContent()).toContain("client.created");
		await rows().first().getByText("Details").click();
		await until(() => rows().first().locator("pre").textContent()).toContain("=1+1");
		await expectSound("settings-audit");
		await app.page.getByLabel("Action").selectOption("secret.set");
		await until(() => rows().count()).toBe(1);
		expect(await rows().textContent()).toMatch(/secret\.set.*by ada/s);
		const csv = await save(() => app.click("Download as CSV"));
		expect(csv).toMatch(/^\ufeffid,at,action,actor,.*\r\naud_[^\r]+,secret\.set,usr_[^,]+,ada,tools,/);
		expect(csv).not.toContain("a-value-that-nobody-sees");
		await app.page.getByLabel("Action").selectOption("");
		await until(() => rows().count()).toBeGreaterThan(1);
		expect(await save(() => app.click("Download as CSV"))).toContain('""name"":""=1+1 <img');
	});

	it("show tokens by day and group, the same as tables and as a file", async () => {
		await app.page.getByRole("link", { name: "Usage" }).click();
		await has("No model was called in these days.");
		expect(await app.violations()).toEqual([]);
		const { knowledge, ask } = fixture.service().stemma;
		const { id } = await knowledge.create({ name: "Shop" });
		const upload = await knowledge.documents.addText(id, { text: "# Refunds\n\nA refund takes five days." });
		await knowledge.documents.waitUntilReady(id, upload, { pollMs: 50 });
		fixture.say("Five days [1].");
		const { receipt } = await ask({ question: "How long does a refund take?", knowledge_base_ids: [id] });
		const tokens = receipt.reduce(
			(sum, { input_tokens, output_tokens }) => sum + input_tokens + output_tokens,
			0,
		);
		await app.page.reload();
		const shown = new Intl.NumberFormat("en-US").format(tokens);
		await until(() => app.page.locator(".chart").getAttribute("aria-label")).toContain(`${shown} in all`);
		expect(await app.page.locator(".chart rect").count()).toBeGreaterThan(0);
		expect(await app.page.locator(".summary").textContent()).toContain("answer");
		await expectSound("usage");
		await app.page.getByLabel("By", { exact: true }).selectOption("model");
		await until(() => app.page.locator(".summary").textContent()).toContain("simulated-1");
		await app.page.getByLabel("By", { exact: true }).selectOption("payer");
		await until(() => app.page.locator(".summary").textContent()).toContain("deployment");
		await app.page.getByLabel("By", { exact: true }).selectOption("user");
		await until(() => app.page.locator(".summary").textContent()).toContain("Clients and indexing");
		expect(await save(() => app.click("Download as CSV"))).toMatch(
			/^\ufeffday,payer,stage,.*\r\n\d{4}-\d\d-\d\d,deployment,/,
		);
		await app.page.getByLabel("To", { exact: true }).fill("2020-01-31");
		await app.page.getByLabel("From", { exact: true }).fill("2020-01-01");
		await has("No model was called in these days.");
	});

	it("are not there for editors", async () => {
		const editor = await signInToWebApp(fixture.browser, await fixture.invite("eve@example.com", "editor"));
		await editor.page.getByRole("navigation").first().waitFor();
		const pages = await editor.page.getByRole("navigation").first().getByRole("link").allTextContents();
		expect(pages).not.toContain("Settings");
		expect(pages).not.toContain("Usage");
		expect(editor.problems).toEqual([]);
		await editor.close();
	});
});
