import type { RunResult } from "@stemma/core";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getBody, waitUntilIndexed } from "../test-support/tenant";
import {
	type GraphFixture,
	startGraphFixture,
	toGraphAsking,
	toGraphWith,
} from "./test-support/graph-fixture";

const CONCURRENT_RUNS = 12;

let fixture: GraphFixture;
beforeAll(async () => {
	fixture = await startGraphFixture(built, { limits: { concurrent_runs: CONCURRENT_RUNS } });
});
afterAll(() => fixture?.close());

const DESK = { nodes: [{ id: "clerk", kind: "coordinator" }] };

/** How often each thing was paid for in the workspace, as it is kept. */
async function readUsage(): Promise<{ calls: number; tokens: number }> {
	const path = "/v1/usage";
	const { data } = await getBody<{ data: { calls: number; input_tokens: number; output_tokens: number }[] }>(
		fixture.send("GET", path),
	);
	return data.reduce(
		(sum, row) => ({
			calls: sum.calls + row.calls,
			tokens: sum.tokens + row.input_tokens + row.output_tokens,
		}),
		{ calls: 0, tokens: 0 },
	);
}

const tokensOf = ({ receipt }: RunResult): number =>
	receipt.reduce((sum, { input_tokens, output_tokens }) => sum + input_tokens + output_tokens, 0);

describe("a run within a run", () => {
	it("is one of its own in the list, and each call is counted once, with its run and the path to its node", async () => {
		await fixture.save("inner", DESK);
		await fixture.save("middle", toGraphAsking("inner"));
		await fixture.save("outer", toGraphAsking("middle"));
		const before = await readUsage();
		const result = await fixture.run("outer", "Hello?");
		expect(result).toMatchObject({ status: "completed", output: "Done." });
		const [inner, middle, outer] = await fixture.runs();
		expect([inner, middle, outer].map((run) => run?.agent_slug)).toEqual(["inner", "middle", "outer"]);
		expect(new Set((await fixture.runs()).map(({ status }) => status))).toEqual(new Set(["completed"]));
		const rows = result.receipt.map(({ run_id, node }) => [run_id ?? result.run_id, node]);
		expect(new Set(rows.map((row) => row.join(" ")))).toEqual(
			new Set([`${inner?.id} legal/legal/clerk`, `${middle?.id} legal/desk`, `${outer?.id} desk`]),
		);
		expect(rows).toHaveLength(3);
		const after = await readUsage();
		expect(after.calls - before.calls).toBe(3);
		expect(after.tokens - before.tokens).toBe(tokensOf(result));
		expect(result.usage.input_tokens + result.usage.output_tokens).toBe(tokensOf(result));
		expect(result.usage.model_calls).toBe(3);
	});

	it("streams its text as that of the outer one", async () => {
		await fixture.save("inner", DESK);
		await fixture.save("outer", {
			...toGraphAsking("inner"),
			edges: [{ from: "desk", to: "legal", mode: "then" }],
		});
		const text = "One two three four five six seven.";
		fixture.vendor.enqueue({ kind: "reply", text: "Ask." }, { kind: "reply", text, pauseMs: 15 });
		const { run_id, output } = await fixture.run("outer", "Hello?");
		expect(output).toBe(text);
		const deltas = (await fixture.events(run_id)).flatMap((event) =>
			event.type === "text.delta" && event.final ? [event] : [],
		);
		expect(deltas.map((delta) => delta.text).join("")).toBe(text);
		expect(deltas.length).toBeGreaterThan(2);
	});

	it("gets the context, and takes that of a client key as data", async () => {
		await fixture.save("inner", {
			nodes: [{ id: "clerk", kind: "coordinator", instructions: "For {{context.customer}}." }],
		});
		await fixture.save("outer", toGraphAsking("inner"));
		const context = { customer: "Ada-Lovelace" };
		const token = await fixture.makeKey();
		for (const [request, isTrusted] of [
			[{}, true],
			[{ token }, false],
		] as const) {
			const requestCount = fixture.vendor.requests.length;
			expect((await fixture.run("outer", "Hello?", { ...request, context })).status).toBe("completed");
			const messages = fixture.vendor.requests.slice(requestCount)[0]?.body?.messages as readonly {
				role: string;
				content: string;
			}[];
			const [system, ...rest] = messages;
			expect(system?.content.includes("Ada-Lovelace")).toBe(isTrusted);
			expect(JSON.stringify(rest).includes("Ada-Lovelace")).toBe(!isTrusted);
		}
	});
});

describe("an agent that leads to itself", () => {
	it.each([
		[{}, 9],
		[{ "stemma-depth": "6" }, 3],
	])("ends with agent_loop, and so do all its runs: %j", async (headers, count) => {
		const slug = `loop-${count}`;
		await fixture.save(slug, toGraphAsking(slug));
		const result = await fixture.run(slug, "Hello?", { headers });
		expect(result).toMatchObject({ status: "failed", error: { code: "agent_loop" } });
		const runs = await fixture.runs(slug);
		expect(runs.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => "failed"));
	});

	it("ends the same way where the circle has two", async () => {
		await fixture.save("ping", toGraphAsking("pong"));
		await fixture.save("pong", toGraphAsking("ping"));
		expect(await fixture.run("ping", "Hello?")).toMatchObject({ error: { code: "agent_loop" } });
	});
});

describe("an inner run that gives nothing", () => {
	it("fails the node with its own error, and what it has spent is counted", async () => {
		await fixture.save("inner", {
			nodes: [
				{ id: "clerk", kind: "coordinator" },
				{ id: "judge", kind: "agent" },
			],
			edges: [{ from: "clerk", to: "judge", mode: "then" }],
		});
		await fixture.save("outer", toGraphAsking("inner"));
		fixture.vendor.enqueue({ kind: "reply", text: "To the judge." }, { kind: "failure", status: 401 });
		const before = await readUsage();
		const result = await fixture.run("outer", "Hello?");
		const [inner] = await fixture.runs("inner");
		expect(result).toMatchObject({ status: "failed", error: { code: "invalid_credential" } });
		expect(result.receipt[0]).toMatchObject({ run_id: inner?.id, node: "legal/clerk" });
		expect(result.receipt[0]?.output_tokens).toBeGreaterThan(0);
		expect((await readUsage()).tokens - before.tokens).toBe(tokensOf(result));
	});

	it("says so where the agent was deleted, or never was", async () => {
		await fixture.save("gone", DESK);
		await fixture.save("outer", toGraphAsking("gone"));
		await getBody(fixture.send("DELETE", "/v1/agents/gone"));
		const { status, error } = await fixture.run("outer", "Hello?");
		expect({ status, code: error?.code }).toEqual({ status: "failed", code: "agent_not_found" });
		expect(error?.message).toContain('"gone"');
	});

	it("says so where somebody has cancelled it", async () => {
		await fixture.save("inner", DESK);
		await fixture.save("outer", toGraphAsking("inner"));
		const { runId, inner } = await startSilent("outer");
		await fixture.cancel(inner);
		expect((await fixture.waitUntilEnded(runId)).result).toMatchObject({
			status: "failed",
			error: { code: "remote_cancelled" },
		});
	});
});

/** Starts a run whose first question to the model stays without an answer. */
async function startSilent(slug: string) {
	const requestCount = fixture.vendor.requests.length;
	fixture.vendor.enqueue({ kind: "silence" });
	const runId = await fixture.start(slug, "Hello?");
	await expect.poll(() => fixture.vendor.requests[requestCount]?.body, { interval: 5 }).toBeDefined();
	const isGone = (): boolean => fixture.vendor.requests[requestCount]?.isAborted === true;
	return { runId, inner: (await fixture.runs("inner"))[0]?.id ?? "", isGone };
}

describe("cancelling an outer run", () => {
	it("cancels what it has started, at any depth, and the call of the model", async () => {
		await fixture.save("inner", DESK);
		await fixture.save("middle", toGraphAsking("inner"));
		await fixture.save("outer", toGraphAsking("middle"));
		const { runId, inner, isGone } = await startSilent("outer");
		await fixture.cancel(runId);
		await expect.poll(isGone, { interval: 5 }).toBe(true);
		expect((await fixture.waitUntilEnded(inner)).status).toBe("cancelled");
		for (const slug of ["middle", "outer"])
			expect((await fixture.waitUntilEnded((await fixture.runs(slug))[0]?.id ?? "")).status).toBe(
				"cancelled",
			);
	});

	it("ends it also where the inner run takes no notice of the time", async () => {
		await fixture.save("inner", DESK);
		// Long enough for the inner run to start, however busy the machine is.
		await fixture.save("outer", { ...toGraphAsking("inner"), limits: { timeoutMs: 4000 } });
		fixture.vendor.enqueue({ kind: "silence" });
		expect(await fixture.run("outer", "Hello?")).toMatchObject({ error: { code: "timeout" } });
		expect((await fixture.waitUntilEnded((await fixture.runs("inner"))[0]?.id ?? "")).status).toBe(
			"cancelled",
		);
	});
});

describe("a client key", () => {
	let books: string;
	let ledgers: string;
	beforeAll(async () => {
		[books, ledgers] = (await Promise.all(["Books", "Ledgers"].map(addKnowledgeBase))) as [string, string];
	});

	async function addKnowledgeBase(name: string): Promise<string> {
		const { id } = await getBody<{ id: string }>(
			fixture.send("POST", "/v1/knowledge-bases", { json: { name } }),
		);
		const json = { text: `# ${name}\n\nThe ${name} say that the harbour opens at nine.` };
		await getBody(fixture.send("POST", `/v1/knowledge-bases/${id}/documents`, { json }));
		await waitUntilIndexed(fixture.send, id);
		return id;
	}

	const reading = (knowledgeBase: string): object =>
		toGraphWith({ id: "books", kind: "knowledge", knowledgeBases: [knowledgeBase] });

	it("may go along the edges of its agents, and not elsewhere", async () => {
		await fixture.save("reader", reading(books));
		await fixture.save("front", toGraphAsking("reader"));
		const token = await fixture.makeKey({ agents: ["front"], knowledge_base_ids: [books] });
		const { run_id, status, receipt } = await fixture.run("front", "When does the harbour open?", { token });
		expect({ status, receipt }).toEqual({ status: "completed", receipt: [] });
		const direct = await fixture.send("POST", "/v1/agents/reader/run", { token, json: { input: "Hello?" } });
		expect(direct.status).toBe(404);
		// The inner run is not its own to look at.
		const [inner] = await fixture.runs("reader");
		expect((await fixture.send("GET", `/v1/runs/${inner?.id}`, { token })).status).toBe(404);
		expect(inner?.id).not.toBe(run_id);
	});

	it("reads none but its knowledge bases there, and is not told of the others", async () => {
		await fixture.save("reader", reading(ledgers));
		await fixture.save("front", toGraphAsking("reader"));
		const token = await fixture.makeKey({ agents: ["front"], knowledge_base_ids: [books] });
		const before = (await fixture.runs("reader")).length;
		const answer = await fixture.send("POST", "/v1/agents/front/run", {
			token,
			json: { input: "When does the harbour open?" },
		});
		expect(answer.body).toMatchObject({
			status: "failed",
			error: { code: "knowledge_base_not_found", message: "The run failed." },
		});
		expect(answer.text).not.toMatch(new RegExp(`${ledgers}|Ledgers|legal`));
		expect((await fixture.runs("reader")).length).toBe(before);
	});

	it("is not told why an inner agent failed", async () => {
		await fixture.save("reader", DESK);
		await fixture.save("front", toGraphAsking("reader"));
		fixture.vendor.enqueue({ kind: "failure", status: 401, message: "a-hidden-word" });
		const token = await fixture.makeKey();
		const { status, text } = await fixture.send("POST", "/v1/agents/front/run", {
			token,
			json: { input: "Hello?", stream: true },
		});
		expect(status).toBe(200);
		expect(text).toContain("The run failed.");
		expect(text).not.toMatch(/a-hidden-word|legal|reader|clerk|payer|127\.0/);
	});

	it("pays for inner calls from its own budget", async () => {
		await fixture.save("reader", DESK);
		await fixture.save("front", toGraphAsking("reader"));
		const token = await fixture.makeKey({ tokens_per_day: 30_000 });
		const usage = { inputTokens: 20_000, outputTokens: 9990 };
		fixture.vendor.enqueue({ kind: "reply", text: "Much.", usage });
		const result = await fixture.run("front", "Hello?", { token });
		expect(result).toMatchObject({ status: "failed", error: { code: "budget_exhausted" } });
	});
});

describe("when no more runs may be under way", () => {
	it("inner runs are refused at once, nobody waits for anybody, and all is well afterwards", async () => {
		await fixture.save("deep-4", DESK);
		for (const level of [3, 2, 1, 0]) await fixture.save(`deep-${level}`, toGraphAsking(`deep-${level + 1}`));
		const results = await Promise.all(
			Array.from({ length: CONCURRENT_RUNS }, () =>
				fixture.send("POST", "/v1/agents/deep-0/run", { json: { input: "Hello?" } }),
			),
		);
		const codes = results.map(({ body }) => {
			const { status, error } = body as Partial<RunResult>;
			return status === "completed" ? status : error?.code;
		});
		expect(new Set([...codes, "completed", "too_many_runs"])).toEqual(
			new Set(["completed", "too_many_runs"]),
		);
		expect(codes).toContain("too_many_runs");
		await expect
			.poll(async () => (await fixture.runs()).every(({ status }) => status !== "running"), { interval: 20 })
			.toBe(true);
		expect((await fixture.run("deep-0", "Hello?")).status).toBe("completed");
	});

	it("a client key has its share for inner runs, too", async () => {
		await fixture.save("deep-3", DESK);
		for (const level of [2, 1, 0]) await fixture.save(`deep-${level}`, toGraphAsking(`deep-${level + 1}`));
		const token = await fixture.makeKey({ expose: "trace" });
		// A quarter of all: three.
		expect(await fixture.run("deep-0", "Hello?", { token })).toMatchObject({
			status: "failed",
			error: { code: "too_many_runs" },
		});
		expect((await fixture.run("deep-1", "Hello?", { token })).status).toBe("completed");
	});
});
