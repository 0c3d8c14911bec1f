import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { createHarness } from "@stemma/simulators/processes";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, vendorEnvironment } from "../end-to-end/servers";
import { hasChromium, startChromium } from "../quick-starts/page";
import { type StaticPage, servePage } from "../react-chat/built-page";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const isInstalled = existsSync(here("node_modules"));
/** The answer takes about two seconds. */
const ANSWER = Array.from({ length: 60 }, (_, n) => `word-${n}`).join(" ");

const harness = createHarness();
let vendor: OpenAiSimulator;
let site: StaticPage;
let browser: Browser;
let page: Page;

/** The page of the guide, with a service and a key of the test. */
async function buildPage(folder: string, settings: Readonly<Record<string, string>>): Promise<void> {
	const [, code = ""] =
		/```jsx\n([\s\S]*?)```/.exec(readFileSync(here("../../docs/front-ends.md"), "utf8")) ?? [];
	const start = `import { createRoot } from "react-dom/client";\n${code}\ncreateRoot(document.body.appendChild(document.createElement("main"))).render(<Chat />);`;
	await build({
		stdin: { contents: start, loader: "jsx", resolveDir: here(".") },
		outfile: join(folder, "page.js"),
		bundle: true,
		jsx: "automatic",
		format: "esm",
		define: {
			"process.env.NODE_ENV": '"production"',
			...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, JSON.stringify(value)])),
		},
		logLevel: "error",
	});
	const html =
		'<!doctype html><title>chat</title><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>';
	await writeFile(join(folder, "index.html"), html);
}

beforeAll(async () => {
	if (!isInstalled || !hasChromium) return;
	const apiKey = `sk-${randomBytes(24).toString("hex")}`;
	vendor = await startOpenAiSimulator({
		apiKey,
		behaviour: () => ({ kind: "reply", text: ANSWER, pauseMs: 30 }),
	});
	const folder = await harness.folder();
	site = await servePage(folder);
	const { url, stemma } = await startService(harness, { env: vendorEnvironment(vendor.baseUrl, apiKey) });
	const graph = { nodes: [{ id: "desk", kind: "coordinator" as const }], edges: [] };
	await stemma.agents.create({ slug: "support-desk", graph });
	const { client_key } = await stemma.clientKeys.create({ name: "page", origins: [site.origin] });
	await buildPage(folder, {
		CLIENT_KEY: client_key,
		STEMMA_URL: url,
		VISITOR: randomBytes(16).toString("hex"),
	});
	browser = await startChromium();
	page = await browser.newPage();
});
afterAll(async () => {
	await browser?.close();
	site?.close();
	await vendor?.close();
	await harness.end();
});

describe.skipIf(!isInstalled || !hasChromium)("the page of docs/front-ends.md, in Chromium", () => {
	const answer = (): Promise<string> =>
		page
			.locator('[data-role="assistant"]')
			.allTextContents()
			.then((all) => all.join("|"));

	it("shows an answer of useChat, also after a reload in the middle of it", async () => {
		const errors: string[] = [];
		page.on("pageerror", (error) => errors.push(String(error)));
		page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
		await page.goto(site.origin);
		await page.getByRole("button", { name: "Ask" }).click();
		await expect.poll(answer).toContain("word-3");
		await page.reload();
		await expect.poll(answer).toBe(ANSWER);
		await page.getByRole("button", { name: "Ask" }).click();
		await expect.poll(answer).toBe(`${ANSWER}|${ANSWER}`);
		expect(errors).toEqual([]);
	});
});
