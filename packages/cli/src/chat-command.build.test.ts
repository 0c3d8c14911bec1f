import type { ChildProcess } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
	type CommandOutput,
	createTestCli,
	type TestCli,
	waitForExit,
	waitForOutput,
} from "./test-support/command";

let cli: TestCli;
let service: ChildProcess;
beforeAll(async () => {
	cli = await createTestCli();
	service = cli.start(["serve", "--port", "0"]);
	await waitForOutput(service, /listens on (\S+)\n/);
	await mkdir(join(cli.folder, "docs"));
	await writeFile(join(cli.folder, "docs/leave.md"), "# Leave\n\nParents get 16 weeks of paid leave.\n");
	expect((await cli.stemma("ingest", "docs", "--kb", "handbook", "--create")).code).toBe(0);
	const graph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "pages", kind: "knowledge", knowledgeBases: ["handbook"] },
		],
		edges: [{ from: "desk", to: "pages", mode: "before" }],
	};
	await writeFile(join(cli.folder, "desk.json"), JSON.stringify(graph));
	expect((await cli.stemma("agents", "push", "desk.json")).code).toBe(0);
});
afterAll(async () => {
	service.kill();
	await waitForExit(service);
	await cli.close();
});

/** Pipes lines into `stemma chat`. */
function chat(lines: readonly string[], ...args: readonly string[]): Promise<CommandOutput> {
	const child = cli.start(["chat", ...args]);
	child.stdin?.end(lines.map((line) => `${line}\n`).join(""));
	return waitForExit(child);
}

const QUESTION = "How many weeks of paid leave do parents get?";

const readThreadId = ({ stderr }: CommandOutput): string => /--thread (thr_\w+)/.exec(stderr)?.[1] ?? "";

it("keeps a conversation with documents in a thread, and continues it", async () => {
	const first = await chat([QUESTION, "", QUESTION], "--kb", "handbook");
	expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("16 weeks") });
	const id = readThreadId(first);
	expect(id).toMatch(/^thr_/);
	const second = await chat([QUESTION], "--thread", id, "--kb", "handbook");
	expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining("16 weeks") });
	expect(readThreadId(second)).toBe(id);
});

it("talks with an agent, which the thread keeps", async () => {
	const first = await chat([QUESTION], "--agent", "desk");
	expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("16 weeks") });
	const second = await chat([QUESTION], "--thread", readThreadId(first));
	expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining("16 weeks") });
});

it.each([
	[["--thread", "thr_0"], "Leave out"],
	[["--agent", "nobody"], "agents list"],
	[["--agent", "desk", "--kb", "handbook"], "do not go together"],
	[["--kb", "handbok"], "handbook"],
])("says what is wrong: %j", async (args, message) => {
	const { code, stdout, stderr } = await chat([QUESTION], ...args);
	expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
	expect(stderr).toContain(message);
});
