import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient, type StemmaClient } from "@stemma/client";
import type { AgentGraph, Json, ReceiptRow, RunResult } from "@stemma/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLocalAgent, servicePorts } from "../index";

const row = (node: string): ReceiptRow => ({
	stage: "answer",
	node,
	payer: "workspace",
	provider: "openai-compatible",
	vendor_host: "api.vendor.example",
	model: "large-1",
	input_tokens: 10,
	output_tokens: 5,
	ms: 3,
	attempts: 2,
	reason: "The workspace's own key.",
});

interface NodeModel {
	readonly node: string;
	readonly provider?: string;
	readonly model?: string;
}

const RESOLVE = "/v1/models/resolve";

const resolves: Reply = ({ body }, response) => {
	const nodes = body.nodes as readonly object[] as readonly NodeModel[];
	const data = nodes.map(({ node, provider = "openai-compatible", model = "large-1" }) => ({
		node,
		provider,
		model,
		vendor_host: "api.vendor.example",
		payer: "workspace",
		reason: "The workspace's own key.",
	}));
	sendJson(response, { data });
};

interface ReceivedRequest {
	readonly path: string;
	readonly depth: string | undefined;
	readonly body: { readonly [field: string]: Json };
}

type Reply = (request: ReceivedRequest, response: ServerResponse) => void;

/** A service, as far as these ports reach. */
const service = {
	received: [] as ReceivedRequest[],
	resolve: resolves,
	chat: [] as Reply[],
	search: undefined as Reply | undefined,
	agent: undefined as Reply | undefined,
};
const server = createServer(async (incoming, response) => {
	let text = "";
	for await (const chunk of incoming) text += chunk;
	const path = incoming.url ?? "";
	const depth = incoming.headers["stemma-depth"];
	const received = {
		path,
		depth: String(depth),
		body: text === "" ? {} : JSON.parse(text),
	} as ReceivedRequest;
	service.received.push(received);
	if (path === RESOLVE) service.resolve(received, response);
	else if (path === "/v1/search") service.search?.(received, response);
	else if (path === "/v1/agents/legal/run") service.agent?.(received, response);
	else service.chat.shift()?.(received, response);
});

const sendJson = (response: ServerResponse, body: unknown, status = 200): void =>
	void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

const respondWithError =
	(status: number, code: string): Reply =>
	(_, response) =>
		sendJson(response, { error: { code, message: "It is not to be.", hint: "Do else." } }, status);

/** Streams these chunks, and ends as OpenAI's API does. */
const streams =
	(...chunks: readonly object[]): Reply =>
	(_, response) => {
		response.writeHead(200, { "content-type": "text/event-stream" });
		for (const chunk of chunks)
			response.write(`data: ${JSON.stringify({ id: "c", choices: [], ...chunk })}\n\n`);
		response.end("data: [DONE]\n\n");
	};

const delta = (content: object, finish_reason: string | null = null) => ({
	choices: [{ index: 0, delta: content, finish_reason }],
});

const respondWithText = (node: string, text: string): Reply =>
	streams(...text.split(/(?<= )/).map((content) => delta({ content })), delta({}, "stop"), {
		usage: { prompt_tokens: 10, completion_tokens: 5 },
		stemma: { receipt: [row(node)] },
	});

let client: StemmaClient;
beforeEach(async () => {
	Object.assign(service, { received: [], resolve: resolves, chat: [], search: undefined, agent: undefined });
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	client = createClient({ clientKey: "ck_1_secret", baseUrl: `http://127.0.0.1:${port}`, retryDelayMs: 5 });
});
afterEach(() => {
	server.closeAllConnections();
	return new Promise((resolve) => server.close(resolve));
});

const graph: AgentGraph = {
	nodes: [
		{ id: "desk", kind: "coordinator", instructions: "Be brief." },
		{ id: "faq", kind: "knowledge", knowledgeBases: ["kb_1"], topK: 3 },
	],
	edges: [{ from: "desk", to: "faq", mode: "before" }],
};

const run = (of: AgentGraph, input: Json = "How long?", depth?: number) =>
	createLocalAgent(of, { ports: servicePorts(client, { depth }) }).run({ input });

describe("a run over a service", () => {
	it("searches and answers there, and brings the service's receipt", async () => {
		const passage = {
			passage_id: "psg_1",
			document_id: "doc_1",
			title: "FAQ",
			place: { start: 0, end: 9 },
			text: "Refunds take five days.",
		};
		service.search = (_, response) =>
			sendJson(response, { passages: [passage], receipt: [{ ...row("faq"), stage: "embed" }] });
		service.chat = [respondWithText("desk", "Refunds take five days [1].")];
		const result = await run(graph, "How long?", 4);
		expect(result).toMatchObject({ status: "completed", output: "Refunds take five days [1]." });
		expect(result.citations).toMatchObject([{ n: 1, passage_id: "psg_1", support: "quoted" }]);
		expect(result.receipt).toMatchObject([{ stage: "embed", node: "faq" }, row("desk")]);
		expect(service.received.map(({ path }) => path)).toEqual([RESOLVE, "/v1/search", "/v1/chat/completions"]);
		expect(service.received.map(({ depth }) => depth)).toEqual(["4", "4", "4"]);
		expect(service.received[0]?.body).toEqual({ nodes: [{ node: "desk" }], knowledge_base_ids: ["kb_1"] });
		expect(service.received[1]?.body).toEqual({ query: "How long?", knowledge_base_ids: ["kb_1"], top_k: 3 });
		expect(service.received[2]?.body).toMatchObject({
			model: "default",
			stream: true,
			messages: [
				{ role: "system", content: "Be brief." },
				{ role: "user" },
				{ role: "user", content: "How long?" },
			],
			stream_options: { include_usage: true },
			stemma: {
				run_id: result.run_id,
				node: "desk",
				stage: "answer",
				depth: 0,
				mode: "start",
				knowledge_base_ids: ["kb_1"],
			},
		});
	});

	it("passes minScore on", async () => {
		const strict: AgentGraph = {
			nodes: [
				{ id: "desk", kind: "coordinator", model: { model: "tiny-1", temperature: 0 } },
				{ id: "faq", kind: "knowledge", knowledgeBases: ["kb_1"], minScore: 0.4, filter: { language: "en" } },
				{ id: "law", kind: "knowledge", description: "Law.", knowledgeBases: ["kb_2"] },
			],
			edges: [
				{ from: "desk", to: "faq", mode: "before" },
				{ from: "desk", to: "law" },
			],
		};
		service.search = respondWithError(422, "min_score_unavailable");
		const failed = run(strict);
		await expect(failed).rejects.toMatchObject({ code: "min_score_unavailable", hint: "Do else." });
		expect(service.received.find(({ path }) => path === "/v1/search")?.body).toMatchObject({
			min_score: 0.4,
			filter: { language: "en" },
			stemma: { model: "tiny-1", knowledge_base_ids: ["kb_1", "kb_2"] },
		});
	});

	it("sends the conversation with a search, of long messages beginning and end", async () => {
		service.search = respondWithError(422, "min_score_unavailable");
		const messages = Array.from({ length: 51 }, (_, index) => ({
			role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
			content: index === 49 ? `${"a".repeat(9_000)}z` : `Message ${index}`,
		}));
		await expect(
			createLocalAgent(graph, { ports: servicePorts(client) }).run({ input: { messages } }),
		).rejects.toMatchObject({ code: "min_score_unavailable" });
		const { body } = service.received.find(({ path }) => path === "/v1/search") ?? {};
		expect(body).toMatchObject({ query: "Message 50", stemma: { knowledge_base_ids: ["kb_1"] } });
		const history = body?.history as readonly { readonly role: string; readonly content: string }[];
		expect([history.length, history[0]]).toEqual([20, { role: "user", content: "Message 30" }]);
		expect(history.at(-1)?.content).toMatch(/^a{4000} … a{3999}z$/);
	});

	it("calls, and tells what stands behind each tool", async () => {
		const calling: AgentGraph = {
			nodes: [
				{ id: "desk", kind: "coordinator" },
				{
					id: "aide",
					kind: "agent",
					description: "Knows.",
					model: { provider: "bedrock", model: "tiny-1", temperature: 0.5 },
				},
			],
			edges: [{ from: "desk", to: "aide" }],
		};
		const extra_content = { stemma: { signature: "c2ln" } };
		const call = (index: number, part: object) => delta({ tool_calls: [{ index, ...part }] });
		service.chat = [
			streams(
				call(0, { id: "call_1", function: { name: "aide", arguments: '{"inp' }, extra_content }),
				call(0, { function: { arguments: 'ut":"Days?"}' } }),
				delta({}, "tool_calls"),
			),
			respondWithText("aide", "Five."),
			respondWithText("desk", "Five days."),
		];
		const result = await run(calling);
		expect(result.output).toBe("Five days.");
		const [first, second, third] = service.received.filter(({ path }) => path.endsWith("completions"));
		expect(first?.body).toMatchObject({ tool_choice: "auto", stemma: { tool_kinds: { aide: "agent" } } });
		expect(second?.body).toMatchObject({
			model: "tiny-1",
			temperature: 0.5,
			stemma: { provider: "bedrock", node: "aide", depth: 1, mode: "call" },
		});
		expect(third?.body.messages).toMatchObject([
			{ role: "user" },
			{ role: "assistant", content: null, tool_calls: [{ id: "call_1", type: "function", extra_content }] },
			{ role: "tool", tool_call_id: "call_1" },
		]);
		const requestedModel = service.received.filter(({ path }) => path === RESOLVE);
		expect(requestedModel.map(({ body }) => body.nodes)).toEqual([
			[{ node: "desk" }, { node: "aide", provider: "bedrock", model: "tiny-1" }],
		]);
	});

	it("runs its agents, and brings their receipts", async () => {
		const result = {
			run_id: "run_there",
			status: "completed",
			output: "It is legal.",
			citations: [],
			usage: { input_tokens: 10, output_tokens: 5, model_calls: 1, steps: 2 },
			receipt: [row("judge")],
		};
		service.agent = (_, response) => {
			const event = {
				type: "run.completed",
				run_id: "run_there",
				seq: 1,
				at: "2026-01-01T00:00:00Z",
				result,
			};
			response
				.writeHead(200, { "content-type": "text/event-stream" })
				.end(`data: ${JSON.stringify(event)}\n\n`);
		};
		service.chat = [respondWithText("desk", "Yes.")];
		const withRemoteAgent: AgentGraph = {
			nodes: [
				{ id: "desk", kind: "coordinator" },
				{ id: "legal", kind: "remote", agentId: "legal" },
			],
			edges: [{ from: "desk", to: "legal", mode: "before" }],
		};
		const { receipt } = await run(withRemoteAgent, "May we?", 2);
		expect(receipt).toEqual([{ ...row("legal/judge"), run_id: "run_there" }, row("desk")]);
		const called = service.received.find(({ path }) => path.endsWith("/run"));
		expect(called).toMatchObject({ depth: "2", body: { input: "May we?" } });
		expect(JSON.stringify(service.received.at(-1)?.body.messages)).toContain("It is legal.");
	});

	it("asks for JSON where the graph does", async () => {
		const schema = { type: "object", properties: { n: { type: "integer" } } };
		service.chat = [respondWithText("desk", '{"n":1}')];
		const result = await run({ nodes: [{ id: "desk", kind: "coordinator", output: schema }] });
		expect(result.output).toEqual({ n: 1 });
		expect(service.received.at(-1)?.body).toMatchObject({
			response_format: { type: "json_schema", json_schema: { name: "output", schema } },
		});
	});
});

describe("failures", () => {
	const withoutService: AgentGraph = { nodes: [{ id: "desk", kind: "coordinator" }] };

	it("keep the service's code, message and hint", async () => {
		service.chat = [respondWithError(422, "model_not_allowed")];
		const error = { code: "model_not_allowed", message: "It is not to be.", hint: "Do else." };
		await expect(run(withoutService)).rejects.toMatchObject({ ...error, result: { error } });
	});

	it("also half-way through a stream", async () => {
		service.chat = [
			streams(delta({ content: "Fi" }), { error: { code: "unreachable", message: "No.", hint: "Do." } }),
		];
		await expect(run(withoutService)).rejects.toMatchObject({
			code: "unreachable",
			message: "No.",
			hint: "Do.",
		});
	});

	it("end the run before anything is paid for where the service refuses a node, with all that it refuses", async () => {
		const errors = [{ node: "desk", code: "provider_not_configured", message: "No." }];
		const error = {
			code: "provider_not_configured",
			message: "No model.",
			hint: "Do.",
			details: { errors },
		};
		service.resolve = (_, response) => sendJson(response, { error }, 422);
		await expect(run(withoutService)).rejects.toMatchObject({
			code: "provider_not_configured",
			result: { error, receipt: [] },
		});
		expect(service.received.map(({ path }) => path)).toEqual([RESOLVE]);
	});

	it("are reported where the service does not say who answers", async () => {
		service.resolve = (_, response) => sendJson(response, { data: [] });
		await expect(run(withoutService)).rejects.toMatchObject({ code: "invalid_response" });
	});

	const paid = { ...row("desk"), payer: "deployment", model: "gpt-a", estimated: true } as const;
	const failure = { code: "unreachable", message: "No." };

	it.each<[string, Reply]>([
		[
			"as an error",
			(_, response) => sendJson(response, { error: { ...failure, details: { receipt: [paid] } } }, 502),
		],
		["half-way", streams(delta({ content: "Fi" }), { error: { ...failure, details: { receipt: [paid] } } })],
	])("bring the row that the service wrote: %s", async (_, reply) => {
		service.chat = [reply];
		await expect(run(withoutService)).rejects.toMatchObject({
			code: "unreachable",
			result: { receipt: [paid] },
		});
	});

	it.each([400, 401, 403, 422, 429, 500, 503])(
		"have no row for a call that the service did not make: %i",
		async (status) => {
			service.chat = Array.from({ length: 5 }, () => respondWithError(status, "refused"));
			await expect(run(withoutService)).rejects.toMatchObject({ code: "refused", result: { receipt: [] } });
		},
	);

	it("have no row for a call that never went out", async () => {
		service.search = (_, response) => {
			sendJson(response, { passages: [], receipt: [] });
			server.close();
			server.closeAllConnections();
		};
		await expect(run(graph)).rejects.toMatchObject({ code: "connection_failed", result: { receipt: [] } });
	});

	it.each<[string, Reply]>([
		["a connection that was cut", (_, response) => void response.destroy()],
		[
			"a stream that was cut",
			(_, response) => {
				response.writeHead(200, { "content-type": "text/event-stream" });
				response.write(`data: ${JSON.stringify({ id: "c", ...delta({ content: "Five days" }) })}\n\n`);
				setTimeout(() => response.destroy(), 20);
			},
		],
		["an answer of a proxy", (_, response) => void response.writeHead(502).end("Bad gateway")],
	])(
		"have an estimated row for a call of which nothing was heard, with the payer that the service named: %s",
		async (_, reply) => {
			service.chat = [reply, reply, reply];
			const { receipt } = (await run(withoutService).catch(
				({ result }: { result: RunResult }) => result,
			)) as RunResult;
			const { payer, vendor_host, model } = row("desk");
			expect(receipt).toMatchObject([{ payer, vendor_host, model, estimated: true, attempts: 1 }]);
		},
	);

	it("of a search bring the calls that it made", async () => {
		service.search = (_, response) =>
			sendJson(response, { error: { ...failure, details: { receipt: [{ ...paid, stage: "embed" }] } } }, 502);
		await expect(run(graph)).rejects.toMatchObject({
			code: "unreachable",
			result: { receipt: [{ stage: "embed", node: "faq", payer: "deployment" }] },
		});
	});
});

it("generates a whole reply, streamed inside", async () => {
	service.chat = [
		streams(delta({ reasoning_content: "Hm." }), delta({ content: "Cut" }, "length"), {
			usage: { prompt_tokens: 7, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 4 } },
		}),
	];
	const { models } = servicePorts(client);
	const options = { signal: new AbortController().signal };
	const request = { runId: "run_1", node: "desk", knowledgeBases: [] };
	const { model, payer } = await models.resolve(request, options);
	expect(payer).toBe("workspace");
	expect(model).toMatchObject({
		provider: "openai-compatible",
		model: "large-1",
		vendorHost: "api.vendor.example",
	});
	expect(await model.generate({ messages: [{ role: "user", content: "hi" }], maxOutputTokens: 1 })).toEqual({
		text: "Cut",
		reasoning: "Hm.",
		toolCalls: [],
		finishReason: "length",
		usage: { inputTokens: 7, outputTokens: 1, cachedTokens: 4 },
		responseId: "c",
	});
	expect(service.received.at(-1)?.body).toMatchObject({ max_tokens: 1 });
});

it("refuses what is no client, and says what to pass", () => {
	const stemma = { client } as unknown as typeof client;
	expect(() => servicePorts(stemma)).toThrow("`servicePorts` needs a client.");
});
