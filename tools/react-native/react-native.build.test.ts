import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { UploadProgress } from "@stemma/client";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type Backends, startBackends } from "../packed/backends";
import { EXPOSED, expectedOfClient } from "../packed/scenarios/client-scenario.mjs";
import { HELD_TEXT } from "../packed/scenarios/held-text.mjs";
import { expectedOfModels, UNSIGNED } from "../packed/scenarios/models-scenario.mjs";
import { expected } from "../packed/scenarios/scenario.mjs";
import { type AppHost, startApp } from "./app-host";
import { type AppBundle, bundleApp, isMetroInstalled } from "./bundle-app";
import { AGENT, eventsOf, type RunScript, wordsOf } from "./run-events";
import { type RunServer, startRunServer } from "./run-server";

const execute = promisify(execFile);
const folder = fileURLToPath(new URL(".", import.meta.url));
const tsc = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url));
const hermes = join(folder, "node_modules", "hermes-compiler", "hermesc", "linux64-bin", "hermesc");
/** For a release, without warnings. */
const RELEASE = ["-emit-binary", "-O", "-w", "-out", join(folder, ".stemma", "app.hbc")];
const runsHermes = process.platform === "linux" && process.arch === "x64" && existsSync(hermes);

describe.skipIf(!isMetroInstalled)("the packed packages, bundled by Metro", () => {
	let bundle: AppBundle;
	let backends: Backends;
	/** Go on beside the other tests, as they take longer. */
	let compiled: Promise<string>;
	let typed: Promise<string>;
	beforeAll(async () => {
		[bundle, backends] = await Promise.all([bundleApp(), startBackends()]);
		typed = problemsOf(tsc, ["-p", bundle.example]);
		compiled = runsHermes ? problemsOf(hermes, [...RELEASE, bundle.file]) : Promise.resolve("");
	});
	afterAll(() => backends.close());

	it("take the entries for React Native and nothing of Node, without a warning", () => {
		expect(bundle.imports["@stemma/client"]).toBe("node_modules/@stemma/client/dist/index.cjs");
		expect(bundle.imports["@stemma/client/mcp"]).toBe("node_modules/@stemma/client/dist/mcp.cjs");
		expect(bundle.imports["@stemma/client/a2a"]).toBe("node_modules/@stemma/client/dist/a2a.cjs");
		expect(bundle.imports["@stemma/routing/bedrock"]).toBe("node_modules/@stemma/routing/dist/bedrock.cjs");
		expect(Object.keys(bundle.imports).filter((specifier) => isBuiltin(specifier))).toEqual([]);
		expect(bundle.code).not.toMatch(/["'`]node:/);
		expect(bundle.warnings).toEqual([]);
	});

	it("find neither body streams nor WebCrypto nor Buffer", async () => {
		const app = startApp(bundle.code);
		expect(await app.call("describePlatform")).toEqual(["fetch", "TextDecoder"]);
		expect(await app.call("describePackages")).toEqual(["function", "function"]);
	});

	it("run a graph", async () => {
		const app = startApp(bundle.code);
		expect(await app.call("scenario")).toEqual(expected);
		expect(app.problems).toEqual([]);
	});

	// Hermes has a TextDecoder since React Native 0.85.
	describe.each([true, false])("with a TextDecoder: %s", (hasTextDecoder) => {
		it("ask models by their keys; AWS keys cannot sign", async () => {
			const { requests } = backends.vendors.bedrock;
			const before = requests.length;
			const app = startApp(bundle.code, { hasTextDecoder });
			const outcome = await callWith(app, "modelsScenario", backends.settings.vendors);
			expect(outcome).toEqual({ ...expectedOfModels, signed: UNSIGNED });
			expect(app.problems).toEqual([]);
			await expect.poll(() => requests.at(-1)).toMatchObject({ isAborted: true });
			const seen = requests.slice(before);
			expect(new Set(seen.map(({ credential }) => credential?.kind))).toEqual(new Set(["bearer", undefined]));
			const isStreamed = seen.some(({ operation }) => operation?.name === "converse-stream");
			expect(isStreamed).toBe(hasTextDecoder);
		});

		it("do with a service what a client can, and stream over XMLHttpRequest", async () => {
			const app = startApp(bundle.code, { hasTextDecoder });
			const outcome = await callWith(app, "clientScenario", backends.settings.client);
			expect(outcome).toEqual({ ...expectedOfClient, ...EXPOSED });
			expect(app.problems).toEqual([]);
			const streamed = app.requests.filter(({ headers }) => headers.accept === "text/event-stream");
			expect(streamed.length).toBeGreaterThan(5);
			expect(streamed.filter(({ isIncremental }) => !isIncremental)).toEqual([]);
			expect(Math.max(...streamed.map(({ pieces }) => pieces.length))).toBeGreaterThan(3);
			expect(app.requests.filter(({ url }) => url.includes("wait_ms"))).toEqual([]);
			const open = () => app.requests.filter(({ end }) => end === undefined);
			await expect.poll(open).toEqual([]);
		});
	});

	it("stream over a `fetch` as Expo has one, where it is passed in", async () => {
		const app = startApp(bundle.code);
		const outcome = await callWith(app, "clientScenarioOverBodyStreams", backends.settings.client);
		expect(outcome).toEqual({ ...expectedOfClient, ...EXPOSED });
		expect(app.problems).toEqual([]);
		expect(app.requests).toEqual([]);
	});

	describe("follow a run", () => {
		/** Three and a half times as much as one `XMLHttpRequest` may hold. */
		const LONG = { words: 350, characters: 10_000, breaksAt: [] };
		const BROKEN = { words: 12, characters: 10, breaksAt: [1, 5, 9] };
		const started = `POST /v1/agents/${AGENT}/run`;
		const rejoined = "GET /v1/runs/run_1/events";
		let server: RunServer | undefined;
		afterEach(() => server?.close());

		async function follow(app: AppHost, script: RunScript, program = "follow", options = {}) {
			server = await startRunServer(script);
			const outcome = await callWith(app, program, { baseUrl: server.url, agent: AGENT, ...options });
			return { outcome, routes: server.routes };
		}

		/** All events once and in order, and the text that they make up. */
		const wholeRun = (script: RunScript): object => ({
			status: "completed",
			numbers: eventsOf(script).map(({ seq }) => seq),
			text: wordsOf(script).join(""),
		});

		it("over many XMLHttpRequests, so that none holds too much", async () => {
			const app = startApp(bundle.code);
			const { outcome, routes } = await follow(app, LONG);
			expect(outcome).toEqual(wholeRun(LONG));
			expect(routes).toEqual([started, rejoined, rejoined, rejoined]);
			const left = app.requests.slice(0, -1).map(({ isIncremental, end }) => ({ isIncremental, end }));
			expect(left).toEqual(Array.from({ length: 3 }, () => ({ isIncremental: true, end: "aborted" })));
			const held = app.requests.map(({ pieces }) => pieces.reduce((sum, length) => sum + length, 0));
			expect(Math.max(...held)).toBeLessThan(1_300_000);
		});

		it.each([
			{ over: "XMLHttpRequest", hasBodyStreams: false, ends: ["failed", "failed", "failed"] },
			{ over: "body streams", hasBodyStreams: true, ends: [] },
		])("that drops, over $over", async ({ hasBodyStreams, ends }) => {
			const app = startApp(bundle.code);
			const { outcome, routes } = await follow(app, BROKEN, "follow", { hasBodyStreams });
			expect(outcome).toEqual(wholeRun(BROKEN));
			// Before its first event was whole, the run was not known.
			expect(routes).toEqual([started, started, rejoined, rejoined]);
			expect(app.requests.slice(0, -1).map(({ end }) => end)).toEqual(ends);
		});

		it("by asking again and again where nothing streams", async () => {
			const app = startApp(bundle.code);
			const { outcome, routes } = await follow(app, BROKEN, "followWithoutStreams");
			expect(outcome).toEqual(wholeRun(BROKEN));
			expect(routes).toEqual([started, rejoined, rejoined, rejoined]);
		});

		it("in bytes only with a TextDecoder, and say so", async () => {
			const app = startApp(bundle.code, { hasTextDecoder: false });
			const failure = follow(app, BROKEN, "follow", { hasBodyStreams: true });
			await expect(failure).rejects.toMatchObject({ message: expect.stringContaining("TextDecoder") });
		});
	});

	describe("the example app", () => {
		const show = async (agent: string): Promise<AppHost> => {
			const app = startApp(bundle.code);
			const { baseUrl, clientKey } = backends.settings.client;
			await callWith(app, "showExample", { BASE_URL: baseUrl, CLIENT_KEY: clientKey, AGENT: agent });
			await expect.poll(() => [app.screen.text(), ...app.problems].join("\n")).toContain("Ask");
			return app;
		};
		const ask = async ({ screen }: AppHost, question: string): Promise<void> => {
			screen.type("Question", question);
			await vi.waitFor(() => screen.press("Ask"), 30_000);
		};

		it("shows an answer and what it rests on", async () => {
			const app = await show(backends.settings.client.agent);
			await ask(app, "How long do refunds take?");
			await expect.poll(() => app.screen.text()).toContain("completed");
			const lines = app.screen.text().split("\n");
			expect(lines).toEqual([
				"How long do refunds take?",
				"Refunds take five working days [1].",
				"[1] Refunds",
				"completed",
				"Ask",
			]);
			expect(app.problems).toEqual([]);
		});

		it("shows text as it is written, until it is cancelled", async () => {
			const app = await show(backends.settings.client.heldAgent);
			await ask(app, "#held-example");
			await expect.poll(() => app.screen.text()).toContain(HELD_TEXT.slice(0, 7));
			const { releaseUrl } = backends.settings.client;
			await fetch(`${releaseUrl}?mark=example&pieces=1`);
			await expect.poll(() => app.screen.text()).toContain(HELD_TEXT.slice(0, 14));
			const started = app.requests.find(({ method, url }) => method === "POST" && url.endsWith("/run"));
			expect(started).toMatchObject({ isIncremental: true, end: undefined });
			app.screen.press("Cancel");
			await expect.poll(() => app.screen.text()).toContain("cancelled");
			expect(app.screen.text().split("\n")[1]).toBe(HELD_TEXT.slice(0, 14));
			expect(app.problems).toEqual([]);
		});

		it("is typed", async () => {
			expect(await typed).toBe("");
		});

		it("shows what is wrong", async () => {
			const app = await show("nobody");
			await ask(app, "Is anyone there?");
			await expect.poll(() => app.screen.text()).toContain("failed");
			expect(app.screen.text()).toContain("nobody");
			expect(app.problems).toEqual([]);
		});
	});

	describe("keep a conversation in a thread", () => {
		const show = async (agent: string, thread: unknown = null): Promise<AppHost> => {
			const app = startApp(bundle.code);
			const { baseUrl, clientKey } = backends.settings.client;
			await callWith(app, "showThread", { baseUrl, clientKey, agent, thread });
			await expect.poll(() => [app.screen.text(), ...app.problems].join("\n")).toMatch(/Send|Stop/);
			return app;
		};
		const send = async ({ screen }: AppHost, text: string): Promise<void> => {
			screen.type("Message", text);
			await vi.waitFor(() => screen.press("Send"), 30_000);
		};
		const messagesOf = ({ screen }: AppHost) => screen.text().split("\n").slice(0, -2);
		const QUESTION = "user: How long do refunds take? completed";
		const ANSWER = "assistant: Refunds take five working days [1]. (Refunds) completed";

		it("with its sources, also after the app was started again", async () => {
			const app = await show(backends.settings.client.agent);
			await send(app, "How long do refunds take?");
			await expect.poll(() => messagesOf(app)).toEqual([QUESTION, ANSWER]);
			await send(app, "How long do refunds take?");
			await expect.poll(() => messagesOf(app)).toEqual([QUESTION, ANSWER, QUESTION, ANSWER]);
			const thread = await app.call("findThread");
			expect(thread).toMatchObject({ thread_id: expect.stringMatching(/^thr_/) });
			const again = await show(backends.settings.client.agent, thread);
			await expect.poll(() => messagesOf(again)).toEqual([QUESTION, ANSWER, QUESTION, ANSWER]);
			again.screen.press("Again");
			await expect.poll(() => messagesOf(again)).toEqual([QUESTION, ANSWER, QUESTION, ANSWER]);
			expect([...app.problems, ...again.problems]).toEqual([]);
		});

		it("rejoin an answer that is being written, and stop it", async () => {
			const { heldAgent, releaseUrl } = backends.settings.client;
			const app = await show(heldAgent);
			await send(app, "#held-thread");
			const written = (length: number) => `assistant: ${HELD_TEXT.slice(0, length)} in_progress`;
			await expect.poll(() => messagesOf(app)[1]).toBe(written(7));
			const again = await show(heldAgent, await app.call("findThread"));
			await expect.poll(() => messagesOf(again)[1]).toBe(written(7));
			await fetch(`${releaseUrl}?mark=thread&pieces=1`);
			await expect.poll(() => messagesOf(again)[1]).toBe(written(14));
			again.screen.press("Stop");
			const stopped = `assistant: ${HELD_TEXT.slice(0, 14)} cancelled`;
			await expect.poll(() => messagesOf(again)[1]).toBe(stopped);
			await expect.poll(() => messagesOf(app)[1]).toBe(stopped);
			expect([...app.problems, ...again.problems]).toEqual([]);
		});
	});

	it("upload files by their addresses", async () => {
		const text = `# Die Schlüssel\n\n${"They are kept at the desk. ".repeat(2000)}`;
		const file = join(folder, ".stemma", "keys.md");
		await writeFile(file, text);
		const app = startApp(bundle.code);
		const uri = pathToFileURL(file).href;
		const outcome = await callWith(app, "upload", { ...backends.settings.client, uri });
		const { progress, ...document } = outcome as { readonly progress: readonly UploadProgress[] };
		const size = Buffer.byteLength(text);
		expect(document).toEqual({
			status: "ready",
			title: "Die Schlüssel",
			metadata: { from: "a picker" },
			size,
		});
		const loaded = progress.map((event) => event.loaded);
		expect(loaded.length).toBeGreaterThan(2);
		expect(loaded).toEqual(loaded.toSorted((one, other) => one - other));
		expect(progress.at(-1)).toEqual({ loaded: loaded.at(-1), total: loaded.at(-1) });
		expect(loaded.at(-1)).toBeGreaterThan(size);
	});

	it.skipIf(!runsHermes)("are JavaScript that Hermes knows", async () => {
		expect(await compiled).toBe("");
	});
});

/** All that a compiler prints. */
async function problemsOf(compiler: string, args: readonly string[]): Promise<string> {
	const { stdout, stderr } = await execute(compiler, args).catch((error) => error);
	return `${stdout}${stderr}`;
}

const callWith = (app: AppHost, name: string, options: object): Promise<unknown> =>
	app.call(name, JSON.stringify(options));
