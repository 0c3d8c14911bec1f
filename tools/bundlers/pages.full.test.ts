import { cp } from "node:fs/promises";
import { join } from "node:path";
import { createHarness } from "@stemma/simulators/processes";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ClientServer, startClientServer } from "../packed/client-server";
import { hasChromium, startChromium } from "../quick-starts/page";
import { type StaticPage, servePage } from "../react-chat/built-page";
import { ANSWER, copyApps, findScript, isInstalled, runTool } from "./apps";
import { openPage } from "./open-page";

interface Bundler {
	readonly name: string;
	/** Below `built/`. */
	readonly folder: string;
	/** Builds the page that is in `app`. Returns all that the bundler has to say. */
	build(app: string): Promise<string>;
	/** What it says where there is nothing to warn of. */
	readonly output: RegExp;
	/** Makes no HTML. */
	readonly isScriptAlone?: boolean;
}

const NOTHING = /^$/;
const harness = createHarness();
const run =
	(tool: string, ...args: readonly string[]) =>
	(app: string) =>
		runTool(harness, [findScript(tool), ...args], app);

const BUNDLERS: readonly Bundler[] = [
	{
		name: "Vite",
		folder: "vite",
		build: run("vite", "build", "--logLevel", "warn", "--base", "./", "--outDir", "built/vite"),
		output: NOTHING,
	},
	{
		name: "webpack 5",
		folder: "webpack",
		build: run("webpack-cli"),
		output: /^webpack compiled successfully\n$/,
		isScriptAlone: true,
	},
	{
		name: "Rollup",
		folder: "rollup",
		build: run("rollup", "--config", "--failAfterWarnings"),
		output: /^\nmain\.js → built\/rollup\.\.\.\ncreated built\/rollup in [\d.]+m?s\n$/,
		isScriptAlone: true,
	},
	{ name: "esbuild", folder: "esbuild", build: buildWithEsbuild, output: NOTHING, isScriptAlone: true },
];

/** Its program is none of Node. */
async function buildWithEsbuild(app: string): Promise<string> {
	const { warnings, errors } = await build({
		absWorkingDir: app,
		entryPoints: ["main.js"],
		outdir: "built/esbuild",
		bundle: true,
		splitting: true,
		minify: true,
		format: "esm",
		define: { "process.env.NODE_ENV": '"production"' },
		logLevel: "silent",
	});
	return [...warnings, ...errors].map(({ text }) => text).join("\n");
}

/** Of tests that run at the same time. */
const waitFor = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, 30_000);

describe.skipIf(!isInstalled)("a page of the packed packages", () => {
	let app: string;
	let site: StaticPage;
	let server: ClientServer;
	let browser: Browser | undefined;
	beforeAll(async () => {
		app = join(await copyApps("pages", ["page"]), "page");
		site = await servePage(app);
		server = await startClientServer({ origins: [site.origin] });
		if (hasChromium) browser = await startChromium();
	});
	afterAll(async () => {
		await browser?.close();
		site?.close();
		await Promise.all([server?.close(), harness.end()]);
	});

	it.concurrent.each(BUNDLERS)(
		"is built by $name without a warning, asks a service and runs a graph",
		async ({ folder, build, output, isScriptAlone = false }) => {
			expect(await build(app)).toMatch(output);
			const built = join("built", folder);
			if (isScriptAlone) await cp(join(app, "index.html"), join(app, built, "index.html"));
			if (browser === undefined) return;
			const settings = encodeURIComponent(JSON.stringify(server.options));
			const { page, problems, read } = await openPage(
				browser,
				`${site.origin}/${built}/index.html#${settings}`,
			);
			await page.getByRole("button", { name: "Ask" }).click();
			await waitFor(async () => expect(await read("status")).toBe("completed"));
			expect(await read("answer")).toBe(ANSWER);
			await waitFor(async () => expect(await read("local")).toContain("three years"));
			expect(problems).toEqual([]);
		},
	);
});
