import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";

const require = createRequire(import.meta.url);

/** The ready chat, as somebody in front of it uses it. */
export interface ReadyPage {
	readonly page: Page;
	/** Writes a message and sends it by the Return key. */
	send(text: string): Promise<void>;
	click(button: string): Promise<void>;
	hasButton(button: string): Promise<boolean>;
	/** Texts of all messages that are shown, first one first. */
	messages(): Promise<readonly string[]>;
	/** Statuses of all messages that are shown. */
	statuses(): Promise<readonly (string | null)[]>;
	/** Titles of the sources of the last answer. */
	sources(): Promise<readonly string[]>;
	/** Label of the control that has the focus. */
	focused(): Promise<string>;
	/** Text that screen readers are given when it changes. */
	announcement(): Promise<string>;
	/** Rules of accessibility that the page breaks, and where. */
	violations(): Promise<readonly string[]>;
	/** What the page threw, what the browser wrote to its console as errors, and addresses beyond page and service. */
	readonly problems: readonly string[];
}

export async function openReadyPage(
	browser: Browser,
	url: string,
	allowed: readonly string[],
): Promise<ReadyPage> {
	const page = await browser.newPage();
	const problems: string[] = [];
	page.on("pageerror", (error) => problems.push(String(error)));
	page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
	page.on("request", (request) => {
		const { origin, protocol } = new URL(request.url());
		if (protocol !== "data:" && !allowed.includes(origin)) problems.push(`requested ${request.url()}`);
	});
	await page.goto(url);
	const field = page.getByLabel("Your message");
	return {
		page,
		problems,
		async send(text) {
			await field.fill(text);
			await field.press("Enter");
		},
		click: (name) => page.getByRole("button", { name, exact: true }).last().click(),
		hasButton: (name) => page.getByRole("button", { name, exact: true }).last().isVisible(),
		messages: () => page.locator(".stemma-message .stemma-text").allTextContents(),
		statuses: () =>
			page
				.locator(".stemma-message")
				.evaluateAll((messages) => messages.map((message) => message.getAttribute("data-status"))),
		sources: () => page.locator(".stemma-message").last().locator(".stemma-source summary").allTextContents(),
		focused: () =>
			page.evaluate(() => {
				const element = document.activeElement;
				const label = document.querySelector(`label[for="${element?.id}"]`);
				return element?.getAttribute("aria-label") ?? label?.textContent ?? element?.textContent ?? "";
			}),
		announcement: async () => (await page.locator(".stemma-announcement").textContent()) ?? "",
		async violations() {
			await page.evaluate(await readFile(require.resolve("axe-core/axe.min.js"), "utf8"));
			return page.evaluate(async () => {
				const { axe } = globalThis as unknown as { readonly axe: Axe };
				const { violations } = await axe.run();
				return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
			});
		},
	};
}

/** What is used of axe-core in the page. */
interface Axe {
	run(): Promise<{
		readonly violations: readonly {
			readonly id: string;
			readonly nodes: readonly { readonly html: string }[];
		}[];
	}>;
}
