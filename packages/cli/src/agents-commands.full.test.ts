import type { ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestCli, type TestCli, waitForExit, waitForOutput } from "./test-support/command";

let cli: TestCli;
let service: ChildProcess;
beforeAll(async () => {
	cli = await createTestCli();
	service = cli.start(["serve", "--port", "0"]);
	await waitForOutput(service, /listens on (\S+)\n/);
});
afterAll(async () => {
	service.kill();
	await waitForExit(service);
	await cli.close();
});

const GRAPH = { name: "Desk", nodes: [{ id: "desk", kind: "coordinator" }] };

const write = (name: string, value: unknown): Promise<void> =>
	writeFile(join(cli.folder, name), JSON.stringify(value));

const agents = (...args: readonly string[]) => cli.stemma("agents", ...args);

describe("stemma agents", () => {
	it("stores an agent file, and what is pulled is that file", async () => {
		await write("support-desk.json", GRAPH);
		const push = () => agents("push", "support-desk.json");
		expect(await push()).toEqual({ code: 0, stdout: "Created support-desk (version 1).\n", stderr: "" });
		expect((await push()).stdout).toBe("Unchanged: support-desk (version 1).\n");
		await write("support-desk.json", { ...GRAPH, description: "Answers customers." });
		expect((await push()).stdout).toBe("Updated support-desk (version 2).\n");
		const pulled = await agents("pull", "support-desk");
		expect(JSON.parse(pulled.stdout)).toMatchObject({ ...GRAPH, description: "Answers customers." });
		expect(pulled.stdout).toMatch(/^\{\n {2}"/);
		await writeFile(join(cli.folder, "copy.json"), pulled.stdout);
		expect((await agents("push", "copy.json", "--slug", "support-desk")).stdout).toContain("Unchanged");
		expect((await agents("list")).stdout).toMatch(
			/^ {2}SLUG +NAME +VERSION +UPDATED +ID\n {2}support-desk +Desk +2 +\d{4}-\d\d-\d\d +ag_\w+\n$/,
		);
	});

	it("lists, compares and restores the versions of an agent", async () => {
		await write("history.json", GRAPH);
		await agents("push", "history.json", "--note", "First.");
		const node = { id: "law", kind: "agent" };
		const graph = { ...GRAPH, nodes: [...GRAPH.nodes, node], edges: [{ from: "desk", to: "law" }] };
		await write("history.json", graph);
		await agents("push", "history.json");
		const diff = await agents("diff", "history", "1");
		expect(diff.stdout).toBe("Nodes\n  + law (agent)\n\nEdges\n  + desk → law (call)\n");
		expect((await agents("diff", "history", "2", "2")).stdout).toBe("No difference.\n");
		const restored = await agents("restore", "history", "1", "--note", "It was wrong.");
		expect(restored.stdout).toBe("Restored version 1 of history as version 3.\n");
		expect((await agents("restore", "history", "1")).stdout).toMatch(/^Unchanged: /);
		expect((await agents("versions", "history")).stdout).toMatch(
			/VERSION +STORED +BY +NAME +NOTE *\n +3 .* Desk +restores 1: It was wrong\. *\n +2 .*\n +1 .* Desk +First\. *\n$/,
		);
		const missing = await agents("restore", "history", "9");
		expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("stemma agents versions") });
	});

	it("refuses a file that is no agent, with each violation", async () => {
		await write("broken.json", { nodes: [{ id: "desk", kind: "desk" }] });
		const { code, stdout, stderr } = await agents("push", "broken.json");
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
		expect(stderr).toContain("broken.json:nodes[0]");
	});

	it("deletes one when that is confirmed, and says which was probably meant", async () => {
		await write("old.json", GRAPH);
		await agents("push", "old.json", "--slug", "old-desk");
		expect((await agents("delete", "old-desk")).stderr).toContain("--yes");
		expect((await agents("delete", "old-desc", "--yes")).stderr).toContain('Did you mean "old-desk"?');
		expect(await agents("delete", "old-desk", "--yes")).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^Deleted old-desk \(ag_\w+\)\.\n$/),
		});
		expect((await agents("pull", "old-desk")).code).toBe(1);
	});
});
