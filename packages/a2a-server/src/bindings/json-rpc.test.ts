import { expect, it } from "vitest";
import { createMessage, createTestAgent } from "../test-support/test-agent";

const JSON_TYPE = { "content-type": "application/json" };

it.each<[string, BodyInit, Record<string, string>, number, number]>([
	["no JSON", "{", JSON_TYPE, 200, -32700],
	["bytes that are no text", new Uint8Array([0x22, 0xff, 0x22]), JSON_TYPE, 200, -32700],
	["no body", "", JSON_TYPE, 200, -32600],
	["several at once", '[{"jsonrpc":"2.0","id":1,"method":"GetTask"}]', JSON_TYPE, 200, -32600],
	["another version of JSON-RPC", '{"jsonrpc":"1.0","id":1,"method":"GetTask"}', JSON_TYPE, 200, -32600],
	["an id that is none", '{"jsonrpc":"2.0","id":{},"method":"GetTask"}', JSON_TYPE, 200, -32600],
	["no method", '{"jsonrpc":"2.0"}', JSON_TYPE, 200, -32600],
	[
		"deep nesting",
		`{"jsonrpc":"2.0","id":1,"method":"GetTask","params":${"[".repeat(600)}${"]".repeat(600)}}`,
		JSON_TYPE,
		200,
		-32600,
	],
	[
		"over 2 MiB",
		JSON.stringify({ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "a".repeat(2 ** 21) } }),
		JSON_TYPE,
		413,
		-32600,
	],
	["text", '{"jsonrpc":"2.0","id":1,"method":"GetTask"}', { "content-type": "text/plain" }, 200, -32005],
])("refuses %s", async (_, body, headers, status, code) => {
	const { send, mappedErrors } = createTestAgent();
	const response = await send("", { method: "POST", body, headers });
	expect(response.status).toBe(status);
	expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code } });
	expect(mappedErrors).toEqual([]);
});

it.each<[string, string, unknown, Record<string, string>, number, RegExp]>([
	["a method of 0.3", "message/send", {}, {}, -32601, /"message\/send"/],
	["what every object has", "toString", {}, {}, -32601, /"toString"/],
	["params that are a list", "GetTask", [], {}, -32602, /^params/],
	["no version", "GetTask", {}, { "a2a-version": "" }, -32009, /"0\.3" .* 1\.0/],
	["an old version", "GetTask", {}, { "a2a-version": "0.3" }, -32009, /"0\.3"/],
	["a patch of the version", "GetTask", { id: "none" }, { "a2a-version": "1.0.7" }, -32001, /none/],
	["a new version", "GetTask", {}, { "a2a-version": "1.1" }, -32009, /"1\.1"/],
	["an extended card", "GetExtendedAgentCard", undefined, {}, -32004, /agent-card\.json/],
])("refuses %s", async (_, method, params, headers, code, text) => {
	const { call } = createTestAgent();
	const answer = await call(method, params as object, { "a2a-version": "1.0", ...headers });
	expect(answer).toMatchObject({
		jsonrpc: "2.0",
		id: 1,
		error: { code, message: expect.stringMatching(text) },
	});
	expect(answer.error.data[0].domain).toBe("a2a-protocol.org");
});

it("says that several at once are not taken", async () => {
	const { send } = createTestAgent();
	const response = await send("", { method: "POST", headers: JSON_TYPE, body: "[]" });
	expect((await response.json()).error.message).toMatch(/^Batches of requests/);
});

it("refuses what is announced as too large without reading it", async () => {
	const { send } = createTestAgent();
	const body = new ReadableStream({ pull: () => new Promise(() => undefined) });
	const headers = { ...JSON_TYPE, "content-length": "3000000" };
	const init: RequestInit & { duplex: "half" } = { method: "POST", headers, body, duplex: "half" };
	expect((await send("", init)).status).toBe(413);
});

it("takes POST alone", async () => {
	const { send } = createTestAgent();
	const response = await send("");
	expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
});

it("takes the version as a parameter, ids that are text, and parameters that nobody knows", async () => {
	const { send } = createTestAgent();
	const response = await send("/?A2A-Version=1.0", {
		method: "POST",
		headers: { ...JSON_TYPE, "a2a-version": "" },
		body: JSON.stringify({
			jsonrpc: "2.0",
			id: "a",
			method: "SendMessage",
			params: { tenant: "", message: createMessage("?", { unknown: 1 }), unknown: 2 },
		}),
	});
	expect(await response.json()).toMatchObject({ id: "a", result: { task: { id: "run_1" } } });
});

it("says what a host says, with its status and headers, and nothing of what it did not expect", async () => {
	const { send, mappedErrors } = createTestAgent();
	const post = (text: string): Promise<Response> =>
		send("", {
			method: "POST",
			headers: JSON_TYPE,
			body: JSON.stringify({
				jsonrpc: "2.0",
				id: 1,
				method: "SendMessage",
				params: { message: createMessage(text) },
			}),
		});
	const limited = await post("too many");
	expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "7"]);
	expect((await limited.json()).error).toMatchObject({
		code: -32603,
		message: "Too many requests.",
		data: [{ reason: "INTERNAL_ERROR", metadata: { code: "rate_limited" } }],
	});
	const broken = await post("break");
	expect(broken.status).toBe(200);
	expect(await broken.text()).not.toContain("s3cret");
	expect(mappedErrors).toHaveLength(1);
});
