import { execFileSync } from "node:child_process";
import { mkdtemp, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestRuntime, graph } from "../test-support/scripted";
import { createFolderSource } from "./folder-source";
import { readAgentFile } from "./read-agent-file";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-runtime-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, content: string | Buffer): Promise<void> =>
	writeFile(join(folder, name), content);
const GOOD = JSON.stringify(graph);

/** A file by that name as it is listed, beside a good one that runs. */
async function listAgents(name: string) {
	await write("good.json", GOOD);
	const runtime = await createTestRuntime({ agents: folder });
	const { data } = await (await runtime.get("/agents")).json();
	expect((await runtime.post("/run/good", { input: "hi" })).status).toBe(200);
	await runtime.close();
	return data.find(({ file }: { file: string }) => file === name);
}

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");

describe("a file that is", () => {
	it.each([
		["empty", "", "invalid_json", /The file is empty/],
		["spaces", " \n\t ", "invalid_json", /The file is empty/],
		["broken", '{\n  "nodes": [\n    {"id": "a",}\n', "invalid_json", /line 3, column 16/],
		["cut in half", GOOD.slice(0, 40), "invalid_json", /line 1, column \d+/],
		["NUL bytes", Buffer.alloc(4000), "invalid_json", /line 1, column 1/],
		["invalid UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), "not_text", /UTF-8/],
		["UTF-16, little end first", utf16(GOOD), "not_text", /UTF-16.*Save it as UTF-8/],
		["UTF-16, big end first", utf16(GOOD).swap16(), "not_text", /UTF-16.*Save it as UTF-8/],
		["brackets", "[".repeat(100_000) + "]".repeat(100_000), "invalid_shape", /./],
		["brackets that never close", "[".repeat(100_000), "invalid_json", /it ends too early/],
		[
			"a graph with brackets in it",
			`{"nodes":[{"id":"a","kind":"coordinator","metadata":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}]}`,
			/./,
			/./,
		],
		["a number", "1", "invalid_shape", /./],
		["null", "null", "invalid_shape", /./],
		["a manifest and a graph", '{"remoteAgentId":"ag_1","nodes":[]}', "invalid_manifest", /Leave one out/],
		["a manifest of a hostile id", '{"remoteAgentId":"ag_1","id":"../x"}', "invalid_manifest", /letters/],
		["a manifest of a hostile agent", '{"remoteAgentId":"../../v1/clients"}', "invalid_manifest", /letters/],
	])("%s is listed with what is wrong", async (_, content, code, message) => {
		await write("bad.json", content);
		const entry = await listAgents("bad.json");
		expect(entry).toMatchObject({ id: "bad", status: "invalid" });
		expect(entry.issues[0].code).toMatch(code);
		expect(entry.issues[0].message).toMatch(message);
		expect(JSON.stringify(entry).length).toBeLessThan(2000);
	});

	it("50 MB is refused and not read", async () => {
		await write("big.json", "");
		await truncate(join(folder, "big.json"), 50_000_000);
		const before = process.memoryUsage().arrayBuffers;
		const entry = await listAgents("big.json");
		expect(entry.issues).toEqual([
			{ code: "file_too_large", message: expect.stringContaining("50.0 MB"), path: [] },
		]);
		expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
	});

	it("UTF-8 with a byte order mark runs", async () => {
		await write("bom.json", `\uFEFF${GOOD}`);
		expect(await listAgents("bom.json")).toMatchObject({ status: "ready" });
	});

	it.each([
		["a name with spaces", "a b.json", "invalid_id"],
		["a name that leads up", "..json", undefined],
		["a name with a slash in code", "a%2fb.json", "invalid_id"],
		["a name of other letters", "büro.json", "invalid_id"],
		["a long name", `${"a".repeat(65)}.json`, "invalid_id"],
		["nothing but an ending", ".json", undefined],
	])("called by %s is listed, or hidden", async (_, name, code) => {
		await write(name, GOOD);
		expect((await listAgents(name))?.issues[0].code).toBe(code);
	});

	it.each(["__proto__", "constructor", "toString"])(
		"called %s runs under its name, and changes nothing",
		async (name) => {
			await write(`${name}.json`, GOOD);
			const runtime = await createTestRuntime({ agents: folder });
			expect((await runtime.post(`/run/${name}`, { input: "hi" })).status).toBe(200);
			expect((await runtime.post("/run/valueOf", { input: "hi" })).status).toBe(404);
			await runtime.close();
		},
	);

	it("a link in a circle, a link to nowhere, a device, a pipe, or a socket, is listed at once", async () => {
		await symlink("b.json", join(folder, "a.json"));
		await symlink("a.json", join(folder, "b.json"));
		await symlink("nowhere", join(folder, "c.json"));
		await symlink("/dev/zero", join(folder, "d.json"));
		execFileSync("mkfifo", [join(folder, "e.json")]);
		const socket = createServer().listen(join(folder, "f.json"));
		await new Promise((resolve) => socket.once("listening", resolve));
		const runtime = await createTestRuntime({ agents: folder });
		const codes = runtime.agents().map(({ file, issues = [] }) => `${file} ${issues[0]?.code}`);
		expect(codes).toEqual([
			"a.json file_unreadable",
			"b.json file_unreadable",
			"c.json file_unreadable",
			"d.json not_a_file",
			"e.json not_a_file",
			"f.json not_a_file",
		]);
		await runtime.close();
		socket.close();
	});
});

describe("a file that changes while it is read", () => {
	it("is read as it was before or after, never as a mixture, and never fails", async () => {
		const [one, two] = ["a", "b"].map((letter) => JSON.stringify({ text: letter.repeat(300_000) }));
		await write("desk.json", one ?? "");
		let isOver = false;
		const writing = (async () => {
			for (let turn = 0; !isOver; turn += 1) await write("desk.json", (turn % 2 === 0 ? two : one) ?? "");
		})();
		for (let turn = 0; turn < 100; turn += 1) {
			const file = await readAgentFile(folder, "desk.json");
			if ("issue" in file) expect(file.issue.code).toBe("file_changing");
			else expect(Buffer.from(file.bytes).toString()).not.toMatch(/ab|ba/);
		}
		isOver = true;
		await writing;
		expect(await readAgentFile(folder, "desk.json")).toHaveProperty("bytes");
	});
});

describe("thousands of files", () => {
	const COUNT = 5_000;
	const toName = (index: number): string => `a${index}.json`;

	it("start, are looked through, and are rewritten, while requests are answered", async () => {
		await Promise.all(Array.from({ length: COUNT }, (_, index) => write(toName(index), GOOD)));
		const runtime = await createTestRuntime({ agents: folder });
		expect(await (await runtime.get("/healthz")).json()).toMatchObject({
			agents: { ready: COUNT, invalid: 0 },
		});
		const source = createFolderSource(folder);
		await source.readChanges(new Set());
		expect(await source.readChanges(new Set())).toBeUndefined();

		const changed = JSON.stringify({ ...graph, name: "changed" });
		for (let index = 0; index < COUNT; index += 1) await write(toName(index), changed);
		let answers = 0;
		await vi.waitFor(
			async () => {
				const response = await runtime.get("/healthz");
				expect(response.status).toBe(200);
				answers += 1;
				expect(runtime.agents().every(({ name }) => name === "changed")).toBe(true);
			},
			{ timeout: 200_000, interval: 20 },
		);
		// Reading all of them takes seconds, in which nothing is answered where they are read in one go.
		expect(answers).toBeGreaterThan(10);

		const notFound = await (await runtime.post("/run/none", { input: "hi" })).json();
		expect(notFound.error.details.agents).toHaveLength(100);
		expect(runtime.describe()).toMatch(/and 4950 more\.$/);
		await rename(folder, `${folder}-gone`);
		await expect.poll(() => runtime.lines.at(-1)).toMatch(/The agents stay as they were/);
		expect((await runtime.post("/run/a1", { input: "hi" })).status).toBe(200);
		await rename(`${folder}-gone`, folder);
		await runtime.close();
	});
});
