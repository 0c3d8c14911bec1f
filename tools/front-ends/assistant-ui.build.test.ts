import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hasChromium, startChromium } from "../quick-starts/page";
import { type FetchServer, serveFetch } from "./serve-fetch";
import { isInstalled, useServers } from "./use-servers";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const WORDS = Array.from({ length: 30 }, (_, n) => `word-${n}`).join(" ");

// biome-ignore lint/correctness/useHookAtTopLevel: not a hook of React
const servers = useServers();
const { enqueue, listCalls } = servers;
/** Address at which a page finds a target: on its own origin, or on another one. */
type TargetName = "service" | "runtime" | "client key";

let site: FetchServer;
let service: FetchServer;
let browser: Browser;
let page: Page;
let problems: string[];
let settings: Readonly<Record<TargetName, { readonly url: string; readonly key: string }>>;

/** The page of the guide, of an agent and with the settings that a test names, around the parts of assistant-ui. */
async function bundlePage(): Promise<string> {
	const guide = readFileSync(here("../../docs/front-ends.md"), "utf8");
	const [, code = ""] = /\*\*assistant-ui\*\*[\s\S]*?```jsx\n([\s\S]*?)```/.exec(guide) ?? [];
	const snippet = code
		.replace("support-desk", `\${globalThis.settings.agent}`)
		.replace("@/components/assistant-ui/thread", "./pages/thread.jsx");
	const start = `import { createRoot } from "react-dom/client";\n${snippet}\ncreateRoot(document.body.appendChild(document.createElement("main"))).render(<Chat />);`;
	const { outputFiles } = await build({
		stdin: { contents: start, loader: "jsx", resolveDir: here(".") },
		bundle: true,
		write: false,
		jsx: "automatic",
		format: "esm",
		define: {
			"process.env.NODE_ENV": '"production"',
			STEMMA_URL: "globalThis.settings.url",
			CLIENT_KEY: "globalThis.settings.key",
		},
		logLevel: "error",
	});
	return outputFiles[0]?.text ?? "";
}

/** Page and, below the name of each target, its routes: the page of an app that keeps the credential on its server. */
function createSite(script: string): (request: Request) => Promise<Response> {
	const html =
		'<!doctype html><title>chat</title><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>';
	return async (request) => {
		const [, name = "", ...path] = new URL(request.url).pathname.split("/");
		if (name === "") return new Response(html, { headers: { "content-type": "text/html" } });
		if (name === "page.js") return new Response(script, { headers: { "content-type": "text/javascript" } });
		const target = servers.fixture.targets[name === "runtime" ? "runtime" : "service"];
		const [, resource, id = ""] = path;
		if (resource === "runs") {
			await target.sdk.runs.cancel(id);
			return Response.json({});
		}
		const { signal, body, headers } = request;
		// The credential of the page is none of the server's.
		const sent = { "content-type": headers.get("content-type") ?? "" };
		const init = { method: "POST", headers: sent, signal, body, duplex: "half" } as RequestInit;
		return target.fetch(target.toUrl(id, "ag-ui"), init);
	};
}

beforeAll(async () => {
	if (!isInstalled || !hasChromium || !existsSync(here("node_modules/@assistant-ui"))) return;
	const { service: fixture } = servers.fixture;
	site = await serveFetch(createSite(await bundlePage()));
	service = await serveFetch((request) => fixture.deployment.service.fetch(request));
	const key = await fixture.makeKey({ native: false, origins: [site.origin] });
	settings = {
		service: { url: `${site.origin}/service`, key: "none" },
		runtime: { url: `${site.origin}/runtime`, key: "none" },
		"client key": { url: service.origin, key },
	};
	browser = await startChromium();
});
afterAll(async () => {
	await browser?.close();
	site?.close();
	service?.close();
});
beforeEach(async () => {
	problems = [];
	page = await browser.newPage();
	page.on("pageerror", (error) => problems.push(String(error)));
});
afterEach(() => page?.close());

async function ask(target: TargetName, agent: string, question: string): Promise<void> {
	await page.addInitScript((values) => Object.assign(globalThis, { settings: values }), {
		...settings[target],
		agent,
	});
	await page.goto(site.origin);
	await send(question);
}

async function send(question: string): Promise<void> {
	await page.getByRole("textbox", { name: "Message" }).fill(question);
	await page.getByRole("button", { name: "Send" }).click();
}

const readAll = (selector: string): Promise<readonly string[]> => page.locator(selector).allTextContents();
/** Texts of the answers, without what else they show. */
const answers = () => readAll('[data-role="assistant"] p');
const isIdle = () => page.getByRole("button", { name: "Send" }).isVisible();

describe.skipIf(!isInstalled || !hasChromium).each(["service", "runtime"] as const)(
	"assistant-ui in Chromium, against the %s",
	(target) => {
		it("shows an answer, and sends what was said before", async () => {
			enqueue({ kind: "reply", text: "Good morning." }, { kind: "reply", text: "As I said." });
			await ask(target, "plain", "Good morning?");
			await expect.poll(answers).toEqual(["Good morning."]);
			await expect.poll(isIdle).toBe(true);
			await send("Again?");
			await expect.poll(answers).toEqual(["Good morning.", "As I said."]);
			const { messages = [] } = (servers.fixture.service.vendor.requests.at(-1)?.body ?? {}) as {
				messages?: readonly { readonly content: unknown }[];
			};
			expect(messages.map(({ content }) => content)).toEqual(["Good morning?", "Good morning.", "Again?"]);
			expect(problems).toEqual([]);
		});

		it.each(["Approve", "Deny"])("decides on an approval with its own buttons: %s", async (decision) => {
			enqueue(
				{ kind: "reply", toolCalls: [{ id: "c", name: "refund", arguments: { order: 7 } }] },
				{ kind: "reply", text: "That is that." },
			);
			await ask(target, "desk", "Refund 7.");
			await expect.poll(() => readAll("legend")).toEqual(['refund {"order":7}']);
			expect(listCalls()).toEqual([]);
			await page.getByRole("button", { name: decision }).click();
			await expect.poll(answers).toEqual(["That is that."]);
			expect(listCalls()).toEqual(decision === "Approve" ? [{ order: 7 }] : []);
			const result = decision === "Approve" ? "It is refunded." : expect.stringContaining("Not today.");
			expect(await readAll("output")).toEqual([result]);
			expect(await page.getByRole("button", { name: decision }).count()).toBe(0);
			expect(problems).toEqual([]);
		});

		it("shows the error of the vendor", async () => {
			enqueue({ kind: "failure", status: 400, message: "No." });
			await ask(target, "plain", "Hello?");
			await expect
				.poll(() => readAll('[data-role="assistant"]'))
				.toEqual([expect.stringMatching(/\w+ .*\./)]);
			await expect.poll(isIdle).toBe(true);
			enqueue({ kind: "reply", text: "Here I am." });
			await send("Once more?");
			await expect.poll(answers).toEqual(["Here I am."]);
		});

		it("stops an answer, and its run", async () => {
			const { promise: held, resolve: release } = Promise.withResolvers<void>();
			enqueue({ kind: "reply", text: WORDS, held });
			await ask(target, "plain", "Go on.");
			await expect.poll(answers).toEqual([expect.stringMatching(/^word-0/)]);
			await page.getByRole("button", { name: "Stop" }).click();
			await expect.poll(isIdle).toBe(true);
			await expect.poll(() => servers.fixture.service.vendor.requests.at(-1)?.isAborted).toBe(true);
			release();
			expect(await answers()).toEqual([expect.stringMatching(/^word-0/)]);
			expect(await answers()).not.toEqual([WORDS]);
			expect(problems).toEqual([]);
		});
	},
);

describe.skipIf(!isInstalled || !hasChromium)("assistant-ui in Chromium, with a client key", () => {
	it("shows an answer of the service on another origin, and stops one", async () => {
		enqueue({ kind: "reply", reasoning: "Secret.", text: "It takes five working days [1]." });
		await ask("client key", "cited", "How long does a refund take?");
		await expect.poll(answers).toEqual(["It takes five working days [1]."]);
		expect(await readAll("em")).toEqual([]);
		await expect.poll(isIdle).toBe(true);
		const { promise: held, resolve: release } = Promise.withResolvers<void>();
		enqueue({ kind: "reply", text: WORDS, held });
		await send("Go on.");
		await expect.poll(async () => (await answers())[1]).toMatch(/^word-0/);
		await page.getByRole("button", { name: "Stop" }).click();
		await expect.poll(() => servers.fixture.service.vendor.requests.at(-1)?.isAborted).toBe(true);
		release();
		expect(problems).toEqual([]);
	});
});
