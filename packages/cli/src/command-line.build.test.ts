import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentGraph, RunEvent } from "@stemma/core";
import { makeMisplacedPdf } from "@stemma/documents/pdf/test-support/make-pdf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));

interface CommandOutput {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-cli-"));
	await mkdir(join(folder, "docs", "deep"), { recursive: true });
	await mkdir(join(folder, "empty"));
	await write(
		"docs/leave.md",
		"# Leave\n\n## Parental leave\n\nParents get 16 weeks of paid leave. It must be booked with Human Resources.\n",
	);
	await write(
		"docs/deep/refunds.html",
		"<title>Refunds</title><main><h1>Refunds</h1><p>A refund takes five working days.</p></main>",
	);
	await write("docs/logo.png", "\x89PNG\0\0");
	await write("agent.json", JSON.stringify(agent));
});
afterAll(() => rm(folder, { recursive: true }));

const agent: AgentGraph = {
	name: "desk",
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "handbook", kind: "knowledge", knowledgeBases: ["handbook"] },
	],
	edges: [{ from: "desk", to: "handbook", mode: "before" }],
};

const write = (name: string, content: string | Uint8Array): Promise<void> =>
	writeFile(join(folder, name), content);

function start(...args: string[]): ChildProcess {
	return spawn(process.execPath, [main, ...args], { cwd: folder, env: { ...process.env, NO_COLOR: "1" } });
}

function finish(child: ChildProcess): Promise<CommandOutput> {
	let stdout = "";
	let stderr = "";
	child.stdout?.on("data", (chunk) => (stdout += chunk));
	child.stderr?.on("data", (chunk) => (stderr += chunk));
	return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

function stemma(...args: string[]): Promise<CommandOutput> {
	const child = start(...args);
	child.stdin?.end();
	return finish(child);
}

const QUESTION = "How many weeks of parental leave do parents get?";

describe("stemma run", () => {
	it("answers from the documents, with sources and a receipt", async () => {
		const { code, stdout, stderr } = await stemma("run", "agent.json", "--docs", "docs", QUESTION);
		expect({ code, stderr }).toEqual({
			code: 0,
			stderr: expect.stringMatching(
				/^Read 2 documents \(2 passages\) from docs in \d\.\d s\.\nLeft out: 1 \.png\.\n$/,
			),
		});
		expect(stdout).toContain('"Parents get 16 weeks of paid leave." [1]');
		expect(stdout).toContain("Sources\n  [1] leave.md › Parental leave\n");
		expect(stdout).toMatch(
			/Receipt\n {2}answer {2}desk {2}extractive {2}0 tokens in, 0 out {2}\d+ ms {2}free\n/,
		);
	});

	it("prints events as JSON, one a line, with times as RFC 3339", async () => {
		const { code, stdout } = await stemma("run", "agent.json", "--docs", "handbook=docs", "--json", QUESTION);
		const events: (Omit<RunEvent, "at"> & { at: string })[] = stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(code).toBe(0);
		expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
		expect(events.at(-1)).toMatchObject({
			type: "run.completed",
			result: { citations: [{ title: "Leave" }] },
		});
		for (const { at } of events) expect(new Date(at).toISOString()).toBe(at);
	});

	it("reads the question from a pipe", async () => {
		const child = start("run", "agent.json", "-d", "docs");
		child.stdin?.end(`${QUESTION}\n`);
		expect((await finish(child)).stdout).toContain("16 weeks");
	});

	it("goes on asking with --interactive, until the input ends", async () => {
		const child = start("run", "agent.json", "-d", "docs", "-i", QUESTION);
		child.stdin?.end("\nHow long does a refund take?\n");
		const { code, stdout } = await finish(child);
		expect(code).toBe(0);
		expect(stdout).toContain("16 weeks");
		expect(stdout).toContain("five working days");
	});

	it("ends well when piped questions end without a new line", async () => {
		const child = start("run", "agent.json", "-d", "docs", "-i");
		child.stdin?.end(`${QUESTION}\n\n\nHow long does a refund take?`);
		expect(await finish(child)).toMatchObject({
			code: 0,
			stdout: expect.stringContaining("five working days"),
		});
	});

	it("keeps folders apart, also where their files have the same names and lengths", async () => {
		const nodes = [
			{ id: "desk", kind: "coordinator" },
			{ id: "one", kind: "knowledge", knowledgeBases: ["a"] },
			{ id: "two", kind: "knowledge", knowledgeBases: ["b"] },
			{ id: "both", kind: "knowledge", knowledgeBases: ["a", "b"] },
		];
		const edges = nodes.slice(1).map(({ id }) => ({ from: "desk", to: id, mode: "before" }));
		await write("folders.json", JSON.stringify({ nodes, edges }));
		for (const [name, text] of [
			["a", "A zebra may eat 5 apples a day."],
			["b", "A horse may eat 9 apples a day."],
		] as const) {
			await mkdir(join(folder, name), { recursive: true });
			await write(`${name}/index.md`, `# Animals\n\n${text}\n`);
		}
		const { stdout } = await stemma(
			"run",
			"folders.json",
			"-d",
			"a=a",
			"-d",
			"b=b",
			"How many apples may a horse eat?",
		);
		expect(stdout).toMatch(/"A horse may eat 9 apples a day\." \[(\d)\][\s\S]*\[\1\] b\/index\.md/);
	});

	it("names the agent file in front of its violations, wherever it stands among the options", async () => {
		await write("none.json", '{"nodes":[]}');
		const { code, stderr } = await stemma("run", "-d", "docs", "none.json", QUESTION);
		expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^none\.json:nodes: /) });
	});

	it("warns of nodes that nothing leads to", async () => {
		await write("lonely.json", JSON.stringify({ nodes: agent.nodes }));
		const { code, stderr } = await stemma("run", "lonely.json", "-d", "docs", QUESTION);
		expect(stderr).toContain('note: No edge leads to "handbook", so it never runs.');
		expect(code).toBe(0);
	});

	it.skipIf(process.platform !== "linux")("says so when the output cannot be written", async () => {
		const command = `'${process.execPath}' '${main}' run agent.json -d docs '${QUESTION}' > /dev/full`;
		const { code, stderr } = await finish(spawn("sh", ["-c", command], { cwd: folder }));
		expect(stderr).toContain("error: The output cannot be written");
		expect(stderr).not.toMatch(/^\s+at /m);
		expect(code).toBe(1);
	});

	it("goes on where PDF.js leaves a failure of its own alone", async () => {
		await mkdir(join(folder, "damaged"));
		await write("damaged/a.pdf", await makeMisplacedPdf());
		await write("damaged/leave.md", "# Leave\n\nParents get 16 weeks of paid leave.\n");
		const { code, stdout, stderr } = await stemma("run", "agent.json", "-d", "damaged", QUESTION);
		expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("Read 1 document") });
		expect(stdout).toContain("16 weeks");
	});

	it("says when nothing in the documents answers", async () => {
		const { code, stdout } = await stemma(
			"run",
			"agent.json",
			"-d",
			"docs",
			"What is the boiling point of tungsten?",
		);
		expect(code).toBe(0);
		expect(stdout).not.toContain("Sources");
	});

	it.each([
		["no question", ["run", "agent.json", "-d", "docs"], "There is no question."],
		["an empty question", ["run", "agent.json", "-d", "docs", "  "], "There is no question."],
		["no documents", ["run", "agent.json", "Hi"], "Add --docs <folder>"],
		["an empty folder", ["run", "agent.json", "-d", "empty", "Hi"], "empty"],
		["a missing folder", ["run", "agent.json", "-d", "nowhere", "Hi"], "nowhere"],
		["a file as folder", ["run", "agent.json", "-d", "agent.json", "Hi"], "agent.json"],
		["a missing agent file", ["run", "nope.json", "-d", "docs", "Hi"], "nope.json: There is no such file."],
		["a folder as agent file", ["run", "docs", "-d", "docs", "Hi"], "This is a folder"],
		[
			"context that is no object",
			["run", "agent.json", "-d", "docs", "-c", "[1]", "Hi"],
			"--context must be a JSON object",
		],
		[
			"context that is not JSON",
			["run", "agent.json", "-d", "docs", "-c", "{a", "Hi"],
			"--context:1:2: Not JSON",
		],
		["an unknown option", ["run", "agent.json", "--doc", "docs"], "unknown option '--doc'"],
		["an unknown command", ["rum"], "unknown command 'rum'"],
	])("refuses %s", async (_, args, message) => {
		const { code, stdout, stderr } = await stemma(...args);
		expect(stderr).toContain(message);
		expect(stderr).not.toMatch(/^\s+at /m);
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
	});

	it.each([
		[
			"not JSON",
			'{"nodes": [\n  {"id": "a",}\n]}',
			"bad.json:2:14: Not JSON: a property name in double quotes is expected",
		],
		[
			"wrong types",
			'{"nodes": [{"id": 7, "kind": "coordinator"}]}',
			"bad.json:nodes[0].id: Expected a string, got 7.",
		],
		["binary", Buffer.from([0x89, 0x50, 0xff, 0x00, 0xfe]), "bad.json: This is not a text file in UTF-8."],
		["too large", Buffer.alloc(50_000_000, 0x20), "bad.json: 50.0 MB is too large for an agent file"],
	])("refuses an agent file that is %s", async (_, content, message) => {
		await write("bad.json", content);
		const { code, stdout, stderr } = await stemma("run", "bad.json", "-d", "docs", "Hi");
		expect(stderr).toContain(message);
		expect(stderr).not.toMatch(/^\s+at /m);
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
	});

	it.each([
		[
			"tools",
			{
				nodes: [...agent.nodes, { id: "refund", kind: "tool", tool: "refund" }],
				edges: [{ from: "desk", to: "refund" }],
			},
			'tools that are not registered: "refund" (the node "refund")',
		],
		[
			"models that are not configured",
			{ nodes: [{ id: "desk", kind: "coordinator", model: { provider: "bedrock" } }] },
			'The provider "bedrock" is called only with the workspace',
		],
		[
			"a relevance that nothing measures",
			{ nodes: [agent.nodes[0], { ...agent.nodes[1], minScore: 0.5 }], edges: agent.edges },
			'"minScore" of "handbook" needs a scoring stage.',
		],
		[
			"metadata that files do not have",
			{ nodes: [agent.nodes[0], { ...agent.nodes[1], filter: { language: "en" } }], edges: agent.edges },
			'"filter" of "handbook" needs documents with metadata.',
		],
		[
			"context that is missing",
			{ nodes: [{ id: "desk", kind: "coordinator", instructions: "For {{context.customer}}." }] },
			"context.customer is missing",
		],
	])("refuses a graph that needs %s", async (_, graph, message) => {
		await write("elsewhere.json", JSON.stringify(graph));
		const { code, stderr } = await stemma("run", "elsewhere.json", "-d", "docs", "Hi");
		expect(stderr).toContain(message);
		expect(stderr).toContain("hint:");
		expect(code).toBe(1);
	});

	it.each([
		["binary", Buffer.from("text\0text")],
		["50 MB large", Buffer.alloc(50_000_000, 0x61)],
	])("refuses a document that is %s, unless it may be skipped", async (_, content) => {
		await mkdir(join(folder, "mixed"), { recursive: true });
		await write("mixed/broken.md", content);
		await write("mixed/good.md", await readFile(join(folder, "docs", "leave.md")));
		const refused = await stemma("run", "agent.json", "-d", "mixed", QUESTION);
		expect(refused.stderr).toContain("broken.md");
		expect(refused.stderr).toContain("--skip-unreadable");
		expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: "" });
		const skipped = await stemma("run", "agent.json", "-d", "mixed", "--skip-unreadable", QUESTION);
		expect(skipped.stderr).toContain("skipped: broken.md");
		expect(skipped).toMatchObject({ code: 0, stdout: expect.stringContaining("16 weeks") });
	});

	it("notes documents without text, and names every kind that it left out", async () => {
		await mkdir(join(folder, "sparse", ".git"), { recursive: true });
		await write("sparse/good.md", await readFile(join(folder, "docs", "leave.md")));
		await write("sparse/empty.md", "");
		await write("sparse/a.dwg", "x");
		const { code, stderr } = await stemma("run", "agent.json", "-d", "sparse", QUESTION);
		expect(stderr).toMatch(
			/^Read 1 document .*\nLeft out: 1 \.dwg, 1 hidden folder\.\nnote: empty\.md holds no text\.\n$/,
		);
		expect(code).toBe(0);
	});

	it("refuses a document that cannot be opened", async () => {
		await mkdir(join(folder, "dangling"), { recursive: true });
		await symlink(join(folder, "nowhere.md"), join(folder, "dangling", "gone.md"));
		const { code, stdout, stderr } = await stemma("run", "agent.json", "-d", "dangling", QUESTION);
		expect(stderr).toMatch(/gone\.md.*\n?.*--skip-unreadable/s);
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
	});

	it("stops quietly when whoever reads the output stops reading", async () => {
		const child = start("run", "agent.json", "-d", "docs", "--json", QUESTION);
		child.stdin?.end();
		child.stdout?.destroy();
		expect(await finish(child)).toMatchObject({ code: 0, stderr: expect.not.stringContaining("EPIPE") });
	});
});

describe("stemma validate", () => {
	it("lists every violation of every file and exits 1", async () => {
		await write(
			"bad.json",
			'{"nodes":[{"id":"a","kind":"agent"},{"id":"a","kind":"knowlege"}],"edges":[{"from":"a","to":"b"}]}',
		);
		const { code, stdout } = await stemma("validate", "agent.json", "bad.json");
		expect(code).toBe(1);
		expect(stdout).toContain("agent.json: valid (2 nodes, 1 edge)\n");
		expect(stdout).toContain('bad.json:nodes[1].id: "a" is already the id of nodes[0].');
		expect(stdout).toContain("bad.json:nodes[1].kind: ");
		expect(stdout).toContain('Did you mean "knowledge"?');
		expect(stdout).toContain('bad.json:edges[0].to: No node has the id "b".');
	});

	it("writes where a file stops being JSON like any other violation", async () => {
		await write("cut.json", '{\n  "nodes": [');
		const { code, stdout, stderr } = await stemma("validate", "cut.json");
		expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
		expect(stdout).toMatch(/^cut\.json:2:\d+: Not JSON: /);
	});

	it("notes what is valid and will not run", async () => {
		const nodes = [...agent.nodes, { id: "refund", kind: "tool", tool: "refund" }];
		await write("tools.json", JSON.stringify({ nodes, edges: [{ from: "desk", to: "refund" }] }));
		const { code, stdout } = await stemma("validate", "tools.json");
		expect(code).toBe(0);
		expect(stdout).toContain("tools.json: valid (3 nodes, 1 edge)\n");
		expect(stdout).toContain('tools.json: note: No edge leads to "handbook", so it never runs.\n');
		expect(stdout).toContain(
			'tools.json: note: The graph calls tools that are not registered: "refund" (the node "refund").\n',
		);
	});

	it("notes what is probably not meant", async () => {
		const nodes = [{ id: "desk", kind: "coordinator", instructions: "For {{user}}." }, agent.nodes[1]];
		const edges = [{ from: "desk", to: "handbook", mode: "then", when: { path: "/mood", exists: true } }];
		await write("text.json", JSON.stringify({ nodes, edges }));
		expect(await stemma("validate", "text.json")).toMatchObject({
			code: 0,
			stdout: [
				"text.json: valid (2 nodes, 1 edge)",
				'text.json: note: desk: /mood exists never holds: desk has no "output", so its output is text',
				'text.json: note: desk: "{{user}}" in its instructions is not a placeholder; did you mean {{context.user}}?',
				"",
			].join("\n"),
		});
	});

	it("takes folders, and manifests in them", async () => {
		await mkdir(join(folder, "agents", "drafts"), { recursive: true });
		await write("agents/desk.json", JSON.stringify(agent));
		await write("agents/far.json", '{"remoteAgentId":"ag_1"}');
		await write("agents/old.json", '{"nodes":[]}');
		const { code, stdout, stderr } = await stemma("validate", "agents");
		expect({ code, stderr }).toEqual({ code: 1, stderr: "note: Subfolders are not read: agents/drafts.\n" });
		expect(stdout).toMatch(
			/^agents\/desk\.json: valid .*\nagents\/far\.json: a manifest: runs the agent "ag_1" of the service\nagents\/old\.json:nodes: /,
		);
		await write("agents/far.json", '{"remoteAgentId":"ag_1","descripton":"x"}');
		await write("agents/old.json", '{"remoteAgentid":"ag_1"}');
		const warned = await stemma("validate", "agents/far.json");
		expect(warned.code).toBe(0);
		expect(warned.stdout).toContain("agents/far.json: warning: descripton: Not a field of a manifest");
		expect(warned.stdout).toContain('Did you mean "description"?');
		const misspelled = await stemma("validate", "agents/old.json");
		expect(misspelled).toMatchObject({
			code: 1,
			stdout: expect.stringMatching(/^agents\/old\.json:remoteAgentid: .*Did you mean "remoteAgentId"/),
		});
		expect(await stemma("validate", "docs")).toMatchObject({
			code: 1,
			stderr: expect.stringContaining("hint:  Subfolders are not read: docs/deep."),
		});
	});

	it("goes on after a file that is not there", async () => {
		const { code, stdout, stderr } = await stemma("validate", "nope.json", "agent.json");
		expect({ code, stdout }).toEqual({ code: 1, stdout: "agent.json: valid (2 nodes, 1 edge)\n" });
		expect(stderr).toContain("nope.json: There is no such file.");
	});
});

describe("stemma", () => {
	it("prints a graph as Mermaid", async () => {
		const { code, stdout } = await stemma("graph", "agent.json");
		expect(code).toBe(0);
		expect(stdout).toMatch(/^flowchart LR\n/);
	});

	it.each([[["--help"]], [["help", "run"]], [["run", "--help"]]])("explains itself: %s", async (args) => {
		const { code, stdout } = await stemma(...args);
		expect(code).toBe(0);
		expect(stdout).toContain("Examples:");
	});

	it("prints its help and fails when it is told nothing", async () => {
		expect(await stemma()).toMatchObject({ code: 1, stderr: expect.stringContaining("Usage: stemma") });
	});
});
