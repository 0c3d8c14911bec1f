import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandOutput, createTestCli, type TestCli, waitForExit } from "./test-support/command";

let cli: TestCli;
beforeAll(async () => {
	cli = await createTestCli();
	await write("desk.json", DESK);
	await write("ring.json", RING);
	await mkdir(join(cli.folder, "agents"));
	await mkdir(join(cli.folder, "empty"));
	await write("agents/quiet.json", QUIET);
	await write("agents/order-helper.json", { remoteAgentId: "ag_1", name: "Order helper" });
	await writeFile(join(cli.folder, "agents", "notes.md"), "Not an agent.");
	await writeFile(join(cli.folder, "broken.json"), '{"nodes": [\n  {"id": "a",}\n]}');
	await write("wrong.json", { nodes: [{ id: "a", kind: "agent" }], edges: [{ from: "a", to: "b" }] });
});
afterAll(() => cli.close());

const write = (name: string, value: object): Promise<void> =>
	writeFile(join(cli.folder, name), JSON.stringify(value));

const explain = (...args: readonly string[]): Promise<CommandOutput> => cli.stemma("explain", ...args);

const DESK = {
	name: "support-desk",
	description: "Answers customer questions",
	nodes: [
		{ id: "desk", kind: "coordinator", instructions: "Answer.", output: { type: "object" } },
		{
			id: "billing",
			kind: "agent",
			model: { provider: "bedrock", model: "small", maxOutputTokens: 500 },
			maxTurns: 3,
		},
		{
			id: "handbook",
			kind: "knowledge",
			knowledgeBases: ["kb_1", "kb_2"],
			topK: 4,
			minScore: 0.5,
			filter: { lang: "en" },
		},
		{
			id: "refund",
			kind: "tool",
			tool: "refund_order",
			server: "https://billing.example/mcp?key=k-123",
			auth: { secret: "billing" },
			arguments: { account: "main" },
			approval: true,
		},
		{ id: "note", kind: "tool", tool: "write_note" },
		{ id: "legal", kind: "remote", agentId: "ag_legal" },
		{ id: "press", kind: "remote", url: "https://press.example/a2a", approval: true },
		{ id: "lost", kind: "agent", instructions: "For {{user}} and {{context.name}}, in {{ context.language" },
	],
	edges: [
		{ from: "lost", to: "press", mode: "then", when: { path: "/angry", equals: true } },
		{ from: "desk", to: "handbook", mode: "before" },
		{ from: "desk", to: "billing", maxCalls: 2 },
		{ from: "billing", to: "refund", maxCalls: 1 },
		{ from: "billing", to: "note" },
		{ from: "desk", to: "legal", mode: "handoff" },
		{ from: "desk", to: "press", mode: "then", when: { path: "/mood", equals: "bad" } },
		{ from: "desk", to: "note", mode: "then" },
	],
	limits: { maxSteps: 40, maxTokens: 50_000 },
};

const RING = {
	nodes: [
		{ id: "a", kind: "coordinator" },
		{ id: "b", kind: "agent" },
	],
	edges: [
		{ from: "a", to: "b", maxCalls: 1 },
		{ from: "b", to: "a", mode: "handoff" },
	],
};

const QUIET = { nodes: [{ id: "a", kind: "coordinator" }], description: "Only\u001b[31m text\nof two lines" };

describe("stemma explain", () => {
	it("tells what a graph may do, reach and cost", async () => {
		const { code, stdout, stderr } = await explain("desk.json");
		expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
		expect(stdout).toMatchInlineSnapshot(`
			"support-desk  desk.json: 8 nodes, 8 edges
			  Answers customer questions
			  a run begins and ends at desk

			desk  coordinator
			  the default model, at most 8 turns, its text is JSON of a schema, with one repair
			  before its first turn, gets what comes from handbook
			  may call billing (at most 2 times)
			  may hand over to legal
			  then goes on to press if /mood = "bad", else note (the first that holds)
			  gets at knowledge bases kb_1, kb_2; tools refund, note; remote agents legal, press

			billing  agent
			  the model bedrock small, at most 3 turns, 500 output tokens a turn
			  may call refund (at most once), note
			  gets at tools refund, note

			handbook  knowledge
			  finds at most 4 passages in kb_1, kb_2, of a relevance of 0.5 or more, of documents with lang "en"

			refund  tool
			  calls "refund_order", a tool of https://billing.example/mcp?…; preset: account
			  sends the secret "billing"
			  asks a person before each call

			note  tool
			  calls "write_note", a tool registered in code

			legal  remote
			  runs the agent "ag_legal" of the service

			press  remote
			  runs the A2A agent at https://press.example/a2a
			  asks a person before each call

			lost  agent
			  the default model, 1 turn
			  then goes on to press if /angry = true
			  gets at remote agents press
			  /angry = true never holds: lost has no "output", so its output is text
			  "{{user}}" in its instructions is not a placeholder; did you mean {{context.user}}?
			  "{{ context.language" in its instructions is not a placeholder; did you mean {{context.language}}?

			Never runs
			  lost: no path of edges leads there from the coordinator

			Model calls of a run
			  at most 16 calls, set by maxTurns and maxCalls, besides those of legal, press, which are bounded where they run
			  up to 1 of them for the search queries of handbook, where the input is a conversation

			Untrusted text can lead to an effect without approval
			  handbook → desk → note
			    also from refund, legal
			  An effect is a call of a tool without approval. Other agents are listed under Approvals and not counted.
			  What to do: give note "approval": true, so that a person decides on each call.

			Approvals
			  a person is asked before each call of refund, press
			  tools that are called without asking: note
			  other agents that are run without asking: legal

			Limits
			  40 steps (maxSteps), calls 8 deep (maxDepth), 120,000 ms of running (timeoutMs), 50,000 tokens (maxTokens)
			  the environment may set lower limits

			Where it runs
			  in a process (createLocalAgent): yes
			    "handbook", "legal" need ports of a service, such as \`servicePorts(client)\`.
			    "note" needs a tool registered in code under the name "write_note".
			    "refund" needs the secret "billing": the variable STEMMA_TOOL_BILLING, or the option \`secrets\`.
			  in the self-hosted runtime: yes
			    "handbook", "legal" need a runtime with a service.
			    "note" needs a tool registered in code under the name "write_note".
			    "refund" needs the secret "billing": the variable STEMMA_TOOL_BILLING, or the option \`secrets\`.
			  in the service: no
			    "note" is a tool registered in code; the service calls only tools with a "server".
			    "refund" needs the secret "billing" of the workspace.
			"
		`);
	});

	it("tells what bounds nothing", async () => {
		const { stdout } = await explain("ring.json");
		expect(stdout).toContain(
			"Model calls of a run\n  at most 64 calls, set by the limit maxSteps of 64\n  nothing else ends the cycle a → b → a, and no call is deeper than maxDepth\n",
		);
	});

	it("counts the calls of searches in what maxSteps bounds", async () => {
		await write("short.json", { ...DESK, limits: { maxSteps: 15 } });
		const { stdout } = await explain("short.json");
		expect(stdout).toContain(
			"Model calls of a run\n  at most 15 calls, set by the limit maxSteps of 15, besides",
		);
	});

	it("tells of each file of a folder, and what a manifest is", async () => {
		const { code, stdout } = await explain("agents");
		expect(code).toBe(0);
		expect(stdout).toMatch(
			/^Order helper {2}agents\/order-helper\.json: a manifest\n {2}runs the agent "ag_1" of the service that a runtime is connected to\n/,
		);
		expect(stdout).toContain("\n\nagents/quiet.json  1 node, 0 edges\n  Only[31m text of two lines\n");
		expect(stdout).not.toContain("Not an agent");
	});

	it("says which subfolders it left out", async () => {
		await mkdir(join(cli.folder, "more", "drafts"), { recursive: true });
		await write("more/quiet.json", QUIET);
		await write("more/drafts/ring.json", RING);
		const { code, stdout, stderr } = await explain("more");
		expect({ code, stderr }).toEqual({ code: 0, stderr: "note: Subfolders are not read: more/drafts.\n" });
		expect(stdout).not.toContain("drafts");
	});

	it("reads standard input", async () => {
		const child = cli.start(["explain", "-"]);
		child.stdin?.end(JSON.stringify(RING));
		expect((await waitForExit(child)).stdout).toMatch(
			/^stdin {2}2 nodes, 2 edges\n {2}a run begins and ends at a\n/,
		);
	});

	it("prints one JSON object a file", async () => {
		const { code, stdout } = await explain(
			"agents",
			"desk.json",
			"wrong.json",
			"--json",
			"--fail-on",
			"unreachable",
		);
		const [manifest, quiet, desk, wrong] = stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(code).toBe(1);
		expect(manifest).toEqual({
			file: "agents/order-helper.json",
			form: "manifest",
			remoteAgentId: "ag_1",
			name: "Order helper",
			warnings: [],
		});
		expect(quiet).toMatchObject({ form: "graph", modelCalls: { max: 1, boundBy: "graph" }, failures: {} });
		expect(desk).toMatchObject({
			file: "desk.json",
			name: "support-desk",
			entry: "desk",
			limits: { maxSteps: 40, maxDepth: 8 },
			unreachable: ["lost"],
			deadEdges: [{ from: "lost", to: "press" }],
			modelCalls: { max: 15, remotes: ["legal", "press"], rewrites: ["handbook"] },
			notes: [
				{ node: "lost", note: '/angry = true never holds: lost has no "output", so its output is text' },
				{ node: "lost", note: expect.stringContaining("did you mean {{context.user}}?") },
				{ node: "lost", note: expect.stringContaining("did you mean {{context.language}}?") },
			],
			reach: { billing: { tools: ["refund", "note"] } },
			taintPaths: [
				{ node: "desk", path: ["handbook", "desk", "note"] },
				{ node: "billing", path: ["refund", "billing", "note"] },
			],
			failures: { unreachable: "nothing leads to lost" },
		});
		expect(wrong).toMatchObject({
			form: "invalid",
			issues: [{ code: "coordinator_count" }, { code: "unknown_node", path: ["edges", 0, "to"] }],
		});
	});

	it.each([
		["untrusted", "desk.json", "untrusted text can lead to an effect: handbook → desk → note"],
		["unreachable", "desk.json", "nothing leads to lost"],
		["unbounded", "ring.json", "only maxSteps ends the cycle a → b → a"],
	])("fails on %s, where that is asked for", async (condition, file, reason) => {
		const failed = await explain(file, "--fail-on", condition);
		expect(failed).toMatchObject({ code: 1, stderr: `fails: ${file}: ${condition}: ${reason}\n` });
		const other = file === "desk.json" ? "ring.json" : "agents/quiet.json";
		expect(await explain(other, "--fail-on", condition)).toMatchObject({ code: 0, stderr: "" });
	});

	it("says whose model calls a bound does not count", async () => {
		expect(await explain("desk.json", "--fail-on", "unbounded")).toMatchObject({
			code: 0,
			stderr:
				"note: desk.json: unbounded: does not count those of legal, press, which are bounded where they run\n",
		});
	});

	it.each([
		["what is not JSON", ["broken.json"], "broken.json:2:14: Not JSON: a property name", ""],
		["every violation", ["wrong.json"], 'wrong.json:edges[0].to: No node has the id "b".', ""],
		["a missing file", ["nope.json"], "", "nope.json: There is no such file."],
		["a folder without agent files", ["empty"], "", "empty: There are no agent files (*.json)"],
		["a condition that is none", ["desk.json", "--fail-on", "dear"], "", "Give one of: untrusted, unbounded"],
	])("tells %s", async (_, args, message, error) => {
		const { code, stdout, stderr } = await explain(...args);
		expect(stdout).toContain(message);
		expect(stderr).toContain(error);
		expect(stderr).not.toMatch(/^\s+at /m);
		expect(code).toBe(1);
	});
});
