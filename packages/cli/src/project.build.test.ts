import { type ChildProcess, execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runtimeAgents } from "@stemma/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestCli, type TestCli, waitForExit, waitForOutput } from "./test-support/command";

const packages = fileURLToPath(new URL("../../", import.meta.url));
const INSTALLED = { "@stemma/client": "client", "@stemma/core": "core", stemma: "cli" };

let cli: TestCli;
let project: string;
let server: ChildProcess;
let url: string;
let stderr = "";
beforeAll(async () => {
	cli = await createTestCli();
	project = join(cli.folder, "my-desk");
});
afterAll(() => cli.close());

it("stemma init makes a project, and refuses a folder that is not empty", async () => {
	const made = await cli.stemma("init", "my-desk");
	expect(made).toMatchObject({ code: 0, stderr: "" });
	expect(made.stdout).toContain("  cd my-desk\n  npm install\n");
	const again = await cli.stemma("init", "my-desk");
	expect(again.code).toBe(1);
	expect(again.stderr).toMatch(/^error: .*my-desk is not empty: [\s\S]*^hint: /m);
	for (const [name, folder] of Object.entries(INSTALLED)) {
		const link = join(project, "node_modules", name);
		await mkdir(dirname(link), { recursive: true });
		await symlink(join(packages, folder), link, "dir");
	}
});

it("its agent is valid, and its tests pass without a service", async () => {
	expect((await cli.stemma("validate", "my-desk/agents")).code).toBe(0);
	const { stdout } = await promisify(execFile)(process.execPath, ["--test"], { cwd: project });
	expect(stdout).toMatch(/^# fail 0$|^ℹ fail 0$/m);
	expect(stdout).not.toMatch(/^(?:#|ℹ) pass 0$/m);
});

it("stemma dev serves service, agents and page on one port", async () => {
	server = cli.start(["dev", "my-desk", "--port", "0"]);
	server.stderr?.on("data", (chunk) => (stderr += chunk));
	[, url = ""] = await waitForOutput(server, /serves this project on (\S+)\n[\s\S]*Ctrl-C stops it/);
	expect(stderr).toMatch(/Ingested 3 documents \(3 new, .* 0 failed/);
	expect(stderr).toContain("Ready: desk, hours.");
	expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: "ok" });
	const page = await (await fetch(`${url}/web/`)).text();
	const { imports } = JSON.parse(/importmap">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? "");
	const addresses = Object.values<string>(imports);
	expect(addresses).toHaveLength(1);
	for (const address of [...addresses, "page.js", "style.css"])
		expect({ address, status: (await fetch(`${url}/web/${address}`)).status }).toEqual({
			address,
			status: 200,
		});
	const { output, citations } = await ask("How long does a refund take?");
	expect(output).toContain("five working days");
	expect(citations).toMatchObject([{ title: "Refunds" }]);
});

const ask = async (input: string) => runtimeAgents({ baseUrl: url }).run("desk", { input });

const waitFor = (pattern: RegExp) => expect.poll(() => stderr, { interval: 20 }).toMatch(pattern);

async function edit(name: string, change: (text: string) => string): Promise<void> {
	const file = join(project, name);
	stderr = "";
	await writeFile(file, change(await readFile(file, "utf8")));
}

it("a saved agent is in the next run; of a bad one the mistakes are listed, and the last good one stays", async () => {
	const look = async () => (await runtimeAgents({ baseUrl: url }).list()).data[0];
	await edit("agents/desk.json", (text) => text.replace("Answers questions", "Knows the shop"));
	await expect.poll(look, { interval: 10 }).toMatchObject({ description: expect.stringMatching(/^Knows/) });
	await edit("agents/desk.json", (text) => text.replace('"kind": "coordinator"', '"kind": "boss"'));
	await expect.poll(look, { interval: 10 }).toMatchObject({ status: "ready", issues: [{}, {}] });
	expect((await ask("How long does a refund take?")).status).toBe("completed");
	await edit("agents/desk.json", (text) => text.replace('"kind": "boss"', '"kind": "coordinator"'));
	await expect.poll(async () => (await look())?.issues, { interval: 10 }).toBeUndefined();
});

it("saved tools apply, and bad ones are reported while the last good ones stay", async () => {
	await edit("tools/opening-hours.js", (text) =>
		text.replace("export const tools = {", "export const tools = {{"),
	);
	await waitFor(/error: tools\/opening-hours\.js cannot be loaded: SyntaxError/);
	expect(
		(await runtimeAgents({ baseUrl: url }).run("hours", { input: "Is it open?" })).output,
	).toHaveProperty("open");
	await edit("tools/opening-hours.js", (text) =>
		text.replace("export const tools = {{", "export const tools = {\n\tgreeting: { run: () => 'Hello' },"),
	);
	await waitFor(/Tools changed\. greeting, opening_hours\n/);
	expect((await ask("How long does a refund take?")).status).toBe("completed");
});

it("what a tool imports is loaded again with it", async () => {
	const graph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "greeting", kind: "tool", tool: "greeting", arguments: {} },
		],
		edges: [{ from: "desk", to: "greeting", mode: "then" }],
	};
	await writeFile(join(project, "agents/greet.json"), JSON.stringify(graph));
	await mkdir(join(project, "tools/words"));
	await writeFile(join(project, "tools/words/greeting.js"), "export const greeting = 'Good morning';");
	const greet = async () => (await runtimeAgents({ baseUrl: url }).run("greet", { input: "Hi" })).output;
	await edit("tools/opening-hours.js", (text) =>
		text
			.replace("() => 'Hello'", "() => greeting")
			.replace(/^/, 'import { greeting } from "./words/greeting.js";\n'),
	);
	await waitFor(/Tools changed/);
	await expect.poll(greet).toBe("Good morning");
	await edit("tools/words/greeting.js", (text) => text.replace("morning", "evening"));
	await waitFor(/Tools changed/);
	expect(await greet()).toBe("Good evening");
});

it("saved documents are read, and those that are gone are not found any more", async () => {
	await edit("documents/refunds.md", (text) => text.replace("five working days", "nine working days"));
	await waitFor(/Ingested 3 documents \(0 new, 1 changed, 2 unchanged/);
	expect((await ask("How long does a refund take?")).output).toContain("nine working days");
	stderr = "";
	await rm(join(project, "documents/gift-cards.txt"));
	await waitFor(/Ingested 2 documents \(.*1 removed/);
});

it("Ctrl-C stops it, and the next start reads nothing anew", async () => {
	const stopped = waitForExit(server);
	server.kill("SIGINT");
	expect((await stopped).code).toBe(0);
	const again = cli.start(["dev", "my-desk", "--port", "0"]);
	await waitForOutput(again, /Ingested 2 documents \(0 new, 0 changed, 2 unchanged[\s\S]*Ctrl-C stops it/);
	again.kill("SIGINT");
	expect((await waitForExit(again)).code).toBe(0);
});

it("says what to do where there is no project, and for settings that open it to others", async () => {
	const empty = await mkdtemp(join(tmpdir(), "stemma-no-project-"));
	const none = await cli.stemma("dev", empty);
	expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("stemma init") });
	expect(await readdir(empty)).toEqual([]);
	await rm(empty, { recursive: true });
	const open = await waitForExit(cli.start(["dev", "my-desk"], { STEMMA_LISTEN_HOST: "0.0.0.0" }));
	expect(open).toMatchObject({ code: 1, stderr: expect.stringContaining("this machine alone") });
});
