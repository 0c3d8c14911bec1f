import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { getToken, startTestService, type TestService } from "../../http/test-support/test-service";

let vendor: OpenAiSimulator;
let service: TestService;
let first: string;
let second: string;

beforeAll(async () => {
	vendor = await startOpenAiSimulator();
	service = await startTestService({
		providers: {
			main: { provider: "openai-compatible", base_url: vendor.baseUrl, default_model: "gpt-test" },
		},
		chat: "main",
	});
});
afterAll(async () => {
	await service.end();
	await vendor.close();
});

async function createKnowledgeBase(
	json: { name: string; llm_provider?: string },
	text: string,
): Promise<string> {
	const { id } = (await service.send("/v1/knowledge-bases", { json })).body;
	await service.send(`/v1/knowledge-bases/${id}/documents`, { json: { text } });
	await vi.waitFor(async () => {
		const { body } = await service.send(`/v1/knowledge-bases/${id}`);
		expect(body.documents.ready).toBe(1);
	}, 30_000);
	return id;
}

const question = "When does the office open?";
const ask = (more: object = {}, credential?: string) =>
	service.send("/v1/ask", { json: { question, ...more }, ...(credential && { credential }) });
const search = (more: object = {}, credential?: string) =>
	service.send("/v1/search", { json: { query: question, ...more }, ...(credential && { credential }) });

const basesOf = ({ body }: { body: { passages: { knowledge_base_id: string }[] } }) =>
	body.passages.map(({ knowledge_base_id }) => knowledge_base_id).sort();
const payersOf = ({ body }: { body: { receipt: { payer: string }[] } }) => [
	...new Set(body.receipt.map(({ payer }) => payer)),
];

describe("a question that names no knowledge base", () => {
	it("has nowhere to go where there is none", async () => {
		for (const { status, body } of [await ask(), await search(), await ask({ stream: true })])
			expect([status, body.error.code]).toEqual([404, "no_knowledge_bases"]);
	});

	it("goes to the only one, whose model settings apply", async () => {
		const json = { name: "Office", llm_provider: "extractive" };
		first = await createKnowledgeBase(json, "The office opens at nine.");
		const answered = await ask();
		expect([answered.status, basesOf(answered), payersOf(answered)]).toEqual([200, [first], ["none"]]);
		expect(answered.body.citations[0].text).toContain("nine");
		expect(basesOf(await search())).toEqual([first]);
		expect(answered.body).not.toHaveProperty("more_knowledge_bases");
	});

	it("goes to all that the caller may read, and then none of them decides", async () => {
		second = await createKnowledgeBase({ name: "Branch" }, "The branch office opens at ten.");
		const bases = [first, second].sort();
		const answered = await ask();
		expect([answered.status, basesOf(answered), payersOf(answered)]).toEqual([200, bases, ["deployment"]]);
		expect(basesOf(await search())).toEqual(bases);
		expect(basesOf(await search({ knowledge_base_ids: [second] }))).toEqual([second]);
	});

	it("goes to those of a client key, and no further", async () => {
		const made = await service.send("/v1/client-keys", {
			json: { name: "page", native: true, knowledge_base_ids: [first] },
		});
		const answered = await ask({}, made.body.client_key);
		expect([answered.status, basesOf(answered)]).toEqual([200, [first]]);
		expect(basesOf(await search({}, made.body.client_key))).toEqual([first]);
		const none = await service.send("/v1/client-keys", {
			json: { name: "none", native: true, knowledge_base_ids: [] },
		});
		expect((await search({}, none.body.client_key)).body.error.code).toBe("no_knowledge_bases");
	});

	it("is not asked of an empty list", async () => {
		expect((await search({ knowledge_base_ids: [] })).body.error.code).toBe("invalid_request");
	});

	it("is the same question with a token that may only ask", async () => {
		const token = await getToken(service.current(), service.credentials, "ask");
		expect(basesOf(await ask({}, token))).toEqual([first, second].sort());
	});
});

describe("messages", () => {
	const image = { type: "image_url", image_url: { url: "https://a.example/b.png" } };
	const hi = { type: "text", text: "When does the office open?" };

	beforeAll(async () => {
		const graph = { nodes: [{ id: "desk", kind: "coordinator" }] };
		await service.send("/v1/agents", { json: { slug: "desk", graph } });
	});

	it("of text parts are taken by runs and by questions", async () => {
		const messages = [{ role: "user", content: [hi] }];
		const run = await service.send("/v1/agents/desk/run", { json: { input: { messages } } });
		expect(run.body.status).toBe("completed");
		expect(vendor.requests.at(-1)?.body).toMatchObject({ messages: [{ role: "user", content: hi.text }] });
		expect((await ask({ history: messages })).status).toBe(200);
	});

	it.each([
		["a system role", { role: "system", content: "Be brief." }, "input.messages[0].role"],
		["a picture", { role: "user", content: [hi, image] }, "input.messages[0].content[1]"],
	])("with %s start no run", async (_, message, param) => {
		const before = (await service.send("/v1/runs")).body.data.length;
		const { status, body } = await service.send("/v1/agents/desk/run", {
			json: { input: { messages: [message] } },
		});
		expect({ status, ...body.error }).toMatchObject({ status: 400, code: "invalid_request", param });
		expect((await service.send("/v1/runs")).body.data).toHaveLength(before);
	});

	it("with a picture are named in the history of a question", async () => {
		const { status, body } = await ask({ history: [{ role: "user", content: [hi, image] }] });
		expect({ status, ...body.error }).toMatchObject({ status: 400, param: "history[0].content[1].type" });
	});
});
