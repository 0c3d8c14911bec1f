import type { SearchResult } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpFixture, startMcpFixture } from "../mcp/test-support/mcp-fixture";
import { waitUntilIndexed } from "../test-support/tenant";

interface Limits {
	readonly top_k?: number;
	readonly min_score?: number;
	readonly filter?: Readonly<Record<string, string>>;
}

const QUESTION = "When does the ferry leave the harbour?";
const TEXTS = [
	["The ferry leaves the harbour at nine.", "north"],
	["When the ferry is late, the harbour office knows.", "north"],
	["The harbour was built in 1900.", "south"],
	["A ferry needs a licence.", "south"],
] as const;

let scored: McpFixture;
let unscored: McpFixture;
const bases = new Map<McpFixture, string>();

beforeAll(async () => {
	scored = await startMcpFixture(built);
	unscored = await startMcpFixture(built, { chat: "extractive" });
	for (const fixture of [scored, unscored]) {
		const { send } = fixture.mine;
		const { body } = await send("POST", "/v1/knowledge-bases", { json: { name: "Harbour" } });
		const { id } = body as { readonly id: string };
		for (const [text, side] of TEXTS)
			await send("POST", `/v1/knowledge-bases/${id}/documents`, { json: { text, metadata: { side } } });
		await waitUntilIndexed(send, id);
		bases.set(fixture, id);
	}
});
afterAll(async () => {
	await scored?.close();
	await unscored?.close();
});

const base = (fixture: McpFixture): string => bases.get(fixture) ?? "";
const textsOf = ({ passages }: Pick<SearchResult, "passages">): string[] => passages.map(({ text }) => text);

async function post(fixture: McpFixture, path: string, json: object): Promise<unknown> {
	return (await fixture.mine.send("POST", path, { json: { ...json, knowledge_base_ids: [base(fixture)] } }))
		.body;
}

const viaTool = async (fixture: McpFixture, tool: string, input: object): Promise<Record<string, unknown>> =>
	fixture.call(tool, { ...input, knowledge_base_ids: [base(fixture)] });

/** Runs a graph whose knowledge node has these limits. */
async function run(
	fixture: McpFixture,
	{ top_k, min_score, filter }: Limits,
): Promise<Record<string, unknown>> {
	const graph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{
				id: "harbour",
				kind: "knowledge",
				knowledgeBases: [base(fixture)],
				...(top_k !== undefined && { topK: top_k }),
				...(min_score !== undefined && { minScore: min_score }),
				...(filter !== undefined && { filter }),
			},
		],
		edges: [{ from: "desk", to: "harbour", mode: "before" }],
	};
	const slug = `desk-${Math.random().toString(36).slice(2)}`;
	await fixture.mine.send("POST", "/v1/agents", { json: { slug, graph } });
	const { body } = await fixture.mine.send("POST", `/v1/agents/${slug}/run`, { json: { input: QUESTION } });
	return body as Record<string, unknown>;
}

/** The texts that the model was given last. */
function readGivenTexts({ vendor }: McpFixture): string[] {
	const body = JSON.stringify(vendor.requests.at(-1)?.body);
	const line = /\{\\"query\\".*?\\"passages\\":\[.*?\]\}(?=\\n)/.exec(body)?.[0] ?? "";
	const data: unknown = JSON.parse(JSON.parse(`"${line}"`));
	return textsOf(data as SearchResult);
}

describe("limits of passages mean the same in a search, an answer, a tool and a run", () => {
	it.each<Limits>([
		{ min_score: 0 },
		{ min_score: 0.5 },
		{ min_score: 0.5, top_k: 1 },
		{ min_score: 0.25, top_k: 2 },
	])("%j", async (limits) => {
		const found = textsOf((await post(scored, "/v1/search", { query: QUESTION, ...limits })) as SearchResult);
		expect(found.length).toBeGreaterThan(0);
		expect(found.length).toBeLessThanOrEqual(limits.top_k ?? 8);
		const asked = await post(scored, "/v1/ask", { question: QUESTION, ...limits });
		expect(textsOf(asked as SearchResult)).toEqual(found);
		const searched = await viaTool(scored, "search", { query: QUESTION, ...limits });
		expect(textsOf(searched.structuredContent as SearchResult)).toEqual(found);
		const answered = await viaTool(scored, "ask", { question: QUESTION, ...limits });
		expect(textsOf(answered.structuredContent as SearchResult)).toEqual(found);
		await run(scored, limits);
		expect(readGivenTexts(scored)).toEqual(found);
	});

	it("of a filter: other documents are not searched", async () => {
		const filter = { side: "south" };
		const limits = { filter, min_score: 0 };
		const found = textsOf((await post(scored, "/v1/search", { query: QUESTION, ...limits })) as SearchResult);
		expect(found.sort()).toEqual([TEXTS[3][0], TEXTS[2][0]]);
		for (const way of [
			await post(scored, "/v1/ask", { question: QUESTION, ...limits }),
			(await viaTool(scored, "search", { query: QUESTION, ...limits })).structuredContent,
			(await viaTool(scored, "ask", { question: QUESTION, ...limits })).structuredContent,
		])
			expect(textsOf(way as SearchResult).sort()).toEqual(found);
		await run(scored, limits);
		expect(readGivenTexts(scored).sort()).toEqual(found);
	});

	it("and where nothing scores, a minimum score is refused in each", async () => {
		const limits = { min_score: 0.5 };
		const code = "min_score_unavailable";
		expect(await post(unscored, "/v1/search", { query: QUESTION, ...limits })).toMatchObject({
			error: { code },
		});
		expect(await post(unscored, "/v1/ask", { question: QUESTION, ...limits })).toMatchObject({
			error: { code },
		});
		for (const [tool, field] of [
			["search", "query"],
			["ask", "question"],
		] as const) {
			const result = await viaTool(unscored, tool, { [field]: QUESTION, ...limits });
			expect(result.isError).toBe(true);
			expect(JSON.stringify(result.content)).toContain(code);
		}
		expect(await run(unscored, limits)).toMatchObject({ status: "failed", error: { code } });
	});
});
