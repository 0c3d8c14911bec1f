import type { Browser } from "playwright-core";

/** The chat page, as somebody in front of it uses it. */
export interface ChatPage {
	ask(question: string): Promise<void>;
	/** Writes a question and sends it by the Return key. */
	pressReturn(question: string): Promise<void>;
	/** Takes the page's network away, or gives it back without a word of it. */
	setCutOff(isCutOff: boolean): Promise<void>;
	/** As the browser says it. */
	emitOnline(): Promise<void>;
	click(button: string): Promise<void>;
	/** Of the last answer; empty before there is any. */
	answer(): Promise<string>;
	/** The titles of its sources. */
	sources(): Promise<readonly string[]>;
	/** All questions, first one first. */
	questions(): Promise<readonly string[]>;
	hasButton(button: string): Promise<boolean>;
	hasText(text: string): Promise<boolean>;
	alert(): Promise<string>;
	reload(): Promise<void>;
	/** What the page threw, and what the browser wrote to its console as errors. */
	readonly errors: readonly string[];
}

export async function openChatPage(browser: Browser, url: string): Promise<ChatPage> {
	const page = await browser.newPage();
	const errors: string[] = [];
	page.on("pageerror", (error) => errors.push(String(error)));
	page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
	await page.goto(url);
	const last = page.locator("article").last();
	return {
		errors,
		async ask(question) {
			await page.getByLabel("Your question").fill(question);
			await page.getByRole("button", { name: "Ask" }).click();
		},
		async pressReturn(question) {
			await page.getByLabel("Your question").fill(question);
			await page.getByLabel("Your question").press("Enter");
		},
		async setCutOff(isCutOff) {
			if (isCutOff) await page.route("**/v1/**", (route) => route.abort());
			else await page.unroute("**/v1/**");
		},
		emitOnline: async () => void (await page.evaluate(() => window.dispatchEvent(new Event("online")))),
		click: (name) => page.getByRole("button", { name }).click(),
		answer: async () => (await last.locator(".text").allTextContents()).join(""),
		sources: () => last.getByRole("list", { name: "Sources" }).locator("summary").allTextContents(),
		questions: () => page.locator("article h2").allTextContents(),
		hasButton: (name) => page.getByRole("button", { name }).isVisible(),
		hasText: (text) => page.getByText(text).isVisible(),
		alert: async () => (await page.getByRole("alert").allTextContents()).join(""),
		reload: async () => void (await page.reload()),
	};
}
