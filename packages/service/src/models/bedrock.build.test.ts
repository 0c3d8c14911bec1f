import { type BedrockSimulator, startBedrockSimulator } from "@stemma/simulators/bedrock";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { getToken, startTestService, type TestService } from "../http/test-support/test-service";

const SECRET = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY";
const own = { accessKeyId: "AKIADEPLOYMENT00", secretAccessKey: SECRET };
const MODEL = "us.amazon.nova-lite-v1:0";

let vendor: BedrockSimulator;
let service: TestService;

beforeAll(async () => {
	// Credentials of the machine that must never be used.
	vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIAAMBIENT00000");
	vi.stubEnv("AWS_SECRET_ACCESS_KEY", "ambient");
	vi.stubEnv("AWS_BEARER_TOKEN_BEDROCK", "ambient-token");
	vendor = await startBedrockSimulator({ credentials: [own], models: { enabled: [MODEL] } });
	service = await startTestService({
		providers: {
			aws: {
				provider: "bedrock",
				base_url: vendor.baseUrl,
				credential: { value: `${own.accessKeyId}:${SECRET}:us-east-1` },
				default_model: MODEL,
				allowed_models: ["us.amazon.nova-pro-v1:0"],
			},
		},
		chat: "aws",
	});
});
afterEach(() => {
	for (const { credential } of vendor.requests)
		expect(credential).toMatchObject({ kind: "signature", accessKeyId: own.accessKeyId });
});
afterAll(async () => {
	vi.unstubAllEnvs();
	await service.end();
	await vendor.close();
});

const createClient = async (): Promise<OpenAI> =>
	new OpenAI({
		apiKey: await getToken(service.current(), service.credentials),
		baseURL: "http://127.0.0.1:4000/v1",
		maxRetries: 0,
		fetch: (url, init) => service.current().fetch(new Request(url, init)),
	});

const messages = [{ role: "user" as const, content: "Hello?" }];

it("answers a question from documents, and the deployment pays", async () => {
	const knowledgeBase = (await service.send("/v1/knowledge-bases", { json: { name: "Office" } })).body.id;
	const documents = `/v1/knowledge-bases/${knowledgeBase}/documents`;
	await service.send(documents, { json: { text: "The office opens at nine and closes at five." } });
	await vi.waitFor(async () => {
		const { body } = await service.send(`/v1/knowledge-bases/${knowledgeBase}`);
		expect(body.documents.ready).toBe(1);
	}, 30_000);
	vendor.enqueue({
		kind: "reply",
		text: "It opens at nine [1].",
		usage: { inputTokens: 40, outputTokens: 6, cacheReadInputTokens: 10 },
	});
	const { status, body } = await service.send("/v1/ask", {
		json: { question: "When does the office open?", knowledge_base_ids: [knowledgeBase] },
	});
	expect([status, body.answer]).toEqual([200, "It opens at nine [1]."]);
	expect(body.citations).toHaveLength(1);
	expect(body.receipt).toMatchObject([
		{ stage: "score", payer: "deployment", provider: "bedrock", model: MODEL },
		{ stage: "answer", payer: "deployment", provider: "bedrock", model: MODEL, cached_tokens: 10 },
	]);
	expect(JSON.stringify(body)).not.toContain(SECRET);
});

it("streams to the openai client, with calls of tools", async () => {
	vendor.enqueue({
		kind: "reply",
		text: "Let me see.",
		toolCalls: [{ name: "clock", input: { zone: "UTC" } }],
	});
	const stream = await (await createClient()).chat.completions.create({
		model: "default",
		messages,
		stream: true,
		tools: [{ type: "function", function: { name: "clock", parameters: { type: "object" } } }],
	});
	let text = "";
	const calls: unknown[] = [];
	for await (const { choices } of stream) {
		text += choices[0]?.delta.content ?? "";
		calls.push(...(choices[0]?.delta.tool_calls ?? []));
	}
	expect(text).toBe("Let me see.");
	expect(calls).toMatchObject([{ function: { name: "clock", arguments: '{"zone":"UTC"}' } }]);
});

it("says what is wrong with the vendor's answers, in words of its own", async () => {
	vendor.enqueue({
		kind: "failure",
		status: 403,
		type: "AccessDeniedException",
		message: `User: arn:aws:iam::1:user/${SECRET} is not authorized to perform: bedrock:InvokeModel`,
	});
	const denied = await service.send("/v1/chat/completions", { json: { model: "default", messages } });
	expect([denied.status, denied.body.error.code]).toEqual([502, "permission"]);
	expect(JSON.stringify(denied.body)).not.toContain(SECRET);
	const unknown = { model: "us.amazon.nova-pro-v1:0", messages };
	const missing = await service.send("/v1/chat/completions", { json: unknown });
	expect([missing.status, missing.body.error.code]).toEqual([502, "model_not_found"]);
});

it("is called for nobody who chooses it", async () => {
	const asked = vendor.requests.length;
	const stemma = { provider: "bedrock" };
	for (const model of ["default", MODEL]) {
		const { status, body } = await service.send("/v1/chat/completions", {
			json: { model, messages, stemma },
		});
		expect([status, body.error.code]).toEqual([422, "credential_required"]);
	}
	const graph = { nodes: [{ id: "desk", kind: "coordinator", model: { provider: "bedrock" } }] };
	await service.send("/v1/agents", { json: { slug: "chooser", graph } });
	const run = await service.send("/v1/agents/chooser/run", { json: { input: "?" } });
	expect(run.body.error.code).toBe("credential_required");
	expect(vendor.requests.length).toBe(asked);
});

const tools = [{ type: "function" as const, function: { name: "clock", parameters: { type: "object" } } }];

it("is asked with what Converse has fields for", async () => {
	const { completions } = (await createClient()).chat;
	vendor.enqueue({ kind: "reply", toolCalls: [{ name: "clock", input: {} }] });
	await completions.create({
		...{ model: "default", messages, tools, parallel_tool_calls: true },
		...{ temperature: 1, top_p: 0.5, stop: ["END"], tool_choice: "required" },
	});
	expect(vendor.requests.at(-1)?.body).toMatchObject({
		inferenceConfig: { temperature: 1, topP: 0.5, stopSequences: ["END"] },
		toolConfig: { toolChoice: { any: {} } },
	});
	vendor.enqueue({ kind: "reply", toolCalls: [{ name: "clock", input: {} }] });
	const tool_choice = { type: "function" as const, function: { name: "clock" } };
	await completions.create({ model: "default", messages, tools, tool_choice });
	expect(vendor.requests.at(-1)?.body).toMatchObject({
		toolConfig: { toolChoice: { tool: { name: "clock" } } },
	});
	vendor.enqueue({ kind: "reply", text: '```json\n{"a":1}\n```' });
	const { choices } = await completions.create({
		model: "default",
		messages,
		response_format: { type: "json_object" },
	});
	expect(choices[0]?.message.content).toBe('{"a":1}');
});

it.each([
	["seed", 7],
	["frequency_penalty", 1],
	["presence_penalty", 1],
	["logit_bias", { 42: 1 }],
	["reasoning_effort", "low"],
	["verbosity", "low"],
	["parallel_tool_calls", false],
	["temperature", 1.5],
])("refuses what Converse has no field for, and calls nobody: %s", async (param, value) => {
	const asked = vendor.requests.length;
	const json = { model: "default", messages, tools, [param]: value };
	const { status, body } = await service.send("/v1/chat/completions", { json });
	expect([status, body.error.code, body.error.param]).toEqual([400, "unsupported_parameter", param]);
	expect(body.error).not.toHaveProperty("details");
	expect(vendor.requests.length).toBe(asked);
});

it("says that a request is too long", async () => {
	vendor.enqueue({
		kind: "failure",
		status: 400,
		type: "ValidationException",
		message: "Input is too long for requested model.",
	});
	const { status, body } = await service.send("/v1/chat/completions", {
		json: { model: "default", messages },
	});
	expect([status, body.error.code]).toEqual([400, "context_length_exceeded"]);
});
