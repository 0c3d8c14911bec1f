import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../quick-starts/page";
import { createEncryptionKey, startWebAppFixture, type WebAppFixture } from "./web-app-fixture";
import { signInToWebApp, type WebAppPage } from "./web-app-page";

/** Text that would run, or load from elsewhere, wherever it is not shown as text. */
const HOSTILE = [
	'<img src="https://evil.example/a.png" onerror="alert(1)">',
	"<script>alert(2)</script>",
	"![remote](https://evil.example/b.png)",
	"[click](javascript:alert(3))",
	'<iframe src="https://evil.example"></iframe>',
	"<style>@import 'https://evil.example/c.css';</style>",
].join("\n\n");
/** Right-to-left override, zero-width characters, and "hi" in tag characters. */
const HIDDEN = "safe\u202efdp.exe\u200b\u{e0068}\u{e0069}";
const HIDDEN_CHARACTERS = /[\u202e\u200b\u{e0000}-\u{e007f}]/u;
const ONE_WORD = "w".repeat(1_000_000);

let fixture: WebAppFixture;
let app: WebAppPage;
let base: string;

const until = <Value>(read: () => Value) => expect.poll(read, { interval: 50 });

async function start(): Promise<void> {
	fixture = await startWebAppFixture(createEncryptionKey());
	const { knowledge, agents } = fixture.service().stemma;
	const name = `<img src=x onerror=alert(4)> ${HIDDEN}`;
	({ id: base } = await knowledge.create({ name, description: HOSTILE }));
	const upload = await knowledge.documents.upload(base, {
		files: [
			{
				file: Buffer.from(`# Refunds ${HIDDEN}\n\nRefunds take five days.\n\n${HOSTILE}\n`),
				name: "<script>.md",
			},
			{ file: Buffer.from(`Refunds in one word: ${ONE_WORD}`), name: "long.txt" },
			{ file: Buffer.from(`<h1>Refunds</h1><p>As HTML.</p>${HOSTILE}`), name: "page.html" },
		],
	});
	await knowledge.documents.waitUntilReady(base, upload, { pollMs: 50 });
	await agents.create({
		slug: "hostile",
		graph: { name, nodes: [{ id: "a", kind: "coordinator", instructions: "Answer." }] },
	});
	app = await signInToWebApp(fixture.browser, await fixture.invite("ada@example.com", "admin"));
}

/** Asserts that nothing ran, that nothing was loaded from elsewhere, and that the page fits a phone. */
async function expectHarmless(): Promise<void> {
	expect(app.problems).toEqual([]);
	expect(
		await app.page.locator("iframe, img:not([src^='/assets/']), main script, a[href^='javascript']").count(),
	).toBe(0);
	expect(await app.page.locator("body").textContent()).not.toMatch(HIDDEN_CHARACTERS);
	expect(await app.phoneOverflow()).toBeLessThanOrEqual(0);
}

describe.skipIf(!hasChromium)("hostile content in the web app", () => {
	beforeAll(start);
	afterAll(() => fixture?.close());

	it("is text in an answer, and in the document of its source", async () => {
		fixture.say(`Five days [1].\n\n${HOSTILE}\n\n${HIDDEN} ${"x".repeat(20_000)}`);
		await app.page.getByLabel("Your question").fill(`Refunds? ${HOSTILE} ${HIDDEN}`);
		await app.page.keyboard.press("Enter");
		const answer = app.page.locator('.stemma-message[data-role="assistant"] .stemma-text');
		await until(() => answer.textContent()).toMatch(/onerror="alert\(1\)".*<script>alert\(2\)/s);
		await until(() => app.page.locator("button.stemma-source").count()).toBeGreaterThan(0);
		await app.page.locator("button.stemma-source").first().click();
		await until(() => app.page.locator(".viewer-text").textContent()).toMatch(/Refunds/);
		await expectHarmless();
		await app.page.keyboard.press("Escape");
	});

	it("is text in names and titles", async () => {
		await app.page.locator(".picker summary").click();
		await until(() => app.page.locator(".picker").textContent()).toMatch(
			/<img src=x onerror=alert\(4\)> safefdp\.exe.*hidden: hi/,
		);
		await expectHarmless();
		await app.open("#/knowledge");
		await until(() => app.page.locator(".card").textContent()).toContain("<img src=x");
		await expectHarmless();
	});

	it("is text in documents that are read, also one word of a million letters", async () => {
		await app.open(`#/knowledge/${base}`);
		await until(() => app.page.locator('.documents li[data-status="ready"]').count()).toBe(3);
		for (let index = 0; index < 3; index += 1) {
			await app.page.locator(".documents").getByRole("button", { name: /^Read/ }).nth(index).click();
			await until(() => app.page.locator(".viewer-text").textContent()).toMatch(/Refunds/);
			await expectHarmless();
			await app.page.keyboard.press("Escape");
		}
	});

	it("is text in what a search finds, and in the file that is saved", async () => {
		await app.page.getByPlaceholder("Words or a question").fill("refunds");
		await app.page.keyboard.press("Enter");
		await until(() => app.page.locator(".passages li").count()).toBeGreaterThan(1);
		await expectHarmless();
		await app.page.locator(".passages").getByRole("button").first().click();
		const download = app.page.waitForEvent("download");
		await app.page.getByRole("link", { name: "Download the file" }).click();
		expect((await download).suggestedFilename()).not.toContain("<");
		await expectHarmless();
	});

	it("is text in names of clients, keys and members, and in the audit", async () => {
		const { apiClients, clientKeys } = fixture.service().stemma;
		const name = `<script>alert(5)</script> ${HIDDEN}`;
		await apiClients.create({ name, scopes: ["ask"] });
		await clientKeys.create({ name, origins: ["https://app.example"] });
		for (const section of ["clients", "keys", "audit"]) {
			await app.open(`#/settings/${section}`);
			await until(() => app.page.locator(".people").textContent()).toMatch(
				/<script>alert\(5\)|client_key.created/,
			);
			await expectHarmless();
		}
		await app.page.locator(".record summary").first().click();
		await expectHarmless();
		await app.open("#/usage");
		await app.page.locator(".chart").waitFor();
		await expectHarmless();
	});
});
