import type { Browser, Page } from "playwright-core";

/** A page of an app in Chromium. */
export interface OpenedPage {
	readonly page: Page;
	/** What it threw, and what the browser wrote to its console as warnings and errors. */
	readonly problems: readonly string[];
	/** Text of an element by its id. */
	read(id: string): Promise<string>;
}

export async function openPage(browser: Browser, url: string): Promise<OpenedPage> {
	const page = await browser.newPage();
	const problems: string[] = [];
	page.on("pageerror", (error) => problems.push(String(error)));
	page.on("console", (message) => {
		if (["warning", "error"].includes(message.type())) problems.push(message.text());
	});
	await page.goto(url);
	return {
		page,
		problems,
		read: async (id) => (await page.locator(`#${id}`).textContent()) ?? "",
	};
}
