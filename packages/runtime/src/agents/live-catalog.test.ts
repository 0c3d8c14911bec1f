import { mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	createGate,
	createTestRuntime,
	followEvents,
	graph,
	STREAMED,
	scriptedPorts,
	type TestRuntime,
} from "../test-support/scripted";

let folder: string;
let runtime: TestRuntime;
const seen = new Set<string>();

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-runtime-"));
	await write("desk.json", { ...graph, name: "one" });
	seen.clear();
});
afterEach(async () => {
	await runtime.close();
	await rm(folder, { recursive: true });
});

const write = (name: string, content: unknown): Promise<void> =>
	writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));

/** What the list shows of the agents; each state is kept. */
function look(): string {
	const state = runtime
		.agents()
		.map(({ file, name, status, issues = [] }) =>
			[file, name, status, ...issues.map(({ code }) => code)].join(" "),
		)
		.join(", ");
	seen.add(state);
	return state;
}

const waitUntilListed = (state: string): Promise<void> => expect.poll(look, { interval: 10 }).toBe(state);

/** What an operator is alerted by. */
async function measure() {
	const text = await (await runtime.get("/metrics")).text();
	const states = [...text.matchAll(/^stemma_agents\{state="(\w+)"\} (\d+)$/gm)];
	const reloads = [...text.matchAll(/^stemma_agent_reloads_total\{outcome="(\w+)"\}/gm)];
	return {
		...Object.fromEntries(states.map(([, state = "", count]) => [state, Number(count)])),
		reloads: reloads.map(([, outcome]) => outcome),
	};
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("a folder that changes", () => {
	it("shows nothing of a file that an editor empties and then writes", async () => {
		runtime = await createTestRuntime({ agents: folder });
		// An unlucky moment: a look falls between emptying and writing.
		await write("desk.json", "");
		const looking = setInterval(look, 5);
		await sleep(1_100);
		await write("desk.json", { ...graph, name: "two" });
		await waitUntilListed("desk.json two ready");
		clearInterval(looking);
		expect([...seen]).toEqual(["desk.json one ready", "desk.json two ready"]);
		expect(runtime.lines).toEqual(["Agent files changed. Ready: desk."]);
	});

	it("shows nothing of a file that is taken away and put back, and runs meanwhile", async () => {
		runtime = await createTestRuntime({ agents: folder });
		await rename(join(folder, "desk.json"), join(folder, "desk.json~"));
		await sleep(1_100);
		expect((await runtime.post("/run/desk", { input: "hi" })).status).toBe(200);
		await write("desk.json", { ...graph, name: "two" });
		await waitUntilListed("desk.json two ready");
		expect([...seen]).not.toContain("");
	});

	it("takes a file written beside and moved into place", async () => {
		runtime = await createTestRuntime({ agents: folder });
		await write(".desk.json.swp", { ...graph, name: "two" });
		await rename(join(folder, ".desk.json.swp"), join(folder, "desk.json"));
		await waitUntilListed("desk.json two ready");
	});

	it("shows what is wrong of a file that stays bad, runs its last good version, and takes it back", async () => {
		runtime = await createTestRuntime({ agents: folder });
		await write("desk.json", "{");
		await write("new.json", "[");
		await waitUntilListed("desk.json one ready invalid_json, new.json  invalid invalid_json");
		expect(await measure()).toEqual({ ready: 0, stale: 1, invalid: 1, reloads: ["invalid"] });
		expect((await runtime.post("/run/desk", { input: "hi" })).status).toBe(200);
		expect(runtime.lines.at(-1)).toMatch(
			/^Agent files changed\. Ready: desk\. desk\.json runs its previous version: /,
		);
		await write("desk.json", { ...graph, name: "two" });
		await unlink(join(folder, "new.json"));
		await waitUntilListed("desk.json two ready");
		expect(await measure()).toEqual({ ready: 1, stale: 0, invalid: 0, reloads: ["invalid", "completed"] });
	});

	it("moves an id from one file to another without a moment when none runs", async () => {
		await write("desk.json", { remoteAgentId: "ag_1", id: "desk" });
		const remote = {
			run: () => Promise.reject(),
			decide: () => Promise.reject(),
			follow: () => Promise.reject(),
		};
		runtime = await createTestRuntime({ agents: folder, remote: remote as never });
		await rename(join(folder, "desk.json"), join(folder, "renamed.json"));
		await waitUntilListed("renamed.json  ready");
		expect([...seen]).toEqual(["desk.json  ready", "renamed.json  ready"]);
	});

	it("forgets a file that is gone", async () => {
		runtime = await createTestRuntime({ agents: folder });
		await unlink(join(folder, "desk.json"));
		await waitUntilListed("");
		expect((await runtime.post("/run/desk", { input: "hi" })).status).toBe(404);
	});

	it("runs a run to its end on the version that it started with", async () => {
		const gate = createGate();
		const ports = scriptedPorts(() => gate.opened.then(() => "Said."));
		runtime = await createTestRuntime({ agents: folder, ports });
		const old = await runtime.post("/run/desk", { input: "hi" }, STREAMED);
		const events = followEvents(old);
		await events.next();
		await write("desk.json", { ...graph, name: "two", nodes: [{ id: "other", kind: "coordinator" }] });
		await waitUntilListed("desk.json two ready");
		gate.open();
		const nodes = new Set<string>();
		for await (const event of events) if ("node" in event) nodes.add(event.node);
		expect([...nodes]).toEqual(["desk"]);
		const next = await (await runtime.post("/run/desk", { input: "hi" })).json();
		expect(next.receipt).toMatchObject([{ node: "other" }]);
	});
});

describe("a ConfigMap", () => {
	/** As kubelet's atomic writer does: a new folder, a link beside, the swap, and the old folder goes. */
	async function publish(
		version: string,
		files: Readonly<Record<string, unknown>>,
		old?: string,
	): Promise<void> {
		await mkdir(join(folder, version));
		for (const [name, content] of Object.entries(files)) await write(`${version}/${name}`, content);
		await symlink(version, join(folder, "..data_tmp"));
		await rename(join(folder, "..data_tmp"), join(folder, "..data"));
		for (const name of Object.keys(files))
			await symlink(join("..data", name), join(folder, name)).catch(() => undefined);
		if (old !== undefined) await rm(join(folder, old), { recursive: true });
	}

	it("is taken over as a whole when kubelet swaps it, with files added and taken out", async () => {
		await unlink(join(folder, "desk.json"));
		const named = (name: string) => ({ ...graph, name });
		await publish("..2026_01_01", { "a.json": named("one"), "b.json": named("one") });
		runtime = await createTestRuntime({ agents: folder });
		expect(look()).toBe("a.json one ready, b.json one ready");
		await publish("..2026_01_02", { "a.json": named("two"), "c.json": named("two") }, "..2026_01_01");
		await unlink(join(folder, "b.json"));
		await waitUntilListed("a.json two ready, c.json two ready");
		for (let turn = 3; turn < 8; turn += 1) {
			await publish(
				`..2026_01_0${turn}`,
				{ "a.json": named(`v${turn}`), "c.json": named(`v${turn}`) },
				`..2026_01_0${turn - 1}`,
			);
			await sleep(300);
		}
		await waitUntilListed("a.json v7 ready, c.json v7 ready");
		for (const state of seen) expect(state).not.toContain("file_unreadable");
	});
});
