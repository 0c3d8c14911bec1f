import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openLiveCatalog } from "../agents/live-catalog";
import { createPrepareAgent } from "../agents/prepare-agent";
import { createGate, createTestRuntime, graph, scriptedPorts } from "../test-support/scripted";
import type { AgentFile } from "./agent-source";
import { createFolderSource } from "./folder-source";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-runtime-"));
});
afterEach(async () => {
	vi.useRealTimers();
	await rm(folder, { recursive: true });
});

const write = (name: string, content: unknown): Promise<void> =>
	writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));

/** Everything in the folder. */
async function readAll(source = createFolderSource(folder)): Promise<AgentFile[]> {
	const files: AgentFile[] = [];
	for await (const file of (await source.readChanges(new Set()))?.changed ?? []) files.push(file);
	return files;
}

describe("createFolderSource", () => {
	it("reads the .json files that stand directly in it, in order, and nothing else", async () => {
		await write("b.json", graph);
		await write("a.json", graph);
		await write("notes.md", "# Notes");
		await write(".hidden.json", graph);
		await mkdir(join(folder, "old.json"));
		await mkdir(join(folder, "sub"));
		await write("sub/c.json", graph);
		expect((await readAll()).map(({ file }) => file)).toEqual(["a.json", "b.json"]);
	});

	it("refuses files that are too large before it reads them, and links that lead nowhere", async () => {
		await write("big.json", "a".repeat(2_000_001));
		await symlink(join(folder, "nowhere"), join(folder, "gone.json"));
		expect(await readAll()).toEqual([
			{
				file: "big.json",
				issue: { code: "file_too_large", message: expect.stringContaining("2 MB"), path: [] },
			},
			{
				file: "gone.json",
				issue: { code: "file_unreadable", message: expect.stringContaining("link"), path: [] },
			},
		]);
	});

	it("says what cannot be read", async () => {
		await symlink("loop.json", join(folder, "loop.json"));
		expect(await readAll()).toMatchObject([{ issue: { code: "file_unreadable" } }]);
	});

	it.each([
		["nowhere", "does not exist"],
		["file.json", "is a file"],
	])("refuses %s as a folder", async (name, message) => {
		await write("file.json", graph);
		await expect(createTestRuntime({ agents: join(folder, name) })).rejects.toThrow(message);
	});
});

describe("a runtime over a folder", () => {
	it("starts over an empty one, and says so", async () => {
		const runtime = await createTestRuntime({ agents: folder });
		expect(await (await runtime.get("/agents")).json()).toEqual({ data: [] });
		expect(runtime.describe()).toBe("There are no agent files (.json) yet.");
		await runtime.close();
	});

	it("lists bad files beside good ones; strict refuses to start", async () => {
		await write("good.json", `\uFEFF${JSON.stringify(graph)}`);
		await write("broken.json", '{\n  "nodes": [,]\n}');
		await write("tools.json", {
			nodes: [...graph.nodes, { id: "refund", kind: "tool", tool: "refund" }],
			edges: [{ from: "desk", to: "refund" }],
		});
		const runtime = await createTestRuntime({ agents: folder });
		expect(runtime.agents()).toMatchObject([
			{
				id: "broken",
				status: "invalid",
				issues: [{ message: expect.stringContaining("line 2, column 13") }],
			},
			{ id: "good", status: "ready" },
			{
				id: "tools",
				status: "invalid",
				issues: [{ code: "tool_not_registered", message: expect.stringContaining('"refund"') }],
			},
		]);
		expect(runtime.describe()).toMatch(
			/^Ready: good\. broken\.json invalid: Not JSON at line 2.* tools\.json invalid: /,
		);
		await runtime.close();
		await expect(createTestRuntime({ agents: folder, strict: true })).rejects.toThrow(
			/^2 of 3 agent files are not valid\..*broken\.json.*tools\.json/,
		);
	});

	it("says what is missing where there are no ports and no service", async () => {
		await write("far.json", { remoteAgentId: "ag_1" });
		await write("near.json", graph);
		const runtime = await createTestRuntime({ agents: folder, ports: {} });
		expect(runtime.agents()).toMatchObject([
			{ status: "invalid", issues: [{ message: expect.stringContaining("no service") }] },
			{ status: "invalid", issues: [{ message: expect.stringContaining("`models`") }] },
		]);
		await runtime.close();
	});

	it("picks up changes; a run keeps the version that it started with", async () => {
		const inputs: string[] = [];
		const gate = createGate();
		const ports = scriptedPorts(async (input) => {
			inputs.push(input);
			await gate.opened;
			return "Said.";
		});
		await write("desk.json", graph);
		const { get, post, close, lines } = await createTestRuntime({ agents: folder, ports });
		const before = post("/run/desk", { input: "old" });
		await expect.poll(() => inputs).toEqual(["old"]);
		await write("desk.json", { ...graph, name: "new desk" });
		await write("more.json", graph);
		await vi.waitFor(async () => {
			const { data } = await (await get("/agents")).json();
			expect(data).toMatchObject([{ name: "new desk" }, { id: "more" }]);
		}, 30_000);
		expect(lines).toEqual(["Agent files changed. Ready: desk, more."]);
		gate.open();
		expect(await (await before).json()).toMatchObject({ status: "completed" });
		await rm(join(folder, "desk.json"));
		await expect.poll(async () => (await post("/run/desk", { input: "hi" })).status).toBe(404);
		await close();
	});

	it("goes on with the last good version of a file that was broken, and after the folder is gone", async () => {
		await write("desk.json", graph);
		const { get, post, close, lines } = await createTestRuntime({ agents: folder });
		await write("desk.json", '{"nodes":');
		await vi.waitFor(async () => {
			const { data } = await (await get("/agents")).json();
			expect(data).toMatchObject([{ status: "ready", name: "desk", issues: [{ code: "invalid_json" }] }]);
		}, 30_000);
		expect((await post("/run/desk", { input: "hi" })).status).toBe(200);
		await rename(folder, `${folder}-gone`);
		await expect.poll(() => lines.at(-1)).toMatch(/^The agents stay as they were\. .*does not exist/);
		expect((await post("/run/desk", { input: "hi" })).status).toBe(200);
		await rename(`${folder}-gone`, folder);
		await close();
	});

	it("sees the swap of a link that Kubernetes makes", async () => {
		for (const version of ["one", "two"]) {
			await mkdir(join(folder, version));
			await write(`${version}/desk.json`, { ...graph, name: version });
		}
		await symlink("one", join(folder, "..data"));
		await symlink("..data/desk.json", join(folder, "desk.json"));
		const catalog = await openLiveCatalog(
			createFolderSource(folder),
			createPrepareAgent({ ports: scriptedPorts() }),
			() => undefined,
		);
		expect(catalog.current().entries).toMatchObject([{ name: "one" }]);
		await symlink("two", join(folder, "..next"));
		await rename(join(folder, "..next"), join(folder, "..data"));
		await expect.poll(() => catalog.current().entries).toMatchObject([{ name: "two" }]);
		catalog.stop();
	});
});
