import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import OpenAI, {
	APIConnectionError,
	APIError,
	AuthenticationError,
	BadRequestError,
	InternalServerError,
	NotFoundError,
	RateLimitError,
} from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenAiSimulator, startOpenAiSimulator } from "./openai/simulator";

const KEY = "sk-test-0123456789";
let simulator: OpenAiSimulator;
let client: OpenAI;
beforeEach(async () => {
	simulator = await startOpenAiSimulator({ apiKey: KEY, models: ["gpt-test"] });
	client = new OpenAI({ apiKey: KEY, baseURL: simulator.baseUrl, maxRetries: 0 });
});
afterEach(() => simulator.close());

const HELLO = { model: "gpt-test", messages: [{ role: "user", content: "Hello?" }] } as const;
const TOOL = {
	type: "function",
	function: { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
} as const;
const toBody = (body: object = {}) => ({ ...HELLO, messages: [...HELLO.messages], ...body });

describe("with the official client", () => {
	it("answers text with usage", async () => {
		simulator.enqueue({ kind: "reply", text: "Hello there.", usage: { inputTokens: 9, outputTokens: 3 } });
		const { choices, usage, model } = await client.chat.completions.create(toBody());
		expect(choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "Hello there." } });
		expect(usage).toMatchObject({ prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 });
		expect(model).toBe("gpt-test");
		expect(simulator.requests[0]).toMatchObject({ path: "/v1/chat/completions", isAborted: false });
		expect(simulator.requests[0]?.body).toEqual(toBody());
	});

	it.each([true, false])("streams, with usage: %s", async (includeUsage) => {
		simulator.enqueue({ kind: "reply", text: "It is sunny in Lisbon." });
		const stream = await client.chat.completions.create(
			toBody({ stream: true, stream_options: { include_usage: includeUsage } }) as never,
		);
		const chunks: OpenAI.ChatCompletionChunk[] = [];
		for await (const chunk of stream as unknown as AsyncIterable<OpenAI.ChatCompletionChunk>)
			chunks.push(chunk);
		const deltas = chunks.map(({ choices }) => choices[0]?.delta.content ?? "");
		expect(deltas.filter((delta) => delta !== "").length).toBeGreaterThan(1);
		expect(deltas.join("")).toBe("It is sunny in Lisbon.");
		expect(chunks.at(-1)?.choices.length).toBe(includeUsage ? 0 : 1);
		expect(chunks.at(-1)?.usage?.prompt_tokens).toEqual(includeUsage ? expect.any(Number) : undefined);
	});

	it("ends streams with [DONE]", async () => {
		const body = JSON.stringify(toBody({ stream: true }));
		const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
		const response = await fetch(`${simulator.baseUrl}/chat/completions`, { method: "POST", headers, body });
		expect(await response.text()).toMatch(/^data: \{[\s\S]*\n\ndata: \[DONE\]\n\n$/);
	});

	it("streams the arguments of calls in pieces, and takes the answers back", async () => {
		simulator.enqueue({
			kind: "reply",
			toolCalls: [
				{ name: "weather", arguments: { city: "Lisbon" } },
				{ name: "weather", arguments: { city: "Porto" } },
			],
		});
		const runner = client.chat.completions.stream(toBody({ tools: [TOOL] }));
		const completion = await runner.finalChatCompletion();
		const calls = completion.choices[0]?.message.tool_calls ?? [];
		expect(calls.map((call) => call.type === "function" && call.function.arguments)).toEqual([
			'{"city":"Lisbon"}',
			'{"city":"Porto"}',
		]);
		expect(completion.choices[0]?.finish_reason).toBe("tool_calls");

		const answers = calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "Sunny." }) as const);
		const messages = [...HELLO.messages, { role: "assistant", content: null, tool_calls: calls }, ...answers];
		simulator.enqueue({ kind: "reply", text: "Sunny in both." });
		const next = await client.chat.completions.create(toBody({ messages, tools: [TOOL] }));
		expect(next.choices[0]?.message.content).toBe("Sunny in both.");
	});

	it.each([
		[401, AuthenticationError],
		[404, NotFoundError],
		[429, RateLimitError],
		[503, InternalServerError],
	])("fails with status %i", async (status, errorClass) => {
		simulator.enqueue({ kind: "failure", status, code: "a_code", headers: { "retry-after": "7" } });
		const error = await client.chat.completions.create(toBody()).catch((caught) => caught);
		expect(error).toBeInstanceOf(errorClass);
		expect(error.code).toBe("a_code");
		expect(error.headers.get("retry-after")).toBe("7");
	});

	it("breaks streams in every way", async () => {
		const read = async (): Promise<string> => {
			let text = "";
			for await (const chunk of await client.chat.completions.create({ ...toBody(), stream: true }))
				text += chunk.choices[0]?.delta.content ?? "";
			return text;
		};
		const text = "A longer answer.";
		simulator.enqueue({ kind: "reply", text, fault: { kind: "cut", after: 2 } });
		await expect(read()).rejects.toThrow();
		expect(simulator.requests[0]?.isAborted).toBe(false);
		simulator.enqueue({ kind: "reply", text, fault: { kind: "error", after: 2 } });
		await expect(read()).rejects.toThrow(APIError);
		simulator.enqueue({ kind: "reply", text, fault: { kind: "end", after: 2 } });
		expect(await read()).toBe("A longe");
		simulator.enqueue({ kind: "reply", text, fault: { kind: "end" } });
		expect(await read()).toBe(text);
	});

	it("answers what is no JSON, and nothing at all", async () => {
		simulator.enqueue({ kind: "raw", body: "<html>", headers: { "content-type": "application/json" } });
		await expect(client.chat.completions.create(toBody())).rejects.toThrow(/JSON/);
		simulator.enqueue({ kind: "silence" });
		await expect(client.chat.completions.create(toBody(), { timeout: 50 })).rejects.toThrow(
			APIConnectionError,
		);
		await expect.poll(() => simulator.requests[1]?.isAborted).toBe(true);
	});

	it("sees clients go in the middle of a stream", async () => {
		simulator.enqueue({ kind: "reply", text: "A longer answer.", fault: { kind: "stall", after: 2 } });
		const stream = await client.chat.completions.create({ ...toBody(), stream: true });
		for await (const _ of stream) stream.controller.abort();
		await expect.poll(() => simulator.requests[0]?.isAborted).toBe(true);
	});
});

describe("embeddings, with the official client", () => {
	const embed = (body: object = {}) =>
		client.embeddings.create({ model: "gpt-test", input: ["One dog.", "One cat."], ...body } as never);
	const near = (one: readonly number[] = [], other: readonly number[] = []): number =>
		one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

	it.each(["float", "base64", undefined])("are the same in every encoding: %s", async (encoding) => {
		const { data, usage, model } = await embed(encoding === undefined ? {} : { encoding_format: encoding });
		expect(data.map(({ index, object }) => [index, object])).toEqual([
			[0, "embedding"],
			[1, "embedding"],
		]);
		// The client asks for base64 of its own accord, and decodes what it asked for alone.
		const [sent] = simulator.requests;
		expect(sent?.body?.encoding_format).toBe(encoding ?? "base64");
		const [first, second] = data.map(({ embedding }) => decode(embedding));
		expect(first).toHaveLength(256);
		expect(near(first, first)).toBeCloseTo(1, 5);
		expect(near(first, second)).toBeCloseTo(0.5, 5);
		expect(usage).toEqual({ prompt_tokens: 4, total_tokens: 4 });
		expect(model).toBe("gpt-test");
	});

	const decode = (embedding: unknown): readonly number[] =>
		typeof embedding === "string"
			? [...new Float32Array(Uint8Array.from(Buffer.from(embedding, "base64")).buffer)]
			: (embedding as number[]);

	it("are near where texts share words, and the same for the same text", async () => {
		const input = ["What does a late return cost?", "A late return does cost 12 euro.", "Ada knows the way."];
		const [question, answer, other] = (await embed({ input })).data.map(({ embedding }) => decode(embedding));
		expect(near(question, answer)).toBeGreaterThan(near(question, other) + 0.3);
		expect(decode((await embed({ input: input[0] })).data[0]?.embedding)).toEqual(question);
	});

	it("are as long as is asked for", async () => {
		expect((await embed({ dimensions: 8 })).data[0]?.embedding).toHaveLength(8);
	});

	it("do as they are told, while completions wait for what is theirs", async () => {
		simulator.enqueue(
			{ kind: "reply", text: "Hello there." },
			{ kind: "embeddings", vectors: [[1], [2]], isShuffled: true, usage: "none" },
			{ kind: "failure", status: 503 },
		);
		const { data, usage } = await embed({ encoding_format: "float" });
		expect(data.map(({ index, embedding }) => [index, embedding])).toEqual([
			[1, [2]],
			[0, [1]],
		]);
		expect(usage).toBeUndefined();
		const { choices } = await client.chat.completions.create(toBody());
		expect(choices[0]?.message.content).toBe("Hello there.");
		await expect(embed()).rejects.toThrow(InternalServerError);
	});

	it.each([
		["no model", { model: undefined }, /must provide a model/],
		["no input", { input: undefined }, /Missing required parameter: 'input'/],
		["an empty text", { input: ["a", ""] }, /'\$\.input' is invalid/],
		["no texts", { input: [] }, /'\$\.input' is invalid/],
		[
			"too many texts",
			{ input: Array.from({ length: 2049 }, () => "a") },
			/maximum length 2048.*length 2049/,
		],
		["a text that is too long", { input: "word ".repeat(7000) }, /maximum context length is 8192/],
		[
			"too much text",
			{ input: Array.from({ length: 100 }, () => "word ".repeat(3000)) },
			/tokens per request/,
		],
		["an encoding", { encoding_format: "base32" }, /Supported values/],
		["dimensions", { dimensions: 0 }, /minimum/],
		["more dimensions than it has", { dimensions: 257 }, /less than or equal to 256/],
		["an unknown field", { truncate: true }, /Unrecognized request argument supplied: truncate/],
	])("refuse %s", async (_, body, message) => {
		const error = await embed(body).catch((caught) => caught);
		expect(error).toBeInstanceOf(BadRequestError);
		expect(error.message).toMatch(message);
	});

	it("refuse other keys, methods and models", async () => {
		await expect(embed({ model: "gpt-other" })).rejects.toThrow(NotFoundError);
		const other = new OpenAI({ apiKey: "sk-wrong", baseURL: simulator.baseUrl, maxRetries: 0 });
		await expect(other.embeddings.create({ model: "gpt-test", input: "a" })).rejects.toThrow(
			AuthenticationError,
		);
		expect((await fetch(`${simulator.baseUrl}/embeddings`)).status).toBe(405);
	});
});

const call = (id: string) => ({ id, type: "function", function: { name: "weather", arguments: "{}" } });
const assistant = (...ids: string[]) => ({ role: "assistant", content: null, tool_calls: ids.map(call) });
const toolMessage = (id: string) => ({ role: "tool", tool_call_id: id, content: "Sunny." });
const withTools = (tool: object) => ({ tools: [{ type: "function", function: tool }] });
const withSchema = (schema: object, rest: object = {}) => ({
	response_format: { type: "json_schema", json_schema: { name: "output", schema, ...rest } },
});

describe("refuses", () => {
	it.each([
		["an unknown field", { origin: {} }, /Unrecognized request argument supplied: origin/],
		["no model", { model: undefined }, /must provide a model/],
		["no messages", { messages: [] }, /empty array/],
		["an unknown role", { messages: [{ role: "robot", content: "" }] }, /Supported values/],
		["a message of a number", { messages: [{ role: "user", content: 1 }] }, /messages\[0\].content.*integer/],
		["a field of a message", { messages: [{ role: "user", content: "", id: 1 }] }, /messages\[0\].id/],
		["an assistant without content", { messages: [{ role: "assistant", content: null }] }, /content/],
		["an answer to no call", { messages: [toolMessage("a")] }, /must be a response/],
		["an answer to another call", { messages: [assistant("a"), toolMessage("b")] }, /must be a response/],
		["a call without an answer", { messages: [assistant("a", "b"), toolMessage("a")] }, /messages: b$/],
		["a call answered too late", { messages: [assistant("a"), HELLO.messages[0], toolMessage("a")] }, /: a$/],
		["no tools", { tools: [] }, /empty array/],
		["a tool of a kind", { tools: [{ ...TOOL, kind: "tool" }] }, /tools\[0\].kind/],
		["a tool's name", withTools({ name: "a b", parameters: { type: "object" } }), /does not match pattern/],
		["a tool's parameters", withTools({ name: "a", parameters: { type: "string" } }), /got 'type: "string"'/],
		["a choice without tools", { tool_choice: "none" }, /only allowed when 'tools'/],
		["a choice", { tools: [TOOL], tool_choice: "some" }, /Supported values/],
		["stream options without a stream", { stream_options: { include_usage: true } }, /stream_options/],
		["both token limits", { max_tokens: 1, max_completion_tokens: 1 }, /at the same time/],
		["a limit of nothing", { max_tokens: 0 }, /minimum/],
		["a temperature", { temperature: 3 }, /maximum value/],
		["an output that is no object", withSchema({ type: "array" }), /got 'type: "array"'/],
		[
			"a strict output that is open",
			withSchema({ type: "object" }, { strict: true }),
			/additionalProperties/,
		],
		["an output's field", withSchema({ type: "object" }, { kind: 1 }), /json_schema.kind/],
	])("%s", async (_, body, message) => {
		const error = await client.chat.completions.create(toBody(body) as never).catch((caught) => caught);
		expect(error).toBeInstanceOf(BadRequestError);
		expect(error.message).toMatch(message);
		expect(simulator.requests[0]?.rejection).toMatch(message);
	});

	const send = async (headers: Record<string, string>, path = "/chat/completions", method = "POST") => {
		const body = method === "POST" ? JSON.stringify(HELLO) : null;
		const response = await fetch(simulator.baseUrl + path, { method, headers, body });
		return [response.status, (await response.json()).error.message];
	};

	it("other keys, types, paths, methods and models", async () => {
		const json = { "content-type": "application/json" };
		const key = { authorization: `Bearer ${KEY}` };
		expect(await send(json)).toEqual([401, expect.stringMatching(/didn't provide an API key/)]);
		expect(await send({ ...json, authorization: "Bearer sk-wrong" })).toEqual([
			401,
			expect.stringMatching(/Incorrect/),
		]);
		expect(await send({ ...key, "content-type": "text/plain" })).toEqual([
			400,
			expect.stringMatching(/content type/),
		]);
		expect(await send({ ...key, ...json }, "/completions")).toEqual([404, expect.any(String)]);
		expect(await send({ ...key, ...json }, "/chat/completions", "GET")).toEqual([405, expect.any(String)]);
		await expect(client.chat.completions.create(toBody({ model: "gpt-other" }))).rejects.toThrow(
			NotFoundError,
		);
	});
});

describe("by itself", () => {
	it("cites the first passage", async () => {
		const passages = [{ n: 3, text: "Refunds take five days. Ask Ada." }];
		const data = `Material.\n\n-----BEGIN DATA t faq (knowledge)-----\n${JSON.stringify({ query: "q", passages })}\n-----END DATA t-----`;
		const messages = [{ role: "user" as const, content: data }, ...HELLO.messages];
		const { choices } = await client.chat.completions.create(toBody({ messages }));
		expect(choices[0]?.message.content).toBe("Refunds take five days [3].");
		const bare = await client.chat.completions.create(toBody());
		expect(bare.choices[0]?.message.content).toBe("No passages were given for: Hello?");
	});

	it("starts as a process", async () => {
		const main = fileURLToPath(new URL("./openai/main.ts", import.meta.url));
		const child = spawn(process.execPath, [main, "--port", "0", "--api-key", "sk-other"]);
		try {
			const [line] = await once(child.stdout, "data");
			const other = new OpenAI({ apiKey: "sk-other", baseURL: JSON.parse(String(line)).base_url });
			expect((await other.chat.completions.create(toBody())).choices.length).toBe(1);
		} finally {
			child.kill();
		}
	});
});
