import type { ChildProcess } from "node:child_process";
import { mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runtimeAgents, Stemma } from "@stemma/client";
import { findStablePort } from "@stemma/simulators/processes";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
	type CommandOutput,
	createTestCli,
	type TestCli,
	waitForExit,
	waitForOutput,
} from "./test-support/command";

let cli: TestCli;
let service: ChildProcess;
let url: string;
let secrets: { readonly client_id: string; readonly client_secret: string; readonly client_key: string };
beforeAll(async () => {
	cli = await createTestCli();
	service = cli.start(["serve", "--port", "0"]);
	[, url = ""] = await waitForOutput(service, /listens on (\S+)\n/);
	secrets = JSON.parse(await readFile(inFolder("stemma-data/first-credentials.json"), "utf8"));
});
afterAll(async () => {
	service.kill();
	await waitForExit(service);
	await cli.close();
});

const inFolder = (name: string): string => join(cli.folder, name);

async function write(name: string, content: string | Uint8Array): Promise<void> {
	await mkdir(join(inFolder(name), ".."), { recursive: true });
	await writeFile(inFolder(name), content);
}

const stemma = (...args: readonly string[]): Promise<CommandOutput> => cli.stemma(...args);

const connect = (): Stemma =>
	new Stemma({ baseUrl: url, clientId: secrets.client_id, clientSecret: secrets.client_secret });

const LEAVE =
	"# Leave\n\n## Parental leave\n\nParents get 16 weeks of paid leave. It is booked in advance.\n";
const REFUNDS = "<title>Refunds</title><main><h1>Refunds</h1><p>A refund takes five working days.</p></main>";

describe("stemma serve", () => {
	it("says where it listens and where its credentials are, never what they are", async () => {
		const other = cli.start(["serve", "--data", "other data", "--port", "0"]);
		const outcome = waitForExit(other);
		await waitForOutput(other, /Ctrl-C stops it/);
		const { client_secret, client_key } = JSON.parse(
			await readFile(inFolder("other data/first-credentials.json"), "utf8"),
		);
		const running = JSON.parse(await readFile(inFolder("other data/service.json"), "utf8"));
		expect(running).toEqual({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), pid: other.pid });
		other.kill("SIGTERM");
		const { code, stdout, stderr } = await outcome;
		expect(code).toBe(0);
		expect(stderr).toContain(running.url);
		expect(stderr).toContain(inFolder("other data/first-credentials.json"));
		expect(stdout + stderr).not.toContain(client_secret);
		expect(stdout + stderr).not.toContain(client_key);
		await expect(stat(inFolder("other data/service.json"))).rejects.toThrow("ENOENT");
	});

	it("prints its settings and ends", async () => {
		const { code, stdout } = await stemma("serve", "--data", "elsewhere", "--port", "4321", "--print-config");
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({ listen: { port: 4321 }, data: inFolder("elsewhere") });
		await expect(stat(inFolder("elsewhere"))).rejects.toThrow("ENOENT");
	});

	it.each([
		["a folder that is in use", ["--port", "0"], "in use by another service"],
		["a port that is none", ["--port", "http"], "Expected a whole number from 0 to 65,535."],
		["a missing settings file", ["--config", "nope.json"], "nope.json"],
	])("refuses %s", async (_, args, message) => {
		const { code, stderr } = await stemma("serve", ...args);
		expect(stderr).toContain(message);
		expect(stderr).not.toMatch(/^\s+at /m);
		expect(code).toBe(1);
	});
});

describe("stemma ingest", () => {
	beforeEach(async () => {
		await rm(inFolder("docs"), { recursive: true, force: true });
		await write("docs/leave.md", LEAVE);
		await write("docs/deep/refunds.html", REFUNDS);
		await write("docs/logo.png", "\x89PNG\0\0");
	});

	it("takes in a folder, and the next time only what has changed", async () => {
		const first = await stemma("ingest", "docs", "--kb", "changing", "--create");
		expect(first).toEqual({
			code: 0,
			stdout: expect.stringMatching(
				/^Ingested 2 documents \(2 new, 0 changed, 0 unchanged, 0 removed, 0 failed; 2 passages\) in \d+\.\d s\.\n {2}HTML {6}1: 1 new\n {2}Markdown {2}1: 1 new\nLeft out: 1 \.png\.\n$/,
			),
			stderr: "",
		});
		const second = await stemma("ingest", "docs", "--kb", "changing");
		expect(second.stdout).toContain("(0 new, 0 changed, 2 unchanged, 0 removed, 0 failed; 2 passages)");
		await write("docs/leave.md", LEAVE.replace("16", "18"));
		await write("docs/new.txt", "The office is open from nine to five.\n");
		const third = await stemma("ingest", "docs", "--kb", "changing");
		expect(third.stdout).toContain("(1 new, 1 changed, 1 unchanged, 0 removed, 0 failed; 3 passages)");
	});

	it("removes what is gone with --prune alone, and nothing that came without a source", async () => {
		await stemma("ingest", "docs", "--kb", "pruned", "--create");
		const { knowledge } = connect();
		const base = (await knowledge.list()).data.find(({ name }) => name === "pruned");
		await knowledge.documents.addText(base?.id ?? "", { text: "Added by a program." });
		await rm(inFolder("docs/deep"), { recursive: true });
		const kept = await stemma("ingest", "docs", "--kb", "pruned");
		expect(kept.stdout).toContain("(0 new, 0 changed, 1 unchanged, 0 removed, 0 failed; 1 passage)");
		const pruned = await stemma("ingest", "docs", "--kb", base?.id ?? "", "--prune", "--json");
		expect(JSON.parse(pruned.stdout)).toEqual({
			knowledge_base_id: base?.id,
			new: 0,
			changed: 0,
			unchanged: 1,
			removed: 1,
			failed: [],
			skipped: [],
			empty: [],
			kept: [],
			behind_links: [],
			passages: 1,
			left_out: 1,
			left_out_kinds: { ".png": 1 },
			kinds: { Markdown: expect.objectContaining({ unchanged: 1, new: 0 }) },
			ms: expect.any(Number),
		});
		const left = await knowledge.documents.list(base?.id ?? "");
		expect(left.data.map(({ source }) => source).sort()).toEqual(["leave.md", null].sort());
	});

	it("names what fails, goes on with the others, and tries it again the next time", async () => {
		await write("docs/broken.md", Buffer.from("text\0text"));
		await write("docs/huge.txt", Buffer.alloc(21 * 1024 * 1024, 0x61));
		const { code, stdout, stderr } = await stemma("ingest", "docs", "--kb", "failing", "--create");
		expect(code).toBe(1);
		expect(stdout).toContain("Ingested 2 documents (2 new, 0 changed, 0 unchanged, 0 removed, 2 failed;");
		expect(stderr).toMatch(/^failed: broken\.md: \S/m);
		expect(stderr).toMatch(/^failed: huge\.txt: \S/m);
		await write("docs/broken.md", "Mended.\n");
		await rm(inFolder("docs/huge.txt"));
		const again = await stemma("ingest", "docs", "--kb", "failing");
		expect(again.code).toBe(0);
		expect(again.stdout).toContain("(0 new, 1 changed, 2 unchanged, 0 removed, 0 failed; 3 passages)");
	});

	it("skips what cannot be read where that is asked for", async () => {
		await write("docs/broken.md", Buffer.from("text\0text"));
		await write("docs/huge.txt", Buffer.alloc(21 * 1024 * 1024, 0x61));
		const outcome = await stemma("ingest", "docs", "--kb", "skipping", "--create", "--skip-unreadable");
		expect(outcome.code).toBe(0);
		expect(outcome.stdout).toContain("0 failed, 2 skipped;");
		expect(outcome.stderr).toMatch(/^skipped: broken\.md: \S/m);
		expect(outcome.stderr).toMatch(/^skipped: huge\.txt: \S/m);
		const only = await stemma("ingest", "docs/broken.md", "--kb", "skipping", "--skip-unreadable");
		expect({ code: only.code, stdout: only.stdout }).toMatchObject({
			code: 1,
			stdout: expect.stringContaining("0 failed, 1 skipped;"),
		});
	});

	it("notes documents without text, keeps their old text without --prune, and names every kind that it left out", async () => {
		await write("docs/was.md", "Something that was there.\n");
		await stemma("ingest", "docs", "--kb", "emptying", "--create");
		await write("docs/was.md", "");
		await write("docs/blank.txt", " \n");
		await write("docs/bare.html", "<html><body><img src=x></body></html>");
		for (const file of ["a.dwg", "b.DWG", "c.dwf", "LICENSE", ".env", ".git/x.md", "node_modules/y.md"])
			await write(`docs/${file}`, "text");
		await symlink(inFolder("docs/leave.md"), inFolder("docs/again.md"));
		const { code, stdout, stderr } = await stemma("ingest", "docs", "--kb", "emptying");
		expect(stderr).toBe(
			"note: bare.html holds no text.\nnote: blank.txt holds no text.\nnote: was.md holds no text. Its stored version stays; --prune removes it.\n",
		);
		expect(stdout).toMatch(/\(0 new, 0 changed, 2 unchanged, 0 removed, 0 failed, 3 empty; 2 passages\)/);
		expect(stdout).toContain(
			"\nLeft out: 2 .dwg, 1 .dwf, 1 .png, 1 without extension, 1 hidden file, 1 hidden folder, 1 node_modules folder, 1 symbolic link.\n",
		);
		expect(code).toBe(0);
		const other = await stemma("ingest", "docs/leave.md", "--kb", "emptying");
		expect(other).toMatchObject({ code: 0, stderr: "", stdout: expect.not.stringContaining("empty") });
		const pruned = await stemma("ingest", "docs", "--kb", "emptying", "--prune");
		expect(pruned.stderr).toContain("note: was.md holds no text.\n");
		expect(pruned.stdout).toMatch(/\(0 new, 0 changed, 2 unchanged, 1 removed, 0 failed, 3 empty; /);
	});

	it("follows no link out of the folder unless told", async () => {
		await write("outside/secret.md", "Not for others.\n");
		await write("linked/own.md", "For all.\n");
		await symlink(inFolder("outside/secret.md"), inFolder("linked/notes.md"));
		await symlink(inFolder("outside"), inFolder("linked/more"));
		const { code, stdout } = await stemma("ingest", "linked", "--kb", "linked", "--create");
		expect(stdout).toMatch(/\(1 new, .*\nLeft out: 2 symbolic links out of the folder\.\n/s);
		expect(code).toBe(0);
		const all = await stemma("ingest", "linked", "--kb", "linked", "--follow-links");
		expect(all.stdout).toMatch(/\(1 new, 0 changed, 1 unchanged, /);
		// Without the option they are not gone, but not looked at.
		await write("linked/gone.md", "Soon gone.\n");
		await stemma("ingest", "linked", "--kb", "linked");
		await rm(inFolder("linked/gone.md"));
		const pruned = await stemma("ingest", "linked", "--kb", "linked", "--prune");
		expect(pruned.stdout).toMatch(/\(0 new, 0 changed, 1 unchanged, 1 removed, 0 failed; /);
		expect(pruned.stderr).toMatch(
			/^note: \S+ is a symbolic link that was not followed\. 1 stored document from there stays; --follow-links .*\n$/,
		);
		const again = await stemma("ingest", "linked", "--kb", "linked", "--prune", "--follow-links");
		expect(again.stdout).toMatch(/\(0 new, 0 changed, 2 unchanged, 0 removed, 0 failed; /);
	});

	it("loses nothing when it is stopped, and goes on where it was", async () => {
		const total = 400;
		for (let index = 0; index < total; index++) await write(`many/${index}.md`, `Page ${index}.\n`);
		const child = cli.start(["ingest", "many", "--kb", "resumed", "--create"]);
		const stopped = waitForExit(child);
		const { knowledge } = connect();
		let stored = 0;
		while (stored === 0) {
			const base = (await knowledge.list({ limit: 100 })).data.find(({ name }) => name === "resumed");
			stored = base?.documents.total ?? 0;
		}
		child.kill("SIGINT");
		expect(await stopped).toEqual({
			code: 130,
			stdout: "",
			stderr: expect.stringContaining("What was uploaded is kept"),
		});
		const { stdout } = await stemma("ingest", "many", "--kb", "resumed", "--json");
		const report = JSON.parse(stdout);
		expect(report).toMatchObject({ changed: 0, failed: [], passages: total });
		expect(report.new + report.unchanged).toBe(total);
		expect(report.unchanged).toBeGreaterThanOrEqual(stored);
	});

	it("takes single files by their names", async () => {
		const { stdout } = await stemma(
			"ingest",
			"docs/leave.md",
			"docs/deep/refunds.html",
			"--kb",
			"files",
			"--create",
		);
		expect(stdout).toContain("(2 new,");
	});

	it.each([
		["an unknown knowledge base", ["docs", "--kb", "chaging"], /no knowledge base "chaging".*\n.*--create/],
		["an id that is not there", ["docs", "--kb", "kb_0", "--create"], /no knowledge base "kb_0"/],
		["no knowledge base", ["docs"], /required option '--kb/],
		["a missing folder", ["nowhere", "--kb", "x", "--create"], /"nowhere" does not exist/],
		["a folder without documents", ["stemma-data", "--kb", "x", "--create"], /no documents that can be read/],
		[
			"one source for two files",
			["docs", "docs/leave.md", "--kb", "x", "--create"],
			/would both be .*"leave\.md"/,
		],
		[
			"--prune with a single file",
			["docs/leave.md", "--kb", "x", "--prune"],
			/--prune needs exactly one folder/,
		],
	])("refuses %s", async (_, args, message) => {
		const { code, stdout, stderr } = await stemma("ingest", ...args);
		expect(stderr).toMatch(message);
		expect(stderr).not.toMatch(/^\s+at /m);
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
	});
});

describe("stemma ask", () => {
	const QUESTION = "How many weeks of parental leave do parents get?";
	beforeAll(async () => {
		await write("handbook/leave.md", LEAVE);
		await write("handbook/deep/refunds.html", REFUNDS);
		await stemma("ingest", "handbook", "--kb", "handbook", "--create");
	});

	it("answers with sources and a receipt", async () => {
		const { code, stdout } = await stemma("ask", "--kb", "handbook", QUESTION);
		expect(code).toBe(0);
		expect(stdout).toContain('"Parents get 16 weeks of paid leave." [1]');
		expect(stdout).toContain("Sources\n  [1] handbook: leave.md › Parental leave\n");
		expect(stdout).toMatch(/Receipt\n {2}answer {2}.*extractive {2}0 tokens in, 0 out {2}\d+ ms {2}free\n/);
	});

	it("writes the same at once with --no-stream, and reads the question from a pipe", async () => {
		const child = cli.start(["ask", "--kb", "handbook", "--no-stream"]);
		child.stdin?.end(`${QUESTION}\n`);
		const { code, stdout } = await waitForExit(child);
		expect(code).toBe(0);
		expect(stdout).toContain('"Parents get 16 weeks of paid leave." [1]');
		expect(stdout).toContain("Sources\n  [1] handbook: leave.md");
	});

	it("prints events as JSON, or the whole answer", async () => {
		const events = await stemma("ask", "--kb", "handbook", "--json", QUESTION);
		const types = events.stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line).type);
		expect(types[0]).toBe("ask.passages");
		expect(types.at(-1)).toBe("ask.completed");
		const whole = await stemma("ask", "--kb", "handbook", "--json", "--no-stream", QUESTION);
		expect(JSON.parse(whole.stdout)).toMatchObject({
			answer: expect.stringContaining("16 weeks"),
			citations: [{ n: 1 }],
			receipt: [{ payer: "none" }],
		});
	});

	it("needs no more than the scope ask where the knowledge base is given by its id", async () => {
		const base = (await connect().knowledge.list({ limit: 100 })).data.find(
			({ name }) => name === "handbook",
		);
		const { id, client_secret } = await connect().apiClients.create({ name: "asks", scopes: ["ask"] });
		const variables = { STEMMA_CLIENT_ID: id, STEMMA_CLIENT_SECRET: client_secret };
		const outcome = await waitForExit(cli.start(["ask", "--kb", base?.id ?? "", QUESTION], variables));
		expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining("16 weeks") });
	});

	it("looks in all knowledge bases where none is named, with no more than the scope ask", async () => {
		const { id, client_secret } = await connect().apiClients.create({ name: "asks", scopes: ["ask"] });
		const variables = { STEMMA_CLIENT_ID: id, STEMMA_CLIENT_SECRET: client_secret };
		const outcome = await waitForExit(cli.start(["ask", QUESTION], variables));
		expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining("16 weeks") });
	});

	it("says plainly that nothing answers", async () => {
		const { code, stdout, stderr } = await stemma(
			"ask",
			"--kb",
			"handbook",
			"What is the boiling point of tungsten?",
		);
		expect(code).toBe(0);
		expect(stdout).not.toContain("Sources");
		expect(stdout).not.toContain("Receipt");
		expect(stdout.trim()).not.toBe("");
		expect(stderr).toContain("No passage fits the question");
	});

	it.each([
		["no question", ["--kb", "handbook"], "There is no question."],
		["an unknown knowledge base", ["--kb", "handbok", "Hi"], 'Did you mean "handbook"?'],
	])("refuses %s", async (_, args, message) => {
		const { code, stdout, stderr } = await stemma("ask", ...args);
		expect(stderr).toContain(message);
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
	});
});

describe("stemma clients", () => {
	it("makes, lists, rotates and revokes", async () => {
		const created = await stemma("clients", "create", "a server", "--scope", "ask", "--scope", "agents:run");
		expect(created.code).toBe(0);
		expect(created.stderr).toContain("shown only once");
		const [, id = "", secret = ""] =
			/^STEMMA_BASE_URL=http:\/\/127\.0\.0\.1:\d+\nSTEMMA_CLIENT_ID=(cl_\w+)\nSTEMMA_CLIENT_SECRET=(\S+)\n$/.exec(
				created.stdout,
			) ?? [];
		const list = await stemma("clients", "list");
		expect(list.stdout).toMatch(
			new RegExp(`^ {2}${id} +a server +\\d{4}-\\d\\d-\\d\\d +ask agents:run$`, "m"),
		);
		expect(list.stdout).not.toContain(secret);
		const rotated = JSON.parse((await stemma("clients", "rotate", id, "--json")).stdout);
		expect(rotated).toMatchObject({ id, client_secret: expect.not.stringContaining(secret) });
		expect(await stemma("clients", "revoke", id)).toEqual({
			code: 0,
			stdout: `Revoked ${id}.\n`,
			stderr: "",
		});
		const left: { id: string }[] = JSON.parse((await stemma("clients", "list", "--json")).stdout);
		expect(left.map((client) => client.id)).not.toContain(id);
	});

	it.each([
		["an unknown scope", ["create", "x", "--scope", "everything"], "Scopes are ask, "],
		["an unknown id", ["revoke", "cl_0"], "error: "],
	])("refuses %s", async (_, args, message) => {
		const { code, stderr } = await stemma("clients", ...args);
		expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
	});
});

describe("stemma keys", () => {
	it("makes, lists and revokes", async () => {
		const options =
			"--origin https://app.example --native --requests-per-minute 7 --tokens-per-day 9000 --models --trace";
		const created = await stemma("keys", "create", "a page", ...options.split(" "));
		expect(created).toEqual({
			code: 0,
			stdout: expect.stringMatching(/^ck_\w+_[\w-]+\n$/),
			stderr: expect.stringContaining("shown only once"),
		});
		const list = await stemma("keys", "list");
		const row = list.stdout.split("\n").find((line) => line.includes("a page")) ?? "";
		expect(row).toMatch(
			/https:\/\/app\.example native +all agents, all knowledge bases, models +7 +9,000 +trace$/,
		);
		const [id = ""] = row.trim().split(" ");
		expect(created.stdout).toContain(id.slice("ck_".length));
		expect(await stemma("keys", "revoke", id)).toMatchObject({ code: 0, stdout: `Revoked ${id}.\n` });
	});

	it.each([
		["one that nobody could use", ["create", "x"], "--origin https://app.example"],
		["a limit that is none", ["create", "x", "--native", "--tokens-per-day", "many"], "whole number"],
	])("refuses %s", async (_, args, message) => {
		const { code, stdout, stderr } = await stemma("keys", ...args);
		expect(stderr).toContain(message);
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
	});
});

describe("stemma runtime", () => {
	it("serves agent files with the service of the data folder", async () => {
		await write("agents/desk.json", JSON.stringify({ nodes: [{ id: "desk", kind: "coordinator" }] }));
		const child = cli.start(["runtime", "agents", "--port", "0"]);
		const outcome = waitForExit(child);
		const [, baseUrl = ""] = await waitForOutput(child, /listens on (\S+?)\. /);
		const result = await runtimeAgents({ baseUrl }).run("desk", { input: "Hello" });
		expect(result).toMatchObject({ status: "completed", receipt: [{ node: "desk", payer: "none" }] });
		child.kill("SIGTERM");
		expect(await outcome).toMatchObject({ code: 0 });
	});

	it("tells of its own options", async () => {
		expect(await stemma("runtime", "--help")).toMatchObject({
			code: 0,
			stdout: expect.stringContaining("--allow-anonymous"),
		});
	});
});

describe("the way to a service", () => {
	const wrongCredentials = { STEMMA_CLIENT_ID: "cl_0", STEMMA_CLIENT_SECRET: "cs_wrong-secret" };

	async function ask(
		args: readonly string[],
		environment: Readonly<Record<string, string>>,
	): Promise<CommandOutput> {
		const child = cli.start(["ask", "Hi", ...args], environment);
		child.stdin?.end();
		return waitForExit(child);
	}

	it("names the address where none answers, and says how to start one", async () => {
		const port = await findStablePort();
		const { code, stderr } = await ask(["--url", `http://127.0.0.1:${port}`], {});
		expect(stderr).toContain(
			`No service answers at http://127.0.0.1:${port} (ECONNREFUSED).\nhint:  Start one`,
		);
		expect(code).toBe(1);
	});

	it.each([
		["the folder is missing", ["--data", "nowhere"], {}, 'The data folder "nowhere" does not exist.'],
		[
			"the folder has no credentials",
			["--data", "handbook"],
			{},
			"Set STEMMA_CLIENT_ID and STEMMA_CLIENT_SECRET",
		],
		["half a credential is set", [], { STEMMA_CLIENT_ID: "cl_0" }, "STEMMA_CLIENT_SECRET is not"],
		[
			"the credentials are wrong",
			[],
			wrongCredentials,
			"They are from STEMMA_CLIENT_ID and STEMMA_CLIENT_SECRET.",
		],
	])("says so when %s", async (_, args, environment, message) => {
		const { code, stdout, stderr } = await ask(args, environment);
		expect(stderr).toContain(message);
		expect(stderr).not.toContain(wrongCredentials.STEMMA_CLIENT_SECRET);
		expect(stderr).not.toMatch(/^\s+at /m);
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
	});

	it("takes address and credentials from the environment", async () => {
		const child = cli.start(["clients", "list", "--json"], {
			STEMMA_DATA_FOLDER: "nowhere",
			STEMMA_BASE_URL: url,
			STEMMA_CLIENT_ID: secrets.client_id,
			STEMMA_CLIENT_SECRET: secrets.client_secret,
		});
		expect(await waitForExit(child)).toMatchObject({ code: 0 });
	});
});
