import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AnsweringFixture, startAnsweringFixture } from "../../test-support/answering-fixture";

let fixture: AnsweringFixture;
beforeAll(async () => {
	fixture = await startAnsweringFixture(built);
});
afterAll(() => fixture?.close());

const user = { role: "user", content: "How long does a refund take?" };

/** Sends as Anthropic's clients do: with the credential in a header of its own. */
async function send(path: string, fields: object, headers: Record<string, string> = {}) {
	const response = await fixture.fetch(`http://service.test/v1/messages${path}`, {
		method: "POST",
		headers: {
			"content-type": "application/json",
			"anthropic-version": "2023-06-01",
			"x-api-key": fixture.token,
			...headers,
		},
		body: JSON.stringify({ model: "default", max_tokens: 1000, messages: [user], ...fields }),
	});
	const text = await response.text();
	const isJson = response.headers.get("content-type")?.startsWith("application/json");
	return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined };
}

describe("a message", () => {
	it("is the reply of a model, by either header of the credential", async () => {
		const usage = { inputTokens: 7, outputTokens: 3, cachedTokens: 2 };
		fixture.vendor.enqueue(
			{ kind: "reply", text: "Five days.", usage },
			{ kind: "reply", text: "Five days." },
		);
		const { body } = await send("", { system: "Be brief." });
		expect(body).toMatchObject({
			type: "message",
			role: "assistant",
			model: "model",
			content: [{ type: "text", text: "Five days." }],
			stop_reason: "end_turn",
			usage: { input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 3 },
			stemma: { receipt: [{ input_tokens: 7 }] },
		});
		expect(fixture.vendor.requests.at(-1)?.body).toMatchObject({
			messages: [{ role: "system", content: "Be brief." }, user],
		});
		const headers = { "x-api-key": "", authorization: `Bearer ${fixture.token}` };
		expect((await send("", {}, headers)).status).toBe(200);
	});

	it("of an agent has its citations, and is cut at its limit", async () => {
		const text = "Five working days [1].";
		fixture.vendor.enqueue({ kind: "reply", text }, { kind: "reply", text });
		expect((await send("", { model: "agent:cited" })).body).toMatchObject({
			model: "agent:cited",
			content: [{ text }],
			stemma: { status: "completed", citations: [{ n: 1 }] },
		});
		expect((await send("", { model: "kb:handbook", max_tokens: 2 })).body).toMatchObject({
			content: [{ text: "Five" }],
			stop_reason: "max_tokens",
		});
	});
});

describe("tokens are counted", () => {
	it("so that no tokenizer counts more", async () => {
		const { body } = await send("/count_tokens", { max_tokens: undefined });
		expect(body.input_tokens).toBeGreaterThan(8);
		const long = await send("/count_tokens", { messages: [{ role: "user", content: "word ".repeat(1000) }] });
		expect(long.body.input_tokens).toBeGreaterThan(2000);
		expect((await send("/count_tokens", { model: "agent:cited" })).body.input_tokens).toBeGreaterThan(8);
	});
});

describe("errors have Anthropic's shape", () => {
	it.each([
		[{ messages: [{ role: "robot", content: "Hi." }] }, "messages[0].role"],
		[
			{ messages: [{ role: "user", content: [{ type: "image", source: {} }] }] },
			"messages[0].content[0].type",
		],
		[
			{ messages: [{ role: "user", content: [{ type: "document", source: {} }] }] },
			"messages[0].content[0].type",
		],
		[{ messages: Array.from({ length: 10_000 }, () => user) }, "messages"],
		[{ max_tokens: undefined }, "max_tokens"],
		[{ top_k: 5 }, "top_k"],
		[{ nonsense: 1 }, "nonsense"],
		[{ model: "agent:plain", system: "Be brief." }, "system"],
		[{ model: "agent:plain", tools: [{ name: "clock", input_schema: {} }] }, "tools"],
		[{ model: "kb:handbook", stop_sequences: ["END"] }, "stop_sequences"],
		[{ model: "agent:plain", output_config: { effort: "low" } }, "output_config.effort"],
	])("for %j", async (fields, param) => {
		const { status, body } = await send("", fields);
		expect(status).toBe(400);
		expect(body).toMatchObject({
			type: "error",
			error: { type: "invalid_request_error", param },
			request_id: expect.stringMatching(/^req_/),
		});
	});

	it("for callers that may not ask, for what is not there and for what fails", async () => {
		const typeOf = async (fields: object, headers = {}) => (await send("", fields, headers)).body.error.type;
		expect(await typeOf({}, { "x-api-key": "nobody" })).toBe("authentication_error");
		expect(await typeOf({}, { "x-api-key": await fixture.makeKey() })).toBe("permission_error");
		expect(await typeOf({ model: "agent:none" })).toBe("not_found_error");
		fixture.vendor.enqueue({ kind: "failure", status: 429, code: "insufficient_quota" });
		expect(await typeOf({})).toBe("rate_limit_error");
		fixture.vendor.enqueue({ kind: "failure", status: 401, message: "No." });
		expect(await typeOf({})).toBe("api_error");
		expect((await fixture.fetch("http://service.test/v1/messages")).status).toBe(405);
	});

	it("in the middle of a stream", async () => {
		fixture.vendor.enqueue({ kind: "failure", status: 400, message: "No." });
		const { status, text } = await send("", { model: "agent:plain", stream: true });
		expect(status).toBe(200);
		const events = text.trim().split("\n\n");
		expect(events.at(-1)).toMatch(/^event: error\ndata: \{"type":"error","error":\{"code":"run_failed"/);
	});

	it("takes the header on its own routes alone", async () => {
		const response = await fixture.fetch("http://service.test/v1/models", {
			headers: { "x-api-key": fixture.token },
		});
		expect(response.status).toBe(401);
	});
});
