import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createScene } from "../end-to-end/scene";
import { hasChromium, openShopPage, startChromium } from "./page";
import { readBlocks } from "./readme";
import { createStage, type Stage } from "./stage";

// One reader's way through the README: what is made by one quick start, the next ones use.

const scene = createScene();
let stage: Stage;
let browser: Browser | undefined;
let knowledgeBaseId = "";

beforeAll(async () => {
	stage = await createStage(scene);
	if (hasChromium) browser = await startChromium();
});
afterAll(async () => {
	await Promise.all([browser?.close(), scene.end()]);
});

/** Texts of the blocks under a heading. */
const readTexts = async (heading: string): Promise<readonly string[]> =>
	(await readBlocks(heading)).map(({ text }) => text);

/** As README and output both have it, whatever ids and ports they were given, and in each version. */
const mask = (text: string): string =>
	text
		.replace(/(?<=runtime )[\d.]+(?= )/, "<version>")
		.replaceAll(/\b(kb|ck)_\w+/g, "$1_…")
		.replaceAll(/(?<=:\/\/[\w.]+):\d+/g, ":<port>");

it("the server quick start runs as the README says, and again with the same outcome", async () => {
	const [commands = "", program, output = ""] = await readTexts("A server");
	expect(program).toBe(await stage.original("examples/node-quickstart/server.mjs"));
	const first = await stage.run(commands);
	expect(mask(first)).toBe(mask(output));
	const [, ...again] = commands.trim().split("\n");
	expect(await stage.run(again.join("\n"))).toBe(first);
	knowledgeBaseId = /kb_\w+/.exec(first)?.[0] ?? "";
});

it.skipIf(!hasChromium)("the browser quick start does, in Chromium", async () => {
	const [commands = "", html, output = "", refusal = ""] = await readTexts("A browser page");
	expect(html).toBe(await stage.original("examples/browser-esm/index.html"));
	const [createKey = "", serve = ""] = commands.split("\n");
	const clientKey = (await stage.run(createKey)).trim();
	await stage.replaceInFile("examples/browser-esm/index.html", "ck_…", clientKey);
	const server = stage.start(serve);
	const [url] = await server.said(/http:\/\/\S+/);
	expect(url).toBe(`http://localhost:${stage.portFor("8080")}`);
	expect(await askPage(url)).toBe(output);
	const [other] = await stage.start("node examples/browser-esm/serve.mjs 0").said(/http:\/\/\S+/);
	expect(mask(await askPage(other))).toBe(mask(refusal));
});

async function askPage(url: string): Promise<string> {
	if (browser === undefined) throw new Error("There is no browser.");
	const page = await openShopPage(browser, url);
	await page.ask();
	const status = await page.ended();
	expect(page.errors).toEqual([]);
	return `${[await page.answer(), status].filter((text) => text !== "").join("\n")}\n`;
}

it("the quick start of an own runtime does", async () => {
	const [graph, start = "", said = "", run = "", output, program] = await readTexts("A runtime of your own");
	expect(graph).toBe(await stage.original("examples/own-runtime/agents/shop.json"));
	expect(program).toBe(await stage.original("examples/own-runtime/run.mjs"));
	await stage.replaceInFile("examples/own-runtime/agents/shop.json", "kb_…", knowledgeBaseId);
	const [exportEnvironment, command = ""] = start.split("\n");
	const variables = await stage.run(`${exportEnvironment}\nenv | grep ^STEMMA_`);
	const runtime = stage.start(
		command,
		Object.fromEntries(new URLSearchParams(variables.replaceAll("\n", "&"))),
	);
	const [line] = await runtime.said(/^Stemma runtime.*$/m);
	expect(mask(line)).toBe(mask(said.trim()));
	const [node = "", curl = ""] = run.split("\n");
	expect(await stage.run(node)).toBe(output);
	expect(JSON.parse(await stage.run(curl))).toMatchObject({
		status: "completed",
		citations: [{ n: 1, title: "Refunds" }],
		receipt: [{ payer: "none" }],
	});
});
