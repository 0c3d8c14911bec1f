import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpFixture, startMcpFixture } from "../mcp/test-support/mcp-fixture";
import { ERAS } from "../mcp/test-support/mcp-requests";
import { isAboutOneInstance } from "../test-support/alternating-service";
import {
	getBody,
	listPrivateValues,
	SHARED_SOURCE,
	SHARED_WORD,
	waitUntilIndexed,
} from "../test-support/tenant";

let fixture: McpFixture;
/** A second knowledge base of mine, with a document of many passages. */
let long: { readonly base: string; readonly document: string };

beforeAll(async () => {
	fixture = await startMcpFixture(built);
	const { send } = fixture.mine;
	const { id: base } = await getBody<{ id: string }>(
		send("POST", "/v1/knowledge-bases", { json: { name: "Long", llm_model: "gpt-test" } }),
	);
	const sections = Array.from(
		{ length: 250 },
		(_, n) => `## Part ${n}\n\n${`Word${n} `.repeat(120).trim()}.`,
	);
	const json = { text: `# Long\n\n${sections.join("\n\n")}`, source: "https://docs.example/long#top" };
	const { data } = await getBody<{ data: readonly { id: string }[] }>(
		send("POST", `/v1/knowledge-bases/${base}/documents`, { json }),
	);
	await waitUntilIndexed(send, base);
	long = { base, document: data[0]?.id ?? "" };
});
afterAll(() => fixture?.close());

const question = `When does the ${SHARED_WORD} open?`;
const ALL = ["search", "fetch", "ask", "list_knowledge_bases", "list_documents"];

interface ListedTool {
	readonly name: string;
	readonly outputSchema: object;
}

async function listTools(request: object = {}): Promise<readonly ListedTool[]> {
	const { messages } = await fixture.send({ method: "tools/list", ...request });
	return messages[0].result.tools;
}

const namesOfTools = async (request: object): Promise<readonly string[]> =>
	(await listTools(request)).map(({ name }) => name);

/** What a good result has, as the tool has said. */
async function expectAsDeclared(name: string, result: { content: unknown; structuredContent: object }) {
	const { outputSchema } = (await listTools()).find((tool) => tool.name === name) ?? { outputSchema: false };
	const validate = new AjvJsonSchemaValidator().getValidator(outputSchema as object);
	expect(validate(result.structuredContent)).toMatchObject({ valid: true });
	expect(result.content).toEqual([{ type: "text", text: JSON.stringify(result.structuredContent) }]);
}

describe.each(ERAS)("in the era of %s", (era) => {
	const call = (name: string, input: object) => fixture.call(name, input, { era });

	it("lists the tools in one order, with all that a client needs to know", async () => {
		const tools = await listTools({ era });
		expect(tools.map(({ name }) => name)).toEqual(ALL);
		for (const tool of tools)
			expect(tool).toMatchObject({
				title: expect.any(String),
				description: expect.stringMatching(/.{80}/),
				inputSchema: { type: "object", additionalProperties: false },
				outputSchema: { type: "object" },
				annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
			});
		expect(await listTools({ era })).toEqual(tools);
	});

	it("search finds what the API finds, and says it as connectors expect", async () => {
		const result = await call("search", { query: `${SHARED_WORD} opens`, top_k: 1 });
		const { knowledgeBase, send } = fixture.mine;
		const json = { query: `${SHARED_WORD} opens`, knowledge_base_ids: [knowledgeBase, long.base], top_k: 1 };
		const { passages } = await getBody<{ passages: readonly object[] }>(send("POST", "/v1/search", { json }));
		expect(result.structuredContent.passages).toEqual(passages);
		expect(result.structuredContent).toMatchObject({
			results: [{ id: result.structuredContent.passages[0].passage_id, title: "aardvark", url: "" }],
			knowledge_base_ids: [knowledgeBase, long.base],
			more_knowledge_bases: false,
		});
		await expectAsDeclared("search", result);
	});

	it("fetch gives a passage and its document", async () => {
		const { passages } = (await call("search", { query: SHARED_WORD })).structuredContent;
		const [{ passage_id, document_id, text }] = passages;
		const passage = await call("fetch", { id: passage_id });
		expect(passage.structuredContent).toMatchObject({
			id: passage_id,
			document_id,
			text,
			url: "",
			next: null,
		});
		await expectAsDeclared("fetch", passage);
		const document = await call("fetch", { id: document_id });
		expect(document.structuredContent).toMatchObject({
			id: document_id,
			title: "aardvark",
			source: SHARED_SOURCE,
			metadata: {},
			text: expect.stringContaining(text),
		});
		await expectAsDeclared("fetch", document);
	});

	it("ask answers with citations and the bill, and tells how far it is", async () => {
		const { messages } = await fixture.send({
			era,
			method: "tools/call",
			params: { name: "ask", arguments: { question }, _meta: { progressToken: "p" } },
		});
		const { result } = messages.at(-1);
		expect(result.structuredContent).toMatchObject({
			answer: expect.stringContaining("[1]"),
			citations: [{ n: 1, title: "aardvark" }],
			receipt: expect.arrayContaining([expect.objectContaining({ stage: "answer", payer: "deployment" })]),
		});
		await expectAsDeclared("ask", result);
		const steps = messages.slice(0, -1);
		expect(steps.map(({ params }) => params.progress)).toEqual(steps.map((_, index) => index + 1));
		expect(steps).toMatchObject([
			{ method: "notifications/progress", params: { progressToken: "p" } },
			{ params: { message: "Found 1 passage; answering." } },
		]);
	});

	it("lists knowledge bases and documents as the API does, page by page", async () => {
		const { send, knowledgeBase } = fixture.mine;
		const first = await call("list_knowledge_bases", { limit: 1 });
		expect(first.structuredContent).toEqual(await getBody(send("GET", "/v1/knowledge-bases?limit=1")));
		expect(first.structuredContent).toMatchObject({ has_more: true, next: knowledgeBase });
		const { next } = first.structuredContent;
		const second = await call("list_knowledge_bases", { after: next });
		expect(second.structuredContent).toMatchObject({
			data: [{ id: long.base }],
			has_more: false,
			next: null,
		});
		await expectAsDeclared("list_knowledge_bases", second);
		const documents = await call("list_documents", { knowledge_base_id: knowledgeBase });
		const path = `/v1/knowledge-bases/${knowledgeBase}/documents`;
		expect(documents.structuredContent).toEqual(await getBody(send("GET", path)));
		await expectAsDeclared("list_documents", documents);
	});

	it("a tool that is not there is an error of the protocol", async () => {
		const { messages } = await fixture.send({ era, method: "tools/call", params: { name: "delete_all" } });
		expect(messages[0].error.code).toBe(-32602);
	});

	it.each([
		["an unknown argument", "search", { query: "a", knowledge_base_id: "kb" }, "unknown_field"],
		["two wrong arguments", "search", { query: "", top_k: 0 }, "invalid_request"],
		["no arguments", "ask", undefined, "invalid_request"],
		[
			"a knowledge base that is not there",
			"search",
			{ query: "a", knowledge_base_ids: ["kb_x"] },
			"knowledge_base_not_found",
		],
		["no id at all", "fetch", { id: "../secrets" }, "text_not_found"],
		["a passage that is not there", "fetch", { id: "psg_01m806pqhveagtxvqdwceqba28_1" }, "text_not_found"],
		[
			"a page of another form",
			"list_documents",
			{ knowledge_base_id: "kb_x", after: "%" },
			"invalid_request",
		],
	])("%s is a result that says what to do", async (_, name, input, code) => {
		const result = await fixture.call(name, input as object, { era });
		expect(result).toMatchObject({ isError: true, _meta: { "stemma/error": { code } } });
		expect(result.structuredContent).toBeUndefined();
		const { message, hint = "", details } = result._meta["stemma/error"];
		const [{ text }] = result.content;
		for (const part of [message, hint, code]) expect(text).toContain(part);
		for (const issue of details?.issues ?? []) expect(text).toContain(issue.message);
		expect(text).not.toMatch(/ at .*:\d+|GET \/v1/);
	});
});

it("gives a long document in parts, which hold all of it", async () => {
	const { structuredContent: document } = await fixture.call("fetch", { id: long.document });
	expect(document.text.length).toBeLessThan(105_000);
	expect(document.url).toBe("https://docs.example/long#top");
	expect(document.text.slice(0, 20)).toBe("Part 0\n\nWord0 Word0 ");
	const given: string[] = document.text.match(/Part \d+/g);
	expect(given).toEqual(given.map((_, n) => `Part ${n}`));
	const { structuredContent: next } = await fixture.call("fetch", { id: document.next });
	expect(next.place.heading).toBe(`Part ${given.length}`);
	const beyond = await fixture.call("fetch", {
		id: document.next.replace(/\d+$/, document.passage_count + 1),
	});
	expect(beyond._meta["stemma/error"].code).toBe("text_not_found");
});

describe("what a credential sees", () => {
	it.each([
		["ask", ["search", "fetch", "ask", "list_knowledge_bases"]],
		["knowledge:read", ["search", "fetch", "list_knowledge_bases", "list_documents"]],
		["ask knowledge:read", ALL],
	])("with %s: %j", async (scope, names) => {
		const token = await getToken(scope);
		for (const era of ERAS) expect(await namesOfTools({ era, token })).toEqual(names);
	});

	it.each([
		["knowledge:read", "ask", "ask"],
		["ask", "list_documents", "knowledge:read"],
		["keys:write", "search", "ask knowledge:read"],
	])("with %s it is told of %s which scope it lacks", async (scope, name, lacking) => {
		for (const era of ERAS) {
			const token = await getToken(scope);
			const { status, headers } = await fixture.send({ era, token, method: "tools/call", params: { name } });
			expect(status).toBe(403);
			expect(headers.get("www-authenticate")).toBe(
				`Bearer error="insufficient_scope", scope="${lacking}", resource_metadata="${fixture.url}/.well-known/oauth-protected-resource/mcp"`,
			);
		}
	});

	it("without knowledge:read no models", async () => {
		const read = await fixture.call("list_knowledge_bases", {});
		expect(read.structuredContent.data[1].llm_model).toBe("gpt-test");
		const asked = await fixture.call("list_knowledge_bases", {}, { token: await getToken("ask") });
		expect(asked.structuredContent.data[1]).toMatchObject({ id: long.base, llm_model: null });
	});

	it("is told that there is nothing, where there is nothing", async () => {
		const { token } = await fixture.deployment.addWorkspace("empty");
		for (const [name, input] of [
			["search", { query: "a" }],
			["ask", { question }],
		] as const) {
			const result = await fixture.call(name, input, { token });
			expect(result._meta["stemma/error"].code).toBe("no_knowledge_bases");
		}
	});
});

const getToken = async (scope: string): Promise<string> => {
	const { client_id, client_secret } = fixture.mine.credentials;
	const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret, scope });
	return (
		await getBody<{ access_token: string }>(fixture.mine.send("POST", "/oauth/token", { form, token: null }))
	).access_token;
};

describe("what is theirs", () => {
	it("is not there for me, whatever I ask", async () => {
		const { theirs, mine } = fixture;
		const passage = `psg_${theirs.document.slice("doc_".length)}_1`;
		const named = { knowledge_base_ids: [theirs.knowledgeBase] };
		const mixed = { knowledge_base_ids: [mine.knowledgeBase, theirs.knowledgeBase] };
		for (const [name, input] of [
			["search", { query: SHARED_WORD, ...named }],
			["search", { query: SHARED_WORD, ...mixed }],
			["ask", { question, ...named }],
			["fetch", { id: theirs.document }],
			["fetch", { id: passage }],
			["list_documents", { knowledge_base_id: theirs.knowledgeBase }],
		] as const) {
			const { isError, _meta } = await fixture.call(name, input);
			expect(isError).toBe(true);
			expect(_meta["stemma/error"].code).toMatch(/_not_found$/);
		}
	});

	it("is in none of my answers", async () => {
		const answers = [
			await fixture.call("search", { query: `${SHARED_WORD} zebrafish`, top_k: 100 }),
			await fixture.call("ask", { question }),
			await fixture.call("list_knowledge_bases", {}),
			await fixture.call("list_knowledge_bases", { after: fixture.theirs.knowledgeBase }),
			await fixture.call("list_documents", { knowledge_base_id: fixture.mine.knowledgeBase }),
		];
		const text = JSON.stringify(answers);
		expect(text).toContain("aardvark");
		for (const name of listPrivateValues(fixture.theirs)) expect(text).not.toContain(name);
	});
});

describe("a client key", () => {
	it("looks only where it may, and is told of nothing else", async () => {
		const token = await fixture.makeKey({ knowledge_base_ids: [long.base], requests_per_minute: 1000 });
		expect(await namesOfTools({ token })).toEqual(["search", "fetch", "ask", "list_knowledge_bases"]);
		const found = await fixture.call("search", { query: `${SHARED_WORD} Word7` }, { token });
		expect(found.structuredContent.knowledge_base_ids).toEqual([long.base]);
		expect(JSON.stringify(found)).not.toContain("aardvark");
		const listed = await fixture.call("list_knowledge_bases", {}, { token });
		expect(listed.structuredContent.data.map(({ id }: { id: string }) => id)).toEqual([long.base]);
		for (const [name, input] of [
			["search", { query: SHARED_WORD, knowledge_base_ids: [fixture.mine.knowledgeBase] }],
			["ask", { question, knowledge_base_ids: [fixture.mine.knowledgeBase] }],
			["fetch", { id: fixture.mine.document }],
			["fetch", { id: `psg_${fixture.mine.document.slice(4)}_1` }],
		] as const)
			expect((await fixture.call(name, input, { token }))._meta["stemma/error"].code).toMatch(/_not_found$/);
	});

	it("sees neither the bill nor whose model has failed", async () => {
		const token = await fixture.makeKey({});
		const { structuredContent } = await fixture.call("ask", { question }, { token });
		expect([structuredContent.receipt, structuredContent.usage.model_calls > 0]).toEqual([[], true]);
		fixture.vendor.enqueue({ kind: "failure", status: 401 });
		const failed = await fixture.call("ask", { question }, { token });
		expect(failed.isError).toBe(true);
		expect(JSON.stringify(failed)).toContain("The model that answers has failed.");
		expect(JSON.stringify(failed)).not.toContain("127.0.0.1");
	});

	it("pays from its budget, and is told when that is used up", async () => {
		const token = await fixture.makeKey({ tokens_per_day: 10 });
		const { _meta, content } = await fixture.call("ask", { question }, { token });
		expect(_meta["stemma/error"]).toMatchObject({
			code: "budget_exhausted",
			retry_after_seconds: expect.any(Number),
		});
		expect(content[0].text).toMatch(/Wait \d+ s before/);
	});

	it.skipIf(isAboutOneInstance("rates are exchanged after a moment"))(
		"spends a request of its rate on each message of a batch",
		async () => {
			const limits = { requests_per_minute: 5 };
			const token = await fixture.makeKey(limits);
			const message = {
				jsonrpc: "2.0",
				method: "tools/call",
				params: { name: "search", arguments: { query: "a" } },
			};
			const sendBatch = (count: number, key = token) =>
				fetch(`${fixture.url}/mcp`, {
					method: "POST",
					headers: {
						authorization: `Bearer ${key}`,
						"content-type": "application/json",
						accept: "application/json, text/event-stream",
					},
					body: JSON.stringify(Array.from({ length: count }, (_, id) => ({ ...message, id }))),
				});
			expect((await sendBatch(3)).status).toBe(200);
			expect((await sendBatch(3)).status).toBe(429);
			const endless = await sendBatch(6, await fixture.makeKey(limits));
			expect([endless.status, endless.headers.get("retry-after")]).toEqual([400, null]);
			expect((await endless.json()).error).toMatchObject({
				code: "batch_too_large",
				hint: expect.stringContaining("send at most 5 in a batch"),
			});
		},
	);
});
