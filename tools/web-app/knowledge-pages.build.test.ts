import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../quick-starts/page";
import { createEncryptionKey, startWebAppFixture, type WebAppFixture } from "./web-app-fixture";
import { signInToWebApp, type WebAppPage } from "./web-app-page";

const POLICY = new URL(
	"../../examples/handbook/documents/company-info-and-process/policies/business-continuity-policy.pdf",
	import.meta.url,
);
const BASE_NAME = "Policies";

let fixture: WebAppFixture;
let app: WebAppPage;
let base: string;

const until = <Value>(read: () => Value) => expect.poll(read, { interval: 50 });
const has = (text: string | RegExp) => until(() => app.page.getByText(text).first().isVisible()).toBe(true);
const drawn = () => app.page.locator('.pdf-page[data-drawn="true"]').count();
const marks = () => app.page.locator(".pdf-page mark").count();

async function expectSound(name: string): Promise<void> {
	expect(await app.violations()).toEqual([]);
	expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
	expect(app.problems).toEqual([]);
	await app.shoot(name);
}

async function upload(name: string, file: Uint8Array): Promise<void> {
	const { documents } = fixture.service().stemma.knowledge;
	const sent = await documents.upload(base, { files: [{ file, name, source: name }] });
	await documents.waitUntilReady(base, sent, { pollMs: 50 });
}

/** Darkness of the pixels of the page that lie below a mark: 0 for an empty place. */
const darkPixelsUnderMarks = () =>
	app.page.evaluate(() => {
		const canvas = document.querySelector("canvas");
		const mark = document.querySelector(".pdf-page mark");
		const context = canvas?.getContext("2d");
		if (!canvas || !mark || !context) return 0;
		const [page, box] = [canvas.getBoundingClientRect(), mark.getBoundingClientRect()];
		const scale = canvas.width / page.width;
		const place = [(box.x - page.x) * scale, (box.y - page.y) * scale, box.width * scale, box.height * scale];
		const [x = 0, y = 0, width = 1, height = 1] = place.map(Math.round);
		const { data } = context.getImageData(x, y, width, height);
		return data.filter((value, index) => index % 4 === 0 && value < 128).length;
	});

describe.skipIf(!hasChromium)("the page of a knowledge base", () => {
	beforeAll(async () => {
		fixture = await startWebAppFixture(createEncryptionKey());
		({ id: base } = await fixture.service().stemma.knowledge.create({ name: BASE_NAME }));
		await upload("policy.pdf", await readFile(POLICY));
		await upload(
			"page.html",
			Buffer.from("<h1>Refunds</h1><p>A refund takes <b>five</b> days.</p><p>More.</p>"),
		);
		app = await signInToWebApp(fixture.browser, await fixture.invite("ada@example.com", "admin"));
		await app.page.getByText("What would you like to know?").waitFor();
		await app.open(`#/knowledge/${base}`);
		await app.page.locator('.documents li[data-status="ready"]').nth(1).waitFor();
	});
	afterAll(() => fixture?.close());

	it("opens a PDF file at the cited page, with the lines of the passage marked", async () => {
		await app.page.getByPlaceholder("Words or a question").fill("restore critical services");
		await app.page.keyboard.press("Enter");
		const passage = app.page.locator(".passages li").filter({ hasNotText: "refund" }).first();
		await passage.getByRole("button").click();
		await until(drawn).toBe(1);
		await until(marks).toBeGreaterThan(0);
		expect(await darkPixelsUnderMarks()).toBeGreaterThan(20);
		expect(await app.page.locator(".pdf-bar").textContent()).toMatch(/Page \d+ of \d+/);
		await expectSound("document-pdf");
		await app.click("Larger");
		await app.click("Text");
		await until(() => app.page.locator(".viewer-text mark").count()).toBe(1);
		await app.click("Pages");
		await until(drawn).toBe(1);
		await app.page.keyboard.press("Escape");
		await until(() => app.page.locator(".viewer").count()).toBe(0);
	});

	it("marks nothing in a PDF file that has changed since, and shows the passage as it was cited", async () => {
		await app.page.getByPlaceholder("Words or a question").fill("restore critical services");
		await app.page.keyboard.press("Enter");
		await app.page.locator(".passages li").first().waitFor();
		const other = new URL(
			"../../packages/documents/src/test-support/other-programs/qpdf-linear.pdf",
			import.meta.url,
		);
		await upload("policy.pdf", await readFile(other));
		const passage = app.page.locator(".passages li").filter({ hasNotText: "refund" }).first();
		await passage.getByRole("button").click();
		await has("The document has changed since this answer, so nothing is marked.");
		await until(drawn).toBe(1);
		expect(await marks()).toBe(0);
		expect(app.problems).toEqual([]);
		await app.page.keyboard.press("Escape");
	});

	it("shows HTML as it was read, with the passage marked", async () => {
		await app.page.getByPlaceholder("Words or a question").fill("refund");
		await app.page.keyboard.press("Enter");
		await app.page
			.locator(".passages li")
			.filter({ hasText: "refund takes" })
			.getByRole("button")
			.first()
			.click();
		await until(() => app.page.locator(".viewer-text mark").textContent()).toContain(
			"A refund takes five days.",
		);
		await app.page.keyboard.press("Escape");
	});

	it("shows who would answer and pay before a model is saved, and refusals", async () => {
		await app.page.getByText("Settings of this knowledge base").click();
		await until(() => app.page.locator(".plan").textContent()).toContain(
			"simulated-1, paid by: the deployment",
		);
		await app.page.getByLabel("Model", { exact: true }).fill("a-model-of-nobody");
		await has("No question to this knowledge base could be answered with this choice");
		await has("model_not_allowed");
		expect(app.problems.splice(0).join()).toContain("422");
		await app.page.getByLabel("Model", { exact: true }).fill("");
		await app.page.getByLabel("API format").selectOption("extractive");
		await until(() => app.page.locator(".plan").textContent()).toContain("paid by: nobody");
		await app.page.getByLabel("Name", { exact: true }).fill("Rules");
		await app.page.getByLabel("Description").fill("What we agreed on");
		await app.click("Save");
		await has("Saved.");
		await has("Questions to several knowledge bases ignore them.");
		await until(() => app.page.getByRole("heading", { level: 1 }).textContent()).toBe("Rules");
		await expectSound("knowledge-settings");
		expect(await fixture.service().stemma.knowledge.get(base)).toMatchObject({
			...{ name: "Rules", description: "What we agreed on", llm_provider: "extractive", llm_model: null },
		});
	});

	it("shows a long list a page at a time, and by state", async () => {
		const { documents } = fixture.service().stemma.knowledge;
		// At most 100 files go into one upload.
		for (const part of [0, 1]) {
			const files = Array.from({ length: 60 }, (_, index) => {
				const name = `note-${part}-${index}.md`;
				return { file: Buffer.from(`# Note ${name}\n\nText ${name}.`), name, source: name };
			});
			const sent = await documents.upload(base, { files });
			await documents.waitUntilReady(base, sent, { pollMs: 100 });
		}
		await app.page.reload();
		await until(() => app.page.locator(".documents > li").count()).toBe(100);
		await app.click("Next");
		await until(() => app.page.locator(".documents > li").count()).toBe(22);
		await app.click("Previous");
		await until(() => app.page.locator(".documents > li").count()).toBe(100);
		await app.page.getByLabel("Status").selectOption("failed");
		await has("No document is in this state.");
		expect(await app.violations()).toEqual([]);
		expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
	});

	it("asks editors for the name before it is deleted, and shows them no choice of a model", async () => {
		const editor = await signInToWebApp(fixture.browser, await fixture.invite("eve@example.com", "editor"));
		await editor.page.getByText("What would you like to know?").waitFor();
		await editor.open(`#/knowledge/${base}`);
		await editor.page.getByText("Settings of this knowledge base").click();
		expect(await editor.page.getByLabel("API format").count()).toBe(0);
		await editor.click("Delete the knowledge base");
		const dialog = editor.page.getByRole("dialog");
		const confirm = dialog.getByRole("button", { name: "Delete", exact: true });
		expect(await confirm.isDisabled()).toBe(true);
		await dialog.getByLabel("Type “Rules” to confirm").fill("rules");
		expect(await confirm.isDisabled()).toBe(true);
		expect(await editor.violations()).toEqual([]);
		await dialog.getByLabel("Type “Rules” to confirm").fill("Rules");
		await editor.page.keyboard.press("Enter");
		await until(() => editor.page.getByText("There is no knowledge base yet.").isVisible()).toBe(true);
		expect(editor.problems).toEqual([]);
		await editor.close();
	});
});
