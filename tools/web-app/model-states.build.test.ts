import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../quick-starts/page";
import { createEncryptionKey, startWebAppFixture, type WebAppFixture } from "./web-app-fixture";
import { signInToWebApp, type WebAppPage } from "./web-app-page";

let fixture: WebAppFixture;
let app: WebAppPage;

const until = <Value>(read: () => Value) => expect.poll(read, { interval: 50 });
const alert = () => app.page.getByRole("alert").first().textContent();

async function restart(encryptionKey?: string): Promise<void> {
	await fixture.restart(encryptionKey);
	await app.page.reload();
}

describe.skipIf(!hasChromium)("the page of the model settings", () => {
	beforeAll(async () => {
		fixture = await startWebAppFixture();
		app = await signInToWebApp(fixture.browser, await fixture.invite("ada@example.com", "admin"));
		await app.page.getByText("There is nothing to answer from yet").waitFor();
		await app.open("#/models");
	});
	afterAll(() => fixture?.close());

	it("says that the service can store no key, and what the operator does", async () => {
		await until(alert).toMatch(/^Keys cannot be stored here yet.*encryption_not_configured/s);
		expect(await app.violations()).toEqual([]);
		await app.shoot("models-unavailable");
	});

	it("refuses Bedrock without a credential, and corrects the region of a model", async () => {
		await restart(createEncryptionKey());
		await until(() => app.page.getByText("Nothing is set").isVisible()).toBe(true);
		await app.page.getByLabel("API format").selectOption("bedrock");
		await app.page.getByLabel("Endpoint").fill("https://bedrock-runtime.us-east-1.amazonaws.com");
		await app.page.getByLabel("Model", { exact: true }).fill("eu.anthropic.claude-sonnet-4-5-20250929-v1:0");
		await app.click("Save");
		await until(alert).toMatch(/Code: (credential_required|region_mismatch|api_key_required)/);
		await app.page.getByLabel("API key").fill("a-key-of-bedrock-that-is-long-enough");
		await app.click("Save");
		await until(alert).toMatch(/us\.anthropic\.claude.*Code: region_mismatch/s);
		expect(await app.violations()).toEqual([]);
	});

	it("says that a stored key cannot be opened, and takes it again", async () => {
		await app.page.getByLabel("API format").selectOption("openai-compatible");
		await app.page.getByLabel("Endpoint").fill(fixture.vendor.baseUrl);
		await app.page.getByLabel("Model", { exact: true }).fill("simulated-2");
		await app.page.getByLabel("API key").fill(fixture.vendorKey);
		await app.click("Save");
		await until(() => app.page.getByText("A key is stored. It is never shown.").isVisible()).toBe(true);
		await restart(createEncryptionKey());
		await until(alert).toMatch(/^The stored key cannot be opened/);
		await app.shoot("models-undecryptable");
		await app.page.getByLabel("API key").fill(fixture.vendorKey);
		await app.click("Save");
		await until(() => app.page.getByText("The stored key cannot be opened").count()).toBe(0);
		await until(() => app.page.locator(".plan").textContent()).toMatch(/paid by: this workspace/);
	});
});
