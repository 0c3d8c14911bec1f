import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	type CommandOutput,
	createTestCli,
	type TestCli,
	waitForExit,
	waitForOutput,
} from "./test-support/command";

const KEY = "sk-the-workspace-pays-with-this";
const OTHER_KEY = "sk-and-this-one-is-of-nobody";

let cli: TestCli;
let service: ChildProcess;
let url: string;
let vendor: OpenAiSimulator;
let printed = "";
beforeAll(async () => {
	cli = await createTestCli();
	vendor = await startOpenAiSimulator({ apiKey: KEY, models: ["small", "large"] });
	service = cli.start(["serve", "--port", "0"], {
		STEMMA_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
	});
	for (const stream of [service.stdout, service.stderr]) stream?.on("data", (chunk) => (printed += chunk));
	[, url = ""] = await waitForOutput(service, /listens on (\S+)\n/);
});
afterAll(async () => {
	service.kill();
	await waitForExit(service);
	await vendor.close();
	await cli.close();
	// Neither a log nor an error had one of them.
	for (const key of [KEY, OTHER_KEY]) expect(printed).not.toContain(key);
});

/** Runs a command with something to read; what it says is looked through for keys. */
async function stemmaWith(
	{ input = "", ...environment }: { readonly input?: string; readonly [name: string]: string },
	...args: readonly string[]
): Promise<CommandOutput> {
	const child = cli.start(args, environment);
	child.stdin?.end(input);
	const outcome = await waitForExit(child);
	printed += outcome.stdout + outcome.stderr;
	expect(outcome.stderr).not.toMatch(/^\s+at /m);
	return outcome;
}

const stemma = (...args: readonly string[]): Promise<CommandOutput> => stemmaWith({}, ...args);
const settings = (...args: readonly string[]): Promise<CommandOutput> => stemma("settings", ...args);
const endpoint = (): string[] => ["--provider", "openai-compatible", "--base-url", vendor.baseUrl];
const setSmall = (): Promise<CommandOutput> =>
	stemmaWith(
		{ MY_KEY: KEY },
		"settings",
		"set",
		...endpoint(),
		"--model",
		"small",
		"--api-key-env",
		"MY_KEY",
	);

describe("stemma settings", () => {
	it("says what answers while nothing is set", async () => {
		expect(await settings("show")).toEqual({
			code: 0,
			stdout: expect.stringMatching(/^Nothing is set: .*, extractive \(extractive\)\.\n$/),
			stderr: "",
		});
		const { stdout: json } = await settings("show", "--json");
		expect(JSON.parse(json)).toMatchObject({ provider: null, deployment: { provider: "extractive" } });
		const { stdout } = await settings("stages");
		expect(stdout).toMatch(/^ {2}STAGE +WHO PAYS +PROVIDER +MODEL +CREDENTIAL +ADDRESS\n/);
		expect(stdout).toMatch(/^ {2}answer +free +extractive .*\n {11}\S.*\.$/m);
		expect(await settings("test")).toMatchObject({
			code: 1,
			stderr: expect.stringContaining("hint:  Store settings"),
		});
		expect(await settings("clear")).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^Nothing is set/),
		});
	});

	it("sets, shows, tests, changes and clears", async () => {
		const set = await setSmall();
		expect(set).toMatchObject({ code: 0, stderr: "Next: stemma settings test\n" });
		expect(set.stdout).toMatch(/^Saved\.\n {2}provider +openai-compatible\n/);
		const shown = await settings("show");
		expect(shown.stdout).toContain(`address   ${vendor.baseUrl}\n`);
		expect(shown.stdout).toContain("API key   stored, encrypted\n");
		expect(set.stdout).toBe(`Saved.\n${shown.stdout}`);
		const tested = await settings("test");
		expect(tested).toMatchObject({ code: 0, stderr: "" });
		expect(tested.stdout).toMatch(
			/^It works: small answered in \d+ ms\.\n.*pays for: rewrite, score, answer\. Vectors were not tested\.\n$/,
		);
		expect(vendor.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
		expect((await settings("stages")).stdout).toMatch(
			/^ {2}answer +the workspace pays +openai-compatible +small +workspace +http/m,
		);

		await settings("set", "--model", "large");
		expect(JSON.parse((await settings("show", "--json")).stdout)).toMatchObject({
			provider: "openai-compatible",
			base_url: vendor.baseUrl,
			model: "large",
			has_api_key: true,
		});
		expect(JSON.parse((await settings("test", "--json")).stdout)).toMatchObject({ ok: true, model: "large" });

		expect(await settings("clear")).toEqual({
			code: 0,
			stdout: expect.stringMatching(/^Cleared, including the key: /),
			stderr: "",
		});
		const { stdout: json } = await settings("show", "--json");
		expect(JSON.parse(json)).toMatchObject({ provider: null, deployment: { provider: "extractive" } });
	});

	it("takes the key from a pipe, and without one removes the one that is stored", async () => {
		const piped = await stemmaWith(
			{ input: `${KEY}\r\n` },
			"settings",
			"set",
			...endpoint(),
			"--model",
			"small",
			"--api-key-stdin",
			"--json",
		);
		expect(piped).toMatchObject({ code: 0, stderr: "" });
		expect(JSON.parse(piped.stdout)).toMatchObject({ has_api_key: true, warnings: [] });
		expect((await settings("test")).code).toBe(0);
		const removed = await settings("set", "--no-api-key", "--json");
		expect(JSON.parse(removed.stdout)).toMatchObject({ model: "small", has_api_key: false });
		const { code, stdout, stderr } = await settings("test");
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
		expect(stderr).toMatch(/^error: .+\nhint: {2}.+\n$/);
	});

	it("tests what is given instead, and saves nothing of it", async () => {
		await setSmall();
		const trial = ["settings", "test", "--api-key-stdin"];
		const failed = await stemmaWith({ input: OTHER_KEY }, ...trial);
		expect(failed).toMatchObject({
			code: 1,
			stdout: "",
			stderr: expect.stringMatching(/^error: .+\nhint: {2}/),
		});
		const asJson = await stemmaWith({ input: OTHER_KEY }, ...trial, "--json");
		expect(asJson).toMatchObject({ code: 1, stderr: "" });
		expect(JSON.parse(asJson.stdout)).toMatchObject({ ok: false, error: { code: expect.any(String) } });
		expect(await settings("test", "--model", "unknown")).toMatchObject({ code: 1 });
		expect(await settings("test")).toMatchObject({ code: 0 });
	});

	it("does not take a stored key to another address", async () => {
		await setSmall();
		const moved = await settings("set", "--base-url", `${vendor.baseUrl}/elsewhere`);
		expect(moved).toEqual({
			code: 1,
			stdout: "",
			stderr: expect.stringMatching(/^error: .+\nhint: {2}Pass it with --api-key-stdin or --api-key-env/),
		});
		expect((await settings("show")).stdout).toContain(`address   ${vendor.baseUrl}\n`);
	});

	it("lists vendors, and takes an endpoint from there", async () => {
		const { stdout } = await settings("providers");
		expect(stdout).toMatch(/^ {2}VENDOR +PROVIDER +API KEY +ADDRESS\n/);
		expect(stdout).toMatch(/^ {2}amazon-bedrock +.*<region>/m);
		const all = JSON.parse((await settings("providers", "--json")).stdout);
		const { base_url, models } = all.find(({ id }: { id: string }) => id === "openai");
		const missing = await settings("set", "--vendor", "openai", "--api-key-stdin");
		expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining(`--model ${models[0]}`) });
		const gap = await settings("set", "--vendor", "amazon-bedrock", "--model", "m", "--api-key-stdin");
		expect(gap).toMatchObject({ code: 1, stderr: expect.stringContaining("--base-url <address>") });
		const unknown = await settings("set", "--vendor", "opnai", "--model", "m");
		expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean "openai"?') });
		const set = await stemmaWith(
			{ MY_KEY: KEY },
			..."settings set --vendor openai --model m --api-key-env MY_KEY --json".split(" "),
		);
		// Where no name can be looked up, the address is refused, and named.
		if (set.code === 0) expect(JSON.parse(set.stdout)).toMatchObject({ base_url, model: "m" });
		else expect(set.stderr).toContain("api.openai.com");
	});

	it.each([
		["nothing to set", ["set"], "There is nothing to set."],
		["too little", ["set", "--provider", "bedrock"], "This is missing: --base-url, --model."],
		[
			"an unknown format",
			["set", "--provider", "telepathy", "--base-url", "https://a.example", "--model", "m"],
			"hint:",
		],
		[
			"a variable that is not set",
			["set", "--model", "m", "--api-key-env", "NO_KEY"],
			"not set, or it is empty",
		],
		["an empty pipe", ["set", "--model", "m", "--api-key-stdin"], "the input is empty"],
	])("refuses %s", async (_, args, message) => {
		await setSmall();
		const { code, stdout, stderr } = await settings(...args);
		expect(stderr).toContain(message);
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
	});
});

describe("stemma secrets", () => {
	const set = (...args: readonly string[]): Promise<CommandOutput> =>
		stemmaWith({ MY_TOKEN: KEY }, "secrets", "set", ...args);

	it("sets, lists and deletes", async () => {
		const created = await set("crm", "--server", "https://crm.example/mcp", "--value-env", "MY_TOKEN");
		expect(created).toEqual({
			code: 0,
			stdout: "Saved crm. It is sent only to https://crm.example/mcp.\n",
			stderr: "",
		});
		expect((await stemma("secrets", "list")).stdout).toMatch(
			/^ {2}NAME .*\n {2}crm +https:\/\/crm\.example\/mcp +\d{4}-\d\d-\d\d +cl_\w+ +ok\n$/,
		);
		const moved = await set("crm", "--server", "https://other.example");
		expect(moved).toMatchObject({ code: 1, stderr: expect.stringContaining("--value-stdin") });
		const kept = await set("crm", "--server", "https://crm.example/mcp", "--json");
		expect(JSON.parse(kept.stdout)).toMatchObject({ name: "crm", status: "ok" });
		expect(await stemma("secrets", "delete", "crm")).toEqual({
			code: 0,
			stdout: "Deleted crm.\n",
			stderr: "",
		});
		expect((await stemma("secrets", "list", "--json")).stdout).toBe("[]\n");
		expect(await stemma("secrets", "delete", "crm")).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('"stemma secrets list" lists them.'),
		});
	});
});

describe("stemma usage", () => {
	it("sums what was called, and who paid", async () => {
		await setSmall();
		await settings("test");
		const { code, stdout } = await stemma("usage", "--payer", "workspace", "--stage", "answer");
		expect(code).toBe(0);
		expect(stdout).toMatch(/^ {2}DAY +WHO PAYS +STAGE +MODEL +CALLS +TOKENS IN +OUT +CACHED\n/);
		expect(stdout).toMatch(/^ {2}\d{4}-\d\d-\d\d +the workspace pays +answer +small +\d+ /m);
		expect(stdout).toMatch(/^ {2}in all +the workspace pays +\d+ /m);
		const past = await stemma("usage", "--from", "2024-01-01", "--to", "2024-01-31");
		expect(past.stdout).toMatch(
			/^No model was called from 2024-01-01 to 2024-01-31\.\nStored: .+ 0 runs\.\n$/,
		);
		expect(JSON.parse((await stemma("usage", "--json")).stdout)).toMatchObject({ data: expect.any(Array) });
	});

	it.each([
		["what is no day", ["--from", "yesterday"], "as 2026-01-31"],
		["an unknown payer", ["--payer", "me"], "Allowed choices are workspace, deployment"],
		["days in the wrong order", ["--from", "2026-02-01", "--to", "2026-01-01"], "error: "],
	])("refuses %s", async (_, args, message) => {
		const { code, stdout, stderr } = await stemma("usage", ...args);
		expect(stderr).toContain(message);
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
	});
});

describe("stemma audit", () => {
	it("tells who changed what, the newest first, and no key", async () => {
		await setSmall();
		await settings("clear");
		const { code, stdout } = await stemma("audit", "--limit", "2");
		expect(code).toBe(0);
		expect(stdout).toMatch(
			/^ {2}AT .*\n {2}\S+ +cl_\w+ +llm_settings\.cleared +.*\n {2}\S+ +cl_\w+ +llm_settings\.set /,
		);
		expect(stdout.split("\n")).toHaveLength(4);
		const own = JSON.parse((await stemma("audit", "--action", "llm_settings.set", "--json")).stdout);
		expect(new Set(own.map(({ action }: { action: string }) => action))).toEqual(
			new Set(["llm_settings.set"]),
		);
		expect(await stemma("audit", "--action", "nothing")).toMatchObject({ code: 1, stdout: "" });
	});
});

it("says what is missing where the service has no encryption key", async () => {
	const other = cli.start(["serve", "--data", "keyless", "--port", "0"]);
	await waitForOutput(other, /Ctrl-C stops it/);
	const { code, stdout, stderr } = await settings("stages", "--data", "keyless");
	expect(stderr).toMatch(/^error: .+\nhint: {2}.*STEMMA_ENCRYPTION_KEY.*\n$/);
	expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
	other.kill();
	await waitForExit(other);
});

it("needs the scope for what it does", async () => {
	const created = await stemma("clients", "create", "reads", "--scope", "settings:read", "--json");
	const { id, client_secret } = JSON.parse(created.stdout);
	const reader = { STEMMA_CLIENT_ID: id, STEMMA_CLIENT_SECRET: client_secret, STEMMA_BASE_URL: url };
	expect(await stemmaWith(reader, "settings", "stages")).toMatchObject({ code: 0 });
	expect(await stemmaWith(reader, "settings", "clear")).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("settings:write"),
	});
});
