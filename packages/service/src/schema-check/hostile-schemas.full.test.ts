import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type SendRequest, sendTo } from "../test-support/send-request";
import { getBody } from "../test-support/tenant";
import { fetchToken } from "../test-support/test-deployment";

const program = fileURLToPath(new URL("../../../cli/dist/main.js", import.meta.url));

/** Definitions of which each has the next one several times in place. */
function multiplied(levels: number, keyword: string, times: number): object {
	const definitions = Array.from({ length: levels }, (_, level) => {
		const next = { $ref: `#/$defs/a${level + 1}` };
		return [`a${level}`, { [keyword]: Array.from({ length: times }, () => next) }];
	});
	return {
		$ref: "#/$defs/a0",
		$defs: { ...Object.fromEntries(definitions), [`a${levels}`]: { type: "string" } },
	};
}

function nested(levels: number, keyword: object): object {
	let schema: object = { type: "number" };
	for (let level = 0; level < levels; level++) schema = { ...keyword, items: schema };
	return schema;
}

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
const deep = (levels: number): string => `${"[".repeat(levels)}1${"]".repeat(levels)}`;
const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index);
const LETTERS = `${"a".repeat(34)}!`;

let folder: string;
let vendor: OpenAiSimulator;
let child: ChildProcess;
let send: SendRequest;
let url = "";
let token = "";
/** The model says this. */
let text = "";

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), "stemma-schemas-"));
	vendor = await startOpenAiSimulator({ behaviour: () => ({ kind: "reply", text }) });
	const main = { provider: "openai-compatible", base_url: vendor.baseUrl, default_model: "model" };
	writeFileSync(join(folder, "stemma.config.json"), JSON.stringify({ providers: { main }, chat: "main" }));
	child = spawn(process.execPath, [program, "serve", "--data", "data", "--port", "0"], {
		cwd: folder,
		stdio: ["ignore", "ignore", "pipe"],
	});
	let stderr = "";
	child.stderr?.setEncoding("utf8").on("data", (more) => {
		stderr += more;
	});
	await vi.waitUntil(() => /listens on http:\S+/.test(stderr), { timeout: 60_000 });
	url = /listens on (http:[^\s.]+\.[^\s]+)/.exec(stderr)?.[1]?.replace(/\.$/, "") ?? "";
	const credentials = JSON.parse(readFileSync(join(folder, "data", "first-credentials.json"), "utf8"));
	token = await fetchToken(sendTo(fetch, undefined, url), credentials);
	send = sendTo(fetch, token, url);
});

afterAll(async () => {
	child?.kill("SIGKILL");
	await vendor?.close();
	rmSync(folder, { recursive: true, force: true });
});

const store = (slug: string, output: object) =>
	send("POST", "/v1/agents", {
		json: { slug, graph: { nodes: [{ id: "desk", kind: "coordinator", output }] } },
	});

/** Takes as long as it takes: threads start slowly on a busy machine. */
async function run(slug: string, reply: string): Promise<unknown> {
	text = reply;
	const response = await fetch(`${url}/v1/agents/${slug}/run`, {
		method: "POST",
		headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
		body: '{"input":"Go."}',
	});
	return response.json();
}

/** Asks the service how it is while something is done, and gives what comes of that. */
async function pollHealth<Result>(work: Promise<Result>): Promise<Result> {
	let isFinished = false;
	const done = work.finally(() => {
		isFinished = true;
	});
	while (!isFinished)
		expect((await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(60_000) })).status).toBe(200);
	return done;
}

describe.runIf(existsSync(program))("schemas of a tenant", () => {
	it.each([
		["28 doubled references", multiplied(28, "allOf", 2)],
		["`oneOf` of 24 within each other", multiplied(24, "oneOf", 24)],
		["a circle", { $ref: "#" }],
	])("are refused where they take too many steps: %s", async (_, output) => {
		const refused = await pollHealth(store("refused", output));
		expect(refused).toMatchObject({
			status: 422,
			body: { error: { code: "agent_invalid", details: { issues: [{ code: "schema_too_costly" }] } } },
		});
	});

	it.each([
		["a pattern", "pattern", { pattern: "^(a+)+$" }, JSON.stringify(LETTERS), "output_invalid"],
		[
			"a pattern of names",
			"names",
			{ patternProperties: { "^(a+)+$": false } },
			JSON.stringify({ [LETTERS]: 1 }),
			undefined,
		],
		["unique items", "unique", nested(20, { uniqueItems: true }), deep(20), undefined],
		[
			"a pattern that refers back",
			"back",
			{ pattern: "^(a+)+\\1$" },
			JSON.stringify(LETTERS),
			"output_invalid",
		],
	])("are checked in few steps: %s", async (_, slug, output, reply, code) => {
		await getBody(store(slug, output));
		const ended = await pollHealth(run(slug, reply));
		expect(ended).toMatchObject(
			code === undefined ? { status: "completed" } : { status: "failed", error: { code } },
		);
	});

	it.each([
		[
			"patterns of names",
			"large-names",
			{ items: { patternProperties: Object.fromEntries(numbers(15_000).map((n) => [`p${n}`, true])) } },
			JSON.stringify(numbers(1_000).map(() => ({}))),
		],
		[
			"types",
			"large-types",
			{ items: { type: numbers(30_000).map(() => "null") } },
			JSON.stringify(numbers(1_000)),
		],
	])("hold up nobody where they are large: %s", async (_, slug, output, reply) => {
		await getBody(store(slug, output));
		expect(await pollHealth(run(slug, reply))).toMatchObject({
			status: expect.stringMatching(/^(completed|failed)$/),
		});
	});

	it("end a run where they take too long, and nothing else", async () => {
		await getBody(store("tree", TREE));
		const ended = await pollHealth(Promise.all([run("tree", deep(40)), run("tree", deep(40))]));
		for (const one of ended)
			expect(one).toMatchObject({ status: "failed", error: { code: "schema_too_costly" } });
		expect(await run("tree", '[["leaf"]]')).toMatchObject({ status: "completed", output: [["leaf"]] });
	});

	it("do not keep the service from ending", async () => {
		const before = vendor.requests.length;
		const cut = run("tree", deep(40)).catch(() => undefined);
		await expect.poll(() => vendor.requests.length).toBeGreaterThan(before);
		child.kill("SIGTERM");
		expect(await once(child, "exit")).toEqual([0, null]);
		await cut;
	});
});
