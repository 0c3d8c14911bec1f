import { createLoginLink } from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../quick-starts/page";
import { startWebAppFixture, type WebAppFixture } from "./web-app-fixture";
import { signInToWebApp, type WebAppPage } from "./web-app-page";

let fixture: WebAppFixture;
let app: WebAppPage;

const until = <Value>(read: () => Value) => expect.poll(read, { interval: 50, timeout: 15_000 });
const has = (words: string | RegExp) => until(() => app.page.getByText(words).first().isVisible()).toBe(true);
const button = (name: string | RegExp) => app.page.getByRole("button", { name });
const rows = () => app.page.locator("ul.people > li");

/** Goes to another workspace, where the app begins again. */
async function goTo(name: string | RegExp): Promise<void> {
	await Promise.all([app.page.waitForEvent("load"), button(name).click()]);
}

/** Asserts that rules of accessibility hold, that the page fits a phone, and that nothing went wrong. */
async function expectSound(): Promise<void> {
	expect(await app.violations()).toEqual([]);
	expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
	expect(app.problems).toEqual([]);
}

describe.skipIf(!hasChromium)("the page of the workspaces", () => {
	beforeAll(async () => {
		fixture = await startWebAppFixture();
		const { data, url } = fixture.service();
		const { link } = await createLoginLink({ data }, { email: "olga@example.com", operator: true, url });
		app = await signInToWebApp(fixture.browser, link);
	});
	afterAll(() => fixture?.close());

	it("creates a workspace by keyboard, and shows its credentials once", async () => {
		await app.page.getByRole("link", { name: "Workspaces", exact: true }).click();
		await until(() => rows().count()).toBe(1);
		await app.page.getByLabel("Name", { exact: true }).fill("Billing <img src=x>");
		await app.page.keyboard.press("Enter");
		await until(() => app.page.locator(".notice code").textContent()).toMatch(/STEMMA_CLIENT_SECRET=cs_/);
		await until(() => rows().count()).toBe(2);
		await expectSound();
		await app.page.reload();
		await until(() => rows().count()).toBe(2);
		expect(await app.page.locator(".notice code").count()).toBe(0);
		await app.shoot("workspaces");
	});

	it("renames one", async () => {
		await button(/^Rename Billing/).click();
		await rows().getByLabel("Name", { exact: true }).fill("Accounting");
		await expectSound();
		await button("Save").click();
		await has("Accounting");
		await until(() => button(/^Rename Billing/).count()).toBe(0);
	});

	it("goes to one and back, where nothing of the first is shown", async () => {
		await fixture.service().stemma.knowledge.create({ name: "Handbook of the first" });
		await goTo("Go to Accounting");
		await app.page.getByRole("link", { name: "Knowledge", exact: true }).click();
		await app.page.locator("summary[aria-label='Account']").click();
		await has("Accounting · Admin");
		await has("There is no knowledge base yet.");
		expect(await app.page.getByText("Handbook of the first").count()).toBe(0);
		expect(await app.violations()).toEqual([]);
		await goTo(/^Go to /);
		await app.page.getByRole("link", { name: "Knowledge", exact: true }).click();
		await has("Handbook of the first");
		expect(app.problems).toEqual([]);
	});

	it("deletes one after its name was typed, and not the one that is open", async () => {
		await app.open("#/workspaces");
		await until(() => rows().count()).toBe(2);
		expect(await button(/^Delete/).count()).toBe(1);
		await button("Delete Accounting").click();
		const dialog = app.page.getByRole("dialog");
		expect(await dialog.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
		expect(await app.violations()).toEqual([]);
		await dialog.getByRole("textbox").fill("Accounting");
		await app.page.keyboard.press("Enter");
		await until(() => rows().count()).toBe(1);
		await expectSound();
	});

	it("is not there for an admin who is no operator", async () => {
		const admin = await signInToWebApp(fixture.browser, await fixture.invite("ada@example.com", "admin"));
		await until(() => admin.page.getByRole("link", { name: "Settings", exact: true }).count()).toBe(1);
		expect(await admin.page.getByRole("link", { name: "Workspaces", exact: true }).count()).toBe(0);
		await admin.close();
	});
});
