import { createHarness } from "@stemma/simulators/processes";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hasChromium, openShopPage, startChromium } from "./page";
import { findForeignLines, readBlocks } from "./readme";
import { createReadmeFixture, type ReadmeFixture } from "./readme-fixture";

// One reader's way through the README: what is made by one quick start, the next ones use. The README shows commands and
// a part of each program, the README of the example the commands and what they print.

const harness = createHarness();
let fixture: ReadmeFixture;
let browser: Browser | undefined;

beforeAll(async () => {
	fixture = await createReadmeFixture(harness);
	if (hasChromium) browser = await startChromium();
});
afterAll(async () => {
	await Promise.all([browser?.close(), harness.end()]);
});

/** Texts of the blocks under a heading. */
const readTexts = async (heading: string, page?: string): Promise<readonly string[]> =>
	(await readBlocks(heading, page)).map(({ text }) => text);

/** As page and output both have it, whatever ids and ports they were given, and in each version. */
const mask = (text: string): string =>
	text
		.replace(/(?<=runtime )(?:[\d.]+|…)(?= )/, "<version>")
		.replaceAll(/\bck_\w+/g, "ck_…")
		.replaceAll(/(?<=:\/\/[\w.]+):\d+/g, ":<port>");

it("the server quick start runs as the README says, and again with the same outcome", async () => {
	const [commands = "", excerpt = ""] = await readTexts("A server");
	const [sameCommands, output = ""] = await readTexts(
		"Server quick start",
		"examples/node-quickstart/README.md",
	);
	expect(sameCommands).toBe(commands);
	const program = await fixture.original("examples/node-quickstart/server.mjs");
	expect(findForeignLines(excerpt, program)).toEqual([]);
	const first = await fixture.run(commands);
	expect(mask(first)).toBe(mask(output));
	const [, ...again] = commands.trim().split("\n");
	expect(await fixture.run(again.join("\n"))).toBe(first);
});

it.skipIf(!hasChromium)("the browser quick start does, in Chromium", async () => {
	const [commands = "", excerpt = ""] = await readTexts("A browser page");
	const [sameCreateKey = "", sameServe = "", output = "", refusal = ""] = await readTexts(
		"Browser quick start",
		"examples/browser-esm/README.md",
	);
	expect(`${sameCreateKey}${sameServe}`).toBe(commands);
	const html = await fixture.original("examples/browser-esm/index.html");
	expect(findForeignLines(excerpt, html)).toEqual([]);
	const [createKey = "", serve = ""] = commands.split("\n");
	const clientKey = (await fixture.run(createKey)).trim();
	await fixture.replaceInFile("examples/browser-esm/index.html", "ck_…", clientKey);
	const server = fixture.start(serve);
	const [url] = await server.waitForOutput(/http:\/\/\S+/);
	expect(url).toBe(`http://localhost:${fixture.portFor("8080")}`);
	expect(await askPage(url)).toBe(output);
	const other = fixture.start("node examples/browser-esm/serve.mjs 0");
	const [otherUrl] = await other.waitForOutput(/http:\/\/\S+/);
	expect(mask(await askPage(otherUrl))).toBe(mask(refusal));
});

async function askPage(url: string): Promise<string> {
	if (browser === undefined) throw new Error("There is no browser.");
	const page = await openShopPage(browser, url);
	await page.ask();
	const status = await page.ended();
	expect(page.errors).toEqual([]);
	return `${[await page.answer(), status].filter((text) => text !== "").join("\n")}\n`;
}

it("the quick start of a self-hosted runtime does", async () => {
	const folder = "examples/self-hosted-runtime";
	const [start = ""] = await readTexts("A runtime of your own");
	const [sameStart, ready = "", run = "", output, curl = ""] = await readTexts(
		"Self-hosted runtime",
		`${folder}/README.md`,
	);
	expect(sameStart).toBe(start);
	expect(run).toBe(`node ${folder}/run.mjs\n`);
	const [exportEnvironment, command = ""] = start.split("\n");
	const variables = await fixture.run(`${exportEnvironment}\nenv | grep ^STEMMA_`);
	const runtime = fixture.start(
		command,
		Object.fromEntries(new URLSearchParams(variables.replaceAll("\n", "&"))),
	);
	const [line] = await runtime.waitForOutput(/^Stemma runtime.*$/m);
	expect(mask(line)).toBe(mask(ready.trim()));
	expect(await fixture.run(run)).toBe(output);
	expect(JSON.parse(await fixture.run(curl))).toMatchObject({
		status: "completed",
		citations: [{ n: 1, title: "Refunds" }],
		receipt: [{ payer: "none" }],
	});
});
