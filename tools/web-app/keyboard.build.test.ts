import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../quick-starts/page";
import { createEncryptionKey, startWebAppFixture, type WebAppFixture } from "./web-app-fixture";
import { openWebApp, type WebAppPage } from "./web-app-page";

/** Presses of Tab after which what is looked for counts as out of reach. */
const MAX_TABS = 80;

let fixture: WebAppFixture;
let app: WebAppPage;

const until = <Value>(read: () => Value) => expect.poll(read, { interval: 50 });
const has = (text: string | RegExp) => until(() => app.page.getByText(text).first().isVisible()).toBe(true);
const press = (key: string) => app.page.keyboard.press(key);
const type = (text: string) => app.page.keyboard.type(text);
const button = (name: string | RegExp) => app.page.getByRole("button", { name });
const link = (name: string) => app.page.getByRole("navigation").getByRole("link", { name, exact: true });

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** Presses Tab until something has the focus, and checks that the focus can be seen. */
async function tabTo(target: Locator): Promise<void> {
	await target.first().waitFor();
	for (let count = 0; count < MAX_TABS; count += 1) {
		if (await isFocused(target.first())) return expectVisibleFocus();
		await press("Tab");
	}
	throw new Error(`${MAX_TABS} presses of Tab do not lead to ${String(target)}.`);
}

async function expectVisibleFocus(): Promise<void> {
	const outline = await app.page.evaluate(() => {
		const { activeElement } = document;
		return activeElement === null ? "" : getComputedStyle(activeElement).outlineStyle;
	});
	expect(outline).not.toBe("none");
}

async function tabAndPress(target: Locator, key = "Enter"): Promise<void> {
	await tabTo(target);
	await press(key);
}

/** Goes to another page by the keyboard, from the beginning of this one. */
async function goTo(name: string): Promise<void> {
	await tabAndPress(link(name));
	await until(() => link(name).getAttribute("aria-current")).toBe("page");
}

// No test here uses the mouse, `fill`, or another way into the page.
describe.skipIf(!hasChromium)("the web app by the keyboard alone", () => {
	beforeAll(async () => {
		fixture = await startWebAppFixture(createEncryptionKey());
		fixture.say("A refund takes five days [1].");
		const { knowledge } = fixture.service().stemma;
		const { id } = await knowledge.create({ name: "Shop" });
		const upload = await knowledge.documents.addText(id, { text: "# Refunds\n\nA refund takes five days." });
		await knowledge.documents.waitUntilReady(id, upload, { pollMs: 50 });
		app = await openWebApp(fixture.browser, await fixture.invite("ada@example.com", "admin"));
		await fixture.invite("bob@example.com", "viewer");
	});
	afterAll(() => fixture?.close());

	it("signs in", async () => {
		await tabAndPress(button("Sign in with this link"));
		await has("What would you like to know?");
	});

	it("asks, opens a source, closes it, and deletes the conversation", async () => {
		await press("/");
		await until(() => isFocused(app.page.getByLabel("Your question"))).toBe(true);
		await type("How long does a refund take?");
		await press("Enter");
		await tabAndPress(app.page.locator("button.stemma-source"));
		await until(() => app.page.locator(".viewer mark").textContent()).toContain("A refund takes five days.");
		await press("Escape");
		await until(() => app.page.locator(".viewer").count()).toBe(0);
		await until(() => isFocused(app.page.locator("button.stemma-source").first())).toBe(true);
		await tabAndPress(app.page.locator(".threads li").getByRole("button"));
		await tabAndPress(app.page.getByRole("dialog").getByRole("button", { name: "Delete" }), "Space");
		await until(() => app.page.locator(".threads li").count()).toBe(0);
	});

	it("creates a knowledge base, changes its settings, and deletes it", async () => {
		await goTo("Knowledge");
		await tabTo(app.page.getByLabel("Name"));
		await type("Drafts");
		await press("Enter");
		await has("There are no documents in it yet.");
		expect(await app.page.locator("input[type=file]").count()).toBeGreaterThan(0);
		await tabAndPress(app.page.locator("summary").filter({ hasText: "Settings of this knowledge base" }));
		await tabTo(app.page.getByLabel("Description"));
		await type("For tests");
		await press("Enter");
		await has("Saved.");
		await tabAndPress(button("Delete the knowledge base"));
		await tabTo(app.page.getByLabel("Type “Drafts” to confirm"));
		await type("Drafts");
		await press("Enter");
		await until(() => app.page.locator(".card").count()).toBe(1);
	});

	it("sets a model", async () => {
		await goTo("Models");
		await tabTo(app.page.getByLabel("Endpoint"));
		await type(fixture.vendor.baseUrl);
		await tabTo(app.page.getByLabel("Model", { exact: true }));
		await type("simulated-2");
		await tabTo(app.page.getByLabel("API key"));
		await type(fixture.vendorKey);
		await tabAndPress(button("Test"));
		await has(/^simulated-\d answered in/);
		await tabAndPress(button("Save"));
		await has("A key is stored. It is never shown.");
	});

	it("invites a member, and gives back the focus after a question that is cancelled", async () => {
		await goTo("Members");
		await tabTo(app.page.getByLabel("E-mail address"));
		await type("eve@example.com");
		await press("Enter");
		await has(/#sign-in=/);
		await app.page.reload();
		await tabAndPress(button("Revoke the invitation of eve@example.com"));
		await until(() => button("Revoke the invitation of eve@example.com").count()).toBe(0);
	});

	it("chooses what the usage shows", async () => {
		await goTo("Usage");
		await tabTo(app.page.getByLabel("By", { exact: true }));
		await type("Model");
		await until(() => app.page.locator(".summary").textContent()).toContain("simulated-");
		await tabTo(app.page.locator(".table-scroll"));
	});

	it("creates and deletes a client, and gives the focus back where a dialog was opened", async () => {
		await goTo("Settings");
		await tabTo(app.page.getByLabel("Name"));
		await type("Backend");
		await tabAndPress(app.page.getByRole("checkbox", { name: /Run agents/ }), "Space");
		await tabAndPress(button("Create"));
		await has("Client id and secret of Backend");
		await tabAndPress(button("Delete the client Backend"));
		await press("Escape");
		await until(() => isFocused(button("Delete the client Backend"))).toBe(true);
		await press("Enter");
		await tabAndPress(app.page.getByRole("dialog").getByRole("button", { name: "Delete" }));
		await until(() => button("Delete the client Backend").count()).toBe(0);
	});

	it("filters the audit", async () => {
		await tabAndPress(link("Audit"));
		await tabTo(app.page.getByLabel("Action"));
		await type("client.created");
		await until(() => app.page.locator(".people > li").count()).toBe(1);
		await tabAndPress(app.page.locator(".record summary"));
		await has(/"name": "Backend"/);
		expect(app.problems).toEqual([]);
	});
});
