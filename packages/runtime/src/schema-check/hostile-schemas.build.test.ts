import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startServiceStub } from "../test-support/service-stub";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** At each level of a value, two alternatives that look at everything below it. */
const TREE = {
	$ref: "#/$defs/tree",
	$defs: {
		tree: {
			anyOf: [
				{ const: "leaf" },
				{ type: "array", items: { $ref: "#/$defs/tree" } },
				{ type: "array", minItems: 1, items: { $ref: "#/$defs/tree" } },
			],
		},
	},
};
/** With `TREE` it takes 2⁴⁰ steps. */
const DEEP = `${"[".repeat(40)}1${"]".repeat(40)}`;

/** Types that make a schema longer than is checked on the main thread. */
const LARGE = Array.from({ length: 20_000 }, () => "null");

let folder: string;
let service: Awaited<ReturnType<typeof startServiceStub>>;
let child: ChildProcess;
let url = "";
let stderr = "";

beforeAll(async () => {
	service = await startServiceStub(0, DEEP);
	folder = await mkdtemp(join(tmpdir(), "stemma-runtime-"));
	const graph = (output: object) => JSON.stringify({ nodes: [{ id: "desk", kind: "coordinator", output }] });
	await writeFile(join(folder, "tree.json"), graph(TREE));
	await writeFile(join(folder, "honest.json"), graph({ type: "array" }));
	await writeFile(join(folder, "circle.json"), graph({ $ref: "#" }));
	await writeFile(join(folder, "large.json"), graph({ type: LARGE }));
	await writeFile(join(folder, "fits.json"), graph({ type: [...LARGE, "array"] }));
	const env = {
		...process.env,
		STEMMA_CLIENT_ID: "c",
		STEMMA_CLIENT_SECRET: "s",
		STEMMA_BASE_URL: service.url,
	};
	child = spawn(process.execPath, [main, folder, "--port", "0"], {
		env,
		stdio: ["ignore", "ignore", "pipe"],
	});
	child.stderr?.setEncoding("utf8").on("data", (text) => {
		stderr += text;
	});
	await vi.waitUntil(() => stderr.includes("listens on"), { timeout: 60_000 });
	url = /listens on (http:\S+)\./.exec(stderr)?.[1] ?? "";
});

afterAll(async () => {
	child?.kill("SIGKILL");
	service?.close();
	await rm(folder, { recursive: true });
});

const run = (agent: string): Promise<unknown> =>
	fetch(`${url}/run/${agent}`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: '{"input":"hi"}',
	}).then((response) => response.json());

it("lists an agent whose schema takes too many steps as invalid", () => {
	expect(stderr).toMatch(/circle\.json invalid: .*More than 10000 schemas apply/);
});

it("ends a run whose output takes too long to check, and serves others meanwhile", async () => {
	const costly = [run("tree"), run("tree")];
	let isOver = false;
	const all = Promise.all(costly).finally(() => {
		isOver = true;
	});
	let looks = 0;
	while (!isOver) {
		expect((await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(60_000) })).status).toBe(200);
		looks += 1;
	}
	expect(looks).toBeGreaterThan(2);
	for (const ended of await all)
		expect(ended).toMatchObject({ status: "failed", error: { code: "schema_too_costly" } });
	expect(await run("honest")).toMatchObject({ status: "completed" });
});

it("checks an output against a large schema as against a small one", async () => {
	expect(await run("large")).toMatchObject({ status: "failed", error: { code: "output_invalid" } });
	expect(await run("fits")).toMatchObject({ status: "completed" });
});

it("ends on SIGTERM while an output is checked", async () => {
	const ended = new Promise((resolve) => child.on("exit", resolve));
	const countCalls = () => service.requests.filter(({ route }) => route.includes("completions")).length;
	const before = countCalls();
	const cut = run("tree").catch(() => "cut off");
	await expect.poll(countCalls).toBe(before + 1);
	child.kill("SIGTERM");
	expect(await ended).toBe(0);
	await cut;
});
