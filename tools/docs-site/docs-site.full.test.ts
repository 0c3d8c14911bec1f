import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, startChromium } from "../quick-starts/page";
import { root } from "../sources/list-files";
import { openWebApp, type WebAppPage } from "../web-app/web-app-page";
import { buildSite } from "./build-site";
import { findDeadLinks } from "./find-dead-links";
import { serveFolder } from "./serve-folder";
import { writeVersions } from "./write-versions";

const isInstalled = existsSync(join(root, "tools/docs-site/node_modules"));

describe.skipIf(!isInstalled)("the docs site", () => {
	let folder: string;

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "stemma-docs-site-"));
		const typedoc = join(root, "node_modules/typedoc/bin/typedoc");
		const { status, stderr } = spawnSync(process.execPath, [typedoc], { cwd: root, encoding: "utf8" });
		expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
		await buildSite({ out: join(folder, "0.2.0"), base: "/0.2.0/", version: "0.2.0" });
	});
	afterAll(() => rm(folder, { recursive: true }));

	it("has no dead link", async () => {
		expect(await findDeadLinks(join(folder, "0.2.0"), "/0.2.0/")).toEqual([]);
	});

	describe.skipIf(!hasChromium)("in a browser, with two versions", () => {
		let browser: Browser;
		let server: Server;
		let origin: string;
		let site: WebAppPage;

		beforeAll(async () => {
			await copyVersion(folder, "0.2.0", "0.1.0");
			await writeVersions(folder);
			({ server, origin } = await serveFolder(folder));
			browser = await startChromium();
			site = await openWebApp(browser, `${origin}/`);
		});
		afterAll(async () => {
			await browser?.close();
			server?.close();
		});

		it("opens the newest version, and says what the product does", async () => {
			await site.page.waitForURL(`${origin}/0.2.0/`);
			await site.page.getByText("It tells you before a run who will pay and at most how much").waitFor();
		});

		it.each(["", "start.html", "client.html", "agent-graph.html", "packages/react.html"])(
			"is accessible in both themes, and fits a phone: /%s",
			async (path) => {
				await site.page.goto(`${origin}/0.2.0/${path}`);
				await site.page.getByRole("heading", { level: 1 }).first().waitFor();
				expect(await site.violations()).toEqual([]);
				expect(await site.phoneOverflow()).toBeLessThanOrEqual(0);
				await site.shoot(`docs-site-${path.replace(/\W/g, "-")}`);
			},
		);

		it.each([
			"index.html",
			"classes/core_src_errors.StemmaError.html",
			"functions/client_src.createClient.html",
		])("has accessible pages about types and functions, which fit a phone: /api/%s", async (path) => {
			await site.page.goto(`${origin}/0.2.0/api/${path}`);
			await site.page.getByRole("heading", { level: 1 }).waitFor();
			// The heads of typedoc's folded lists have links in them, which the keyboard reaches all the same.
			const isKnown = (violation: string): boolean => violation.includes(": nested-interactive:");
			expect((await site.violations()).filter((violation) => !isKnown(violation))).toEqual([]);
			expect(await site.phoneOverflow()).toBeLessThanOrEqual(0);
		});

		it("finds a word without a server, with the keyboard alone", async () => {
			await site.page.goto(`${origin}/0.2.0/`);
			await site.page.keyboard.press("Control+k");
			await site.page.getByRole("searchbox").fill("payer");
			const results = site.page.getByRole("listbox").getByRole("option");
			await results.first().waitFor();
			await site.page.keyboard.press("Enter");
			await site.page.waitForURL(/\/0\.2\.0\/[\w-]+\.html/);
		});

		it("goes to the same page of another version", async () => {
			await site.page.goto(`${origin}/0.2.0/client.html`);
			await site.page.getByLabel("Version").first().selectOption("0.1.0");
			await site.page.waitForURL(`${origin}/0.1.0/client.html`);
		});

		it("goes to the start of a version that has no such page", async () => {
			await rm(join(folder, "0.1.0/glossary.html"));
			const { page, close } = await openWebApp(browser, `${origin}/0.2.0/glossary.html`);
			await page.getByLabel("Version").first().selectOption("0.1.0");
			await page.waitForURL(`${origin}/0.1.0/`);
			await close();
		});

		it("shows both OpenAPI documents, and the types of the packages", async () => {
			await site.page.goto(`${origin}/0.2.0/http/index.html`);
			await site.page.getByRole("heading", { name: "Stemma service" }).waitFor();
			await site.page.goto(`${origin}/0.2.0/api/index.html`);
			await site.page.getByRole("heading", { level: 1 }).waitFor();
		});

		it("asks no other host, and nothing fails on the way", () => {
			expect(site.problems).toEqual([]);
		});
	});
});

/** Makes another version of a built site: a build of its own would take as long as the first. */
async function copyVersion(folder: string, from: string, to: string): Promise<void> {
	await mkdir(join(folder, to));
	await cp(join(folder, from), join(folder, to), { recursive: true });
	for (const name of await readdir(join(folder, to), { recursive: true })) {
		if (!/\.(?:html|js|css)$/.test(name)) continue;
		const file = join(folder, to, name);
		await writeFile(file, (await readFile(file, "utf8")).replaceAll(`/${from}/`, `/${to}/`));
	}
}
