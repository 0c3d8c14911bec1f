import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../quick-starts/page";
import { createEncryptionKey, startWebAppFixture, type WebAppFixture } from "./web-app-fixture";
import { signInToWebApp, type WebAppPage } from "./web-app-page";

const HANDBOOK = fileURLToPath(new URL("../../examples/handbook/documents/", import.meta.url));
const FOLDERS = ["benefits-pay-perks/benefits-perks", "company-info-and-process/policies"];
const QUESTION = "How many weeks of parental leave do I get, and is it paid?";
const ANSWER = [
	"You get **at least 16 weeks of parental leave at full pay** after a birth, adoption or placement [1].",
	"",
	"- It applies in every country, whatever the law there requires [2].",
	"- Time beyond the 16 weeks is unpaid, unless your country’s law says otherwise [3].",
].join("\n");
const DAYS = 24;

let fixture: WebAppFixture;
let app: WebAppPage;
let base: string;

const until = <Value>(read: () => Value) => expect.poll(read, { interval: 100, timeout: 60_000 });

async function listFiles(folder: string): Promise<readonly string[]> {
	const entries = await readdir(join(HANDBOOK, folder), { recursive: true });
	return entries.filter((name) => /\.(?:md|pdf|docx|xlsx)$/.test(name)).map((name) => `${folder}/${name}`);
}

/** Uploads a part of the handbook of the example. */
async function uploadHandbook(): Promise<void> {
	const { knowledge } = fixture.service().stemma;
	({ id: base } = await knowledge.create({
		name: "Handbook",
		description: "What we agreed on, for everybody",
	}));
	await knowledge.create({ name: "Product", description: "Release notes and how-tos" });
	const sources = (await Promise.all(FOLDERS.map(listFiles))).flat();
	const files = await Promise.all(
		sources.map(async (source) => ({ file: await readFile(join(HANDBOOK, source)), name: source, source })),
	);
	const upload = await knowledge.documents.upload(base, { files });
	await knowledge.documents.waitUntilReady(base, upload, { pollMs: 200 });
}

async function showSettings(): Promise<void> {
	for (const section of ["clients", "keys", "secrets", "sessions", "audit"]) {
		await app.open(`#/settings/${section}`);
		await app.page.locator(".people > li").first().waitFor();
		await app.shoot(`settings-${section}`);
	}
}

// `npm run web:shots`: pictures of each page with real documents, for people to look through.
describe.skipIf(!hasChromium || process.env.STEMMA_WEB_SHOTS === undefined)("pictures of the web app", () => {
	beforeAll(async () => {
		fixture = await startWebAppFixture(createEncryptionKey());
		await uploadHandbook();
		fixture.say(ANSWER);
		app = await signInToWebApp(fixture.browser, await fixture.invite("ada@example.com", "admin"));
		await app.page.getByText("What would you like to know?").waitFor();
	}, 120_000);
	afterAll(() => fixture?.close());

	it("Ask, with a source", async () => {
		await app.shoot("ask-empty");
		await app.page.getByLabel("Your question").fill(QUESTION);
		await app.page.keyboard.press("Enter");
		await app.page.locator("button.stemma-source").first().click();
		await app.page.locator(".viewer mark").first().waitFor();
		await app.shoot("ask-source");
		await app.page.keyboard.press("Escape");
		await app.shoot("ask");
	});

	it("Knowledge, its settings, and a PDF file", async () => {
		await app.open("#/knowledge");
		await app.page.locator(".card").nth(1).waitFor();
		await app.shoot("knowledge");
		await app.open(`#/knowledge/${base}`);
		await app.page.locator(".documents > li").first().waitFor();
		await app.shoot("knowledge-base");
		await app.page.getByText("Settings of this knowledge base").click();
		await app.page.locator(".plan li").first().waitFor();
		await app.page.locator(".panel.more").scrollIntoViewIfNeeded();
		await app.shoot("knowledge-settings");
		await app.page.getByPlaceholder("Words or a question").fill("business continuity plan critical services");
		await app.page.keyboard.press("Enter");
		const passages = app.page.locator(".passages li").filter({ hasText: /continuity/i });
		await passages.first().getByRole("button").click();
		await app.page.locator('.viewer mark, .pdf-page[data-drawn="true"]').first().waitFor();
		await app.shoot("document");
		await app.page.keyboard.press("Escape");
	});

	it("Models and Members", async () => {
		await app.open("#/models");
		await app.page.locator(".plan li").first().waitFor();
		await app.shoot("models");
		await fixture.invite("grace@example.com", "editor");
		await app.open("#/members");
		await app.page.locator(".people > li").nth(1).waitFor();
		await app.shoot("members");
	});

	it("Usage and Settings", async () => {
		const { stemma } = fixture.service();
		const question = "What does the wellness perk pay for?";
		for (let day = 0; day < DAYS; day += 1) await stemma.ask({ question, knowledge_base_ids: [base] });
		await app.open("#/usage");
		await until(() => app.page.locator(".chart rect").count()).toBeGreaterThan(0);
		await app.shoot("usage");
		await stemma.apiClients.create({ name: "Intranet search", scopes: ["ask", "knowledge:read"] });
		await stemma.clientKeys.create({ name: "Help page", origins: ["https://help.example.com"] });
		await stemma.workspaceSecrets.set("calendar", {
			server_url: "https://tools.example.com/mcp",
			value: "a token",
		});
		await showSettings();
		expect(app.problems).toEqual([]);
	});
});
