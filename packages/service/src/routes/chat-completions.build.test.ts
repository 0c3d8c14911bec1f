import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenAiSimulator, startOpenAiSimulator } from "../../../../tools/simulators/openai/simulator.ts";
import { getToken, startTestService, type TestService } from "../http/test-support/test-service";

let vendor: OpenAiSimulator;
let under: TestService;
let client: OpenAI;

beforeAll(async () => {
	vendor = await startOpenAiSimulator({ apiKey: "sk-vendor" });
	under = await startTestService({
		providers: {
			main: {
				provider: "openai-compatible",
				base_url: vendor.baseUrl,
				credential: { value: "sk-vendor" },
				default_model: "gpt-test",
			},
		},
		chat: "main",
	});
	client = new OpenAI({
		apiKey: await getToken(under.service(), under.credentials),
		baseURL: "http://127.0.0.1:4000/v1",
		maxRetries: 0,
		fetch: (url, init) => under.service().fetch(new Request(url, init)),
	});
});
afterAll(async () => {
	await under.end();
	await vendor.close();
});

const messages = [{ role: "user" as const, content: "Hello?" }];
const usage = { inputTokens: 11, outputTokens: 3 };
const row = { payer: "deployment", provider: "openai-compatible", input_tokens: 11, output_tokens: 3 };

describe("the vendor's own client", () => {
	it("lists models", async () => {
		const ids: string[] = [];
		for await (const { id } of client.models.list()) ids.push(id);
		expect(ids).toEqual(["default", "gpt-test"]);
	});

	it("gets an answer with usage, and a receipt beside it", async () => {
		vendor.enqueue({ kind: "reply", text: "Hi.", usage });
		const { data: answer, response } = await client.chat.completions
			.create({ model: "default", messages })
			.withResponse();
		expect(response.headers.get("stemma-receipt-id")).toMatch(/^rcp_/);
		expect(answer).toMatchObject({
			object: "chat.completion",
			model: "gpt-test",
			choices: [{ message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
			usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
			stemma: { receipt: [row] },
		});
	});

	it("streams, with usage and the receipt in the last chunk", async () => {
		vendor.enqueue({ kind: "reply", text: "One two three.", usage });
		const stream = await client.chat.completions.create({
			model: "default",
			messages,
			stream: true,
			stream_options: { include_usage: true },
		});
		const chunks: OpenAI.ChatCompletionChunk[] = [];
		for await (const chunk of stream) chunks.push(chunk);
		expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("One two three.");
		expect(chunks.at(-1)).toMatchObject({
			choices: [],
			usage: { total_tokens: 14 },
			stemma: { receipt: [row] },
		});
	});

	it("calls tools, streamed, and gives their answers back", async () => {
		vendor.enqueue({
			kind: "reply",
			toolCalls: [{ id: "call_1", name: "clock", arguments: { zone: "UTC" } }],
		});
		const tools = [
			{
				type: "function" as const,
				function: { name: "clock", parameters: { type: "object", properties: {} } },
			},
		];
		const first = await client.chat.completions
			.stream({ model: "default", messages, tools })
			.finalChatCompletion();
		const [choice] = first.choices;
		expect(choice).toMatchObject({
			finish_reason: "tool_calls",
			message: { tool_calls: [{ id: "call_1", function: { name: "clock", arguments: '{"zone":"UTC"}' } }] },
		});
		vendor.enqueue({ kind: "reply", text: "Noon." });
		const calls = choice?.message.tool_calls ?? [];
		const second = await client.chat.completions.create({
			model: "default",
			tools,
			messages: [
				...messages,
				{ role: "assistant", content: null, tool_calls: calls },
				{ role: "tool", tool_call_id: "call_1", content: "12:00" },
			],
		});
		expect(second.choices[0]?.message.content).toBe("Noon.");
	});

	it.each([true, false])("meets errors of its own classes, streamed: %s", async (stream) => {
		vendor.enqueue({ kind: "failure", status: 401, message: "Incorrect API key provided: sk-vendor" });
		const failure = await client.chat.completions.create({ model: "default", messages, stream }).then(
			() => undefined,
			(error: unknown) => error,
		);
		expect(failure).toBeInstanceOf(OpenAI.APIError);
		expect(failure).toMatchObject({ status: 502, code: "invalid_credential" });
		expect(JSON.stringify(failure)).not.toContain("sk-vendor");
		await expect(client.chat.completions.create({ model: "gpt-9", messages, stream })).rejects.toMatchObject({
			status: 422,
			code: "model_not_allowed",
		});
	});
});

it("tells a client key the answer, and not what the model thinks", async () => {
	const { body } = await under.send("/v1/client-keys", {
		json: { name: "page", native: true, models: true },
	});
	const json = { model: "default", messages, stream: true };
	const send = async (credential?: string): Promise<string> => {
		vendor.enqueue({ kind: "reply", text: "Noon.", reasoning: "PRIVATE" });
		const request = new Request("http://127.0.0.1:4000/v1/chat/completions", {
			method: "POST",
			body: JSON.stringify(json),
			headers: {
				"content-type": "application/json",
				authorization: `Bearer ${credential ?? (await getToken(under.service(), under.credentials))}`,
			},
		});
		return (await under.service().fetch(request)).text();
	};
	expect(await send()).toContain("reasoning_content");
	const told = await send(body.client_key);
	expect(told).toContain('"content":"No');
	expect(told).not.toContain("reasoning_content");
});
