import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import {
	type RerankerSimulator,
	type RerankerSimulatorOptions,
	startRerankerSimulator,
} from "./reranker/simulator";
import { VENDORS, type VendorName } from "./reranker/vendors";

const KEY = "key-test-0123456789";
const NAMES = Object.keys(VENDORS) as readonly VendorName[];
const TEXTS = ["Keys are at the desk.", "A late return costs 12 euro."];

const simulators: RerankerSimulator[] = [];
afterEach(async () => {
	await Promise.all(simulators.splice(0).map((simulator) => simulator.close()));
});

async function start(vendor: VendorName, options: Partial<RerankerSimulatorOptions> = {}) {
	const simulator = await startRerankerSimulator({ vendor, apiKey: KEY, models: ["rank-test"], ...options });
	simulators.push(simulator);
	return simulator;
}

const toBody = (vendor: VendorName, rest: object = {}): object =>
	vendor === "tei"
		? { query: "late return", texts: TEXTS, ...rest }
		: { model: "rank-test", query: "late return", documents: TEXTS, ...rest };

async function post(
	{ baseUrl }: RerankerSimulator,
	body: unknown,
	headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly text: string }> {
	const response = await fetch(`${baseUrl}/rerank`, {
		method: "POST",
		headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json", ...headers },
		body: typeof body === "string" ? body : JSON.stringify(body),
	});
	return { status: response.status, text: await response.text() };
}

describe("answers", () => {
	it.each([
		["cohere", ["id", "meta", "results"]],
		["jina", ["model", "object", "results", "usage"]],
		["voyage", ["data", "model", "object", "usage"]],
		["together", ["id", "model", "object", "results", "usage"]],
		["llama.cpp", ["model", "object", "results", "usage"]],
	] as const)("as %s does, best first", async (vendor, names) => {
		const { status, text } = await post(await start(vendor), toBody(vendor));
		const body = JSON.parse(text);
		expect([status, Object.keys(body).sort()]).toEqual([200, names]);
		const list: readonly { index: number; relevance_score: number }[] = body.results ?? body.data;
		expect(list.map(({ index }) => index)).toEqual([1, 0]);
		expect(list[0]?.relevance_score).toBeGreaterThan(list[1]?.relevance_score ?? 0);
	});

	it("as TEI does: a bare list, and no limit to ask for", async () => {
		const { text } = await post(await start("tei"), toBody("tei", { truncate: true, top_n: 1 }));
		expect(JSON.parse(text)).toEqual([
			{ index: 1, score: expect.any(Number) },
			{ index: 0, score: expect.any(Number) },
		]);
	});

	it("raw scores as llama.cpp does", async () => {
		const { text } = await post(await start("llama.cpp"), toBody("llama.cpp"));
		expect(JSON.parse(text).results[1].relevance_score).toBeLessThan(0);
	});

	it.each([
		["cohere", "top_n"],
		["voyage", "top_k"],
	] as const)("as many as are asked for: %s", async (vendor, field) => {
		const { text } = await post(await start(vendor), toBody(vendor, { [field]: 1 }));
		const body = JSON.parse(text);
		expect(body.results ?? body.data).toHaveLength(1);
	});

	it("the same of a text wherever it stands", async () => {
		const simulator = await start("tei");
		const scoresOf = async (texts: readonly string[]): Promise<number[]> => {
			const list = JSON.parse((await post(simulator, { query: "late return", texts })).text);
			return texts.map((_, at) => list.find(({ index }: { index: number }) => index === at).score);
		};
		expect(await scoresOf([...TEXTS].reverse())).toEqual((await scoresOf(TEXTS)).reverse());
	});

	it("as it is told, each thing once", async () => {
		const simulator = await start("jina");
		simulator.enqueue(
			{ kind: "scores", scores: [0.9, 0.1], omitCount: 1, usage: { inputTokens: 5 } },
			{ kind: "failure", status: 429, headers: { "retry-after": "3" }, message: "Slow down." },
			{ kind: "raw", status: 502, headers: { "content-type": "text/html" }, body: "<html>" },
		);
		expect(JSON.parse((await post(simulator, toBody("jina"))).text)).toMatchObject({
			results: [{ index: 1, relevance_score: 0.1 }],
			usage: { total_tokens: 5 },
		});
		expect(await post(simulator, toBody("jina"))).toEqual({ status: 429, text: '{"detail":"Slow down."}' });
		expect(await post(simulator, toBody("jina"))).toEqual({ status: 502, text: "<html>" });
		expect((await post(simulator, toBody("jina"))).status).toBe(200);
		expect(simulator.requests.map(({ isAnswered }) => isAnswered)).toEqual([true, true, true, true]);
	});
});

describe("refuses", () => {
	it.each(NAMES)("another key, or none: %s", async (vendor) => {
		const simulator = await start(vendor);
		expect((await post(simulator, toBody(vendor), { authorization: "Bearer other" })).status).toBe(401);
		expect((await post(simulator, toBody(vendor), { authorization: "" })).status).toBe(401);
		expect(simulator.requests.map(({ rejection, body }) => [rejection, body])).toEqual([
			[401, undefined],
			[401, undefined],
		]);
	});

	it.each([
		["cohere", 422, "message"],
		["jina", 422, "detail"],
		["voyage", 400, "detail"],
		["together", 400, "error"],
	] as const)("what %s does not know, in its words", async (vendor, status, name) => {
		const rejected = await post(await start(vendor), toBody(vendor, { truncat: true }));
		expect(rejected.status).toBe(status);
		expect(JSON.parse(rejected.text)).toHaveProperty(name);
		expect(rejected.text).toContain("truncat");
	});

	it.each(["llama.cpp", "tei"] as const)("nothing that %s passes over", async (vendor) => {
		expect((await post(await start(vendor), toBody(vendor, { truncat: true }))).status).toBe(200);
	});

	it.each(NAMES)("what is missing or of another kind: %s", async (vendor) => {
		const simulator = await start(vendor);
		for (const body of [
			{},
			toBody(vendor, { query: 1 }),
			toBody(vendor, { documents: "x", texts: "x" }),
			"{",
		])
			expect((await post(simulator, body)).status).toBeGreaterThanOrEqual(400);
		expect(simulator.requests.every(({ body }) => body === undefined)).toBe(true);
	});

	it.each([
		["cohere", 404],
		["jina", 400],
		["voyage", 400],
		["together", 404],
	] as const)("models that %s has not", async (vendor, status) => {
		expect((await post(await start(vendor), toBody(vendor, { model: "rank-none" }))).status).toBe(status);
	});

	it("more texts or bytes than a request may have", async () => {
		const simulator = await start("tei", { maxTexts: 1, maxBytes: 300 });
		const { status, text } = await post(simulator, toBody("tei"));
		expect([status, JSON.parse(text)]).toEqual([
			413,
			{ error: "batch size 2 > maximum allowed batch size 1", error_type: "Validation" },
		]);
		expect((await post(simulator, { query: "x", texts: ["x".repeat(300)] })).status).toBe(413);
		expect((await post(simulator, { query: "x", texts: [] })).status).toBe(400);
	});

	it("other paths and methods", async () => {
		const simulator = await start("cohere");
		expect((await fetch(`${simulator.baseUrl}/rank`, { method: "POST" })).status).toBe(404);
		expect((await fetch(`${simulator.baseUrl}/rerank`)).status).toBe(405);
	});
});

it("runs as a program", async () => {
	const main = fileURLToPath(new URL("./reranker/main.ts", import.meta.url));
	const child = spawn(process.execPath, [main, "--vendor", "voyage", "--port", "0"], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	try {
		const [line] = await once(child.stdout, "data");
		const { base_url: baseUrl } = JSON.parse(String(line));
		const response = await fetch(`${baseUrl}/rerank`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify(toBody("voyage")),
		});
		expect(response.status).toBe(200);
	} finally {
		child.kill();
		await once(child, "exit");
	}
});
