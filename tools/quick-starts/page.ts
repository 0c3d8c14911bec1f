import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";

const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

export const hasChromium = existsSync(executablePath);

/** Without the background flags Chromium calls home at every start. */
const CHROMIUM_ARGUMENTS = [
	"--no-sandbox",
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
];

export const startChromium = (): Promise<Browser> =>
	chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS });

/** The page of the browser quick start, as somebody in front of it uses it. */
export interface ShopPage {
	ask(question?: string): Promise<void>;
	cancel(): Promise<void>;
	answer(): Promise<string>;
	status(): Promise<string>;
	/** Waits for a status that is no longer "…". */
	ended(): Promise<string>;
	/** What the page threw. */
	readonly errors: readonly string[];
}

export async function openShopPage(browser: Browser, url: string): Promise<ShopPage> {
	const page = await browser.newPage();
	const errors: string[] = [];
	page.on("pageerror", (error) => errors.push(String(error)));
	await page.goto(url);
	const read = async (id: string): Promise<string> => (await page.locator(`#${id}`).textContent()) ?? "";
	return {
		errors,
		async ask(question) {
			if (question !== undefined) await page.locator("[name=question]").fill(question);
			await page.getByRole("button", { name: "Ask" }).click();
		},
		cancel: () => page.getByRole("button", { name: "Cancel" }).click(),
		answer: () => read("answer"),
		status: () => read("status"),
		ended: () => waitForStatus(page),
	};
}

async function waitForStatus(page: Page): Promise<string> {
	const status = page.locator("#status").filter({ hasText: /[^…\s]/ });
	await status.waitFor({ timeout: 120_000 });
	return (await status.textContent()) ?? "";
}
