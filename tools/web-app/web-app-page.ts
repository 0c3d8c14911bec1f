import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";

const require = createRequire(import.meta.url);

/** Folder for pictures of the pages: none are made where it is not set. */
const shotsFolder = process.env.STEMMA_WEB_SHOTS;

/** The web app in a browser, as somebody in front of it uses it. */
export interface WebAppPage {
	readonly page: Page;
	/** Errors of the page and of the browser's console, and requests beyond the service. */
	readonly problems: string[];
	open(fragment: string): Promise<void>;
	click(name: string): Promise<void>;
	/** Rules of accessibility that the page breaks in its two themes, and where. */
	violations(): Promise<readonly string[]>;
	/** Pixels that the page is wider than its window, at the width of a phone. */
	phoneOverflow(): Promise<number>;
	/** Takes pictures of the page: light, dark, and as wide as a phone. */
	shoot(name: string): Promise<void>;
	close(): Promise<void>;
}

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 375, height: 740 };

/** Signs in with a link. */
export async function signInToWebApp(browser: Browser, link: string): Promise<WebAppPage> {
	const app = await openWebApp(browser, link);
	await app.click("Sign in with this link");
	return app;
}

/** @param link - sign-in link, or the address of the service. */
export async function openWebApp(browser: Browser, link: string): Promise<WebAppPage> {
	const context = await browser.newContext({ viewport: WIDE, colorScheme: "light" });
	const page = await context.newPage();
	const { origin } = new URL(link);
	const problems: string[] = [];
	page.on("pageerror", (error) => problems.push(String(error)));
	page.on("console", (message) => {
		// The browser notes that nobody is signed in.
		const isSessionNote = message.location().url === `${origin}/v1/session` && message.text().includes("401");
		if (message.type() === "error" && !isSessionNote) problems.push(message.text());
	});
	page.on("dialog", (dialog) => {
		problems.push(`dialog: ${dialog.message()}`);
		void dialog.dismiss();
	});
	page.on("request", (request) => {
		const url = new URL(request.url());
		const isOwn = url.origin === origin || url.protocol === "data:" || url.protocol === "blob:";
		if (!isOwn) problems.push(`requested ${request.url()}`);
	});
	await page.goto(link);

	async function inBothThemes(run: (theme: "light" | "dark") => Promise<void>): Promise<void> {
		for (const theme of ["dark", "light"] as const) {
			await page.emulateMedia({ colorScheme: theme });
			// Pages that follow the theme by script do so in the next frames.
			for (let frame = 0; frame < 3; frame++) await page.evaluate(() => new Promise(requestAnimationFrame));
			await run(theme);
		}
	}

	async function violations(): Promise<readonly string[]> {
		const found: string[] = [];
		// By the protocol of the browser, which no policy of the page stops.
		await page.evaluate(await readFile(require.resolve("axe-core/axe.min.js"), "utf8"));
		await inBothThemes(
			async (theme) => void found.push(...(await runAxe(page)).map((text) => `${theme}: ${text}`)),
		);
		return found;
	}

	async function phoneOverflow(): Promise<number> {
		await page.setViewportSize(PHONE);
		const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		await page.setViewportSize(WIDE);
		return overflow;
	}

	async function shoot(name: string): Promise<void> {
		if (shotsFolder === undefined) return;
		await mkdir(shotsFolder, { recursive: true });
		await inBothThemes(async (theme) => {
			await page.screenshot({ path: join(shotsFolder, `${name}-${theme}.png`) });
		});
		await page.setViewportSize(PHONE);
		await page.screenshot({ path: join(shotsFolder, `${name}-phone.png`) });
		await page.setViewportSize(WIDE);
	}

	return {
		...{ page, problems, violations, phoneOverflow, shoot },
		open: async (fragment) => void (await page.goto(`${origin}/${fragment}`)),
		click: (name) => page.getByRole("button", { name, exact: true }).click(),
		close: () => context.close(),
	};
}

async function runAxe(page: Page): Promise<readonly string[]> {
	return page.evaluate(async () => {
		const { axe } = globalThis as unknown as { readonly axe: Axe };
		const { violations } = await axe.run();
		return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
	});
}

/** Part of axe-core that is called in the page. */
interface Axe {
	run(): Promise<{
		readonly violations: readonly {
			readonly id: string;
			readonly nodes: readonly { readonly html: string }[];
		}[];
	}>;
}
