import { existsSync, readdirSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hasChromium, openShopPage, startChromium } from "../quick-starts/page";
import { type ChatPage, openChatPage } from "../react-chat/chat-page";
import { type Checkout, createCheckout } from "./checkout";

// Every example, by the words of its README, in a fresh checkout. Other servers have the usual ports of `npm start`: nothing
// may ever reach them.

const folder = fileURLToPath(new URL("../../examples", import.meta.url));

/** Made by one, used by those after it. */
const FIRST = ["node-quickstart"];
const examples = readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/README.md`));
const others = examples.filter((name) => !FIRST.includes(name));

let checkout: Checkout;
let started: string;
let browser: Browser | undefined;
const foreign: Server[] = [];
const foreignRequests: string[] = [];

/** `npm start` of a fresh checkout installs everything. */
const INSTALL_MS = 600_000;
/** `npm run build` may be part of a README. */
const README_MS = 300_000;

/** Nothing where another program of this machine has the port already. */
function occupyPort(port: number): Promise<void> {
	const server = createServer((request, response) => {
		foreignRequests.push(`${port} ${request.method} ${request.url}`);
		response.end("{}");
	});
	foreign.push(server);
	return new Promise((resolve) => {
		server.on("error", () => resolve());
		server.listen(port, "127.0.0.1", resolve);
	});
}

beforeAll(async () => {
	await Promise.all([occupyPort(4000), occupyPort(4120)]);
	checkout = await createCheckout();
	if (hasChromium) browser = await startChromium();
	started = await checkout.start();
}, INSTALL_MS);
afterAll(async () => {
	await Promise.all([browser?.close(), checkout?.close()]);
	for (const server of foreign) server.close();
}, README_MS);

/** What a person sees in a browser at the address that the README names. */
const PAGES: Readonly<Record<string, (browser: Browser) => Promise<void>>> = {
	"browser-esm": (chromium) => askShopPage(chromium, "http://localhost:8080"),
	"web-route": (chromium) => askShopPage(chromium, "http://localhost:8081"),
	"vite-react-chat": async (chromium) => void (await askChatPage(chromium, "http://localhost:5173")),
	"use-chat": async (chromium) => {
		const page = await askChatPage(chromium, "http://localhost:5174");
		await page.reload();
		await expectAnswer(page);
	},
};

async function askChatPage(chromium: Browser, address: string): Promise<ChatPage> {
	const page = await openChatPage(chromium, checkout.addressOf(address));
	await page.ask("How long does a refund take?");
	await expectAnswer(page);
	return page;
}

async function expectAnswer(page: ChatPage): Promise<void> {
	await expect.poll(page.sources, { timeout: 60_000 }).toEqual([expect.stringContaining("Refunds")]);
	expect(await page.answer()).toContain("A refund takes five working days");
	expect([await page.alert(), page.errors]).toEqual(["", []]);
}

async function askShopPage(chromium: Browser, address: string): Promise<void> {
	const page = await openShopPage(chromium, checkout.addressOf(address));
	await page.ask();
	expect(await page.ended()).toMatch(/^completed · .*Refunds/);
	expect(await page.answer()).toContain("A refund takes five working days");
	expect(page.errors).toEqual([]);
}

it.each([...FIRST, ...others])(
	"the README of %s does what it says",
	async (example) => {
		const { outputs } = await checkout.follow(example);
		for (const { shown, printed } of outputs) expect(printed).toContain(shown);
		const look = PAGES[example];
		if (look !== undefined && browser !== undefined) await look(browser);
		expect(foreignRequests).toEqual([]);
	},
	README_MS,
);

it(
	"what npm start prints to go on with reaches its own servers",
	async () => {
		const [, commands = ""] = /^Next, in another terminal:\n([\s\S]*)^Ctrl-C/m.exec(started) ?? [];
		const output = await checkout.run(commands.replaceAll(/^.*<your folder>.*$/gm, ""));
		expect(output).toContain("$100");
		expect(output).toContain('"status":"completed"');
		expect(output).toContain("event: ask.completed");
		expect(started).toContain("Port 4000 was not free.");
		expect(foreignRequests).toEqual([]);
	},
	README_MS,
);
