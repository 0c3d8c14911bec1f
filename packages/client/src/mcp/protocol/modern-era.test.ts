import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { NodeXmlHttpRequest } from "../../test-support/node-xml-http-request";
import {
	connect,
	failure,
	rpc,
	sendError,
	serveMcp,
	stream,
	TOOL,
	toProgressToken,
} from "../test-support/mcp-server";

const KEY = "io.modelcontextprotocol/";
const result = { content: [{ type: "text", text: "done" }], resultType: "complete" };

afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

it("says what the server says of itself, in one request", async () => {
	const server = await serveMcp({ era: "modern" });
	expect(await connect(server).server()).toEqual({
		protocol: "modern",
		protocolVersion: "2026-07-28",
		name: "modern",
		version: "2",
		instructions: "Add.",
		capabilities: { tools: {} },
	});
	expect(new Set(server.received.map(({ method }) => method))).toEqual(new Set(["server/discover"]));
});

it("each request has the headers and the keys of the era", async () => {
	const server = await serveMcp({ era: "modern" });
	const clientInfo = { name: "shop", version: "7", title: "Shop" };
	const capabilities = { elicitation: { form: {} } };
	const client = connect(server, { clientInfo, capabilities, headers: { "x-own": "1" } });
	await client.callTool("add", { a: 1 });
	for (const { headers, params, method } of server.received) {
		expect(headers).toMatchObject({
			accept: "application/json, text/event-stream",
			"content-type": "application/json",
			"mcp-protocol-version": "2026-07-28",
			"mcp-method": method,
			"x-own": "1",
		});
		expect(headers["idempotency-key"]).toBeUndefined();
		expect(params?._meta).toEqual({
			[`${KEY}protocolVersion`]: "2026-07-28",
			[`${KEY}clientCapabilities`]: capabilities,
			[`${KEY}clientInfo`]: clientInfo,
		});
	}
	expect(server.find("tools/list").headers["mcp-name"]).toBeUndefined();
	expect(server.find("tools/call").headers["mcp-name"]).toBe("add");
	expect(new Set(server.received.map(({ id }) => id)).size).toBe(server.received.length);
});

it.each(["a\r\nx-evil: 1", "näme", " add ", "", "=?base64?YQ==?="])(
	"the name %o cannot leave its header",
	async (name) => {
		const server = await serveMcp({ era: "modern" });
		await connect(server).callTool(name);
		const { headers, params } = server.find("tools/call");
		expect(params?.name).toBe(name);
		expect(headers["x-evil"]).toBeUndefined();
		const [, encoded = ""] = /^=\?base64\?(.*)\?=$/.exec(String(headers["mcp-name"])) ?? [];
		expect(Buffer.from(encoded, "base64").toString()).toBe(name);
	},
);

describe("arguments as headers", () => {
	const withHeader = (name: string, header: unknown) => ({
		...TOOL,
		name,
		inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": header } } },
	});

	it("go out, and tools with annotations that are not valid are none", async () => {
		const tools = [withHeader("good", "Region"), withHeader("bad", "Reg ion"), TOOL];
		const server = await serveMcp({ era: "modern", handlers: { "tools/list": () => ({ tools }) } });
		const client = connect(server);
		expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["good", "add"]);
		await client.callTool("good", { region: "é" });
		expect(server.find("tools/call").headers["mcp-param-region"]).toBe("=?base64?w6k=?=");
		await client.callTool("add", { region: "eu" });
		expect(server.find("tools/call").headers["mcp-param-region"]).toBeUndefined();
	});

	it("that a server wants since then make the list be read again, once", async () => {
		let tools: readonly object[] = [{ ...TOOL, name: "good" }];
		const server = await serveMcp({
			era: "modern",
			handlers: {
				"tools/list": () => ({ tools }),
				"tools/call": ({ id, headers }, response) =>
					headers["mcp-param-region"] === "eu"
						? result
						: sendError(response, 400, id, -32020, "Region is missing"),
			},
		});
		const client = connect(server);
		await client.listTools();
		tools = [withHeader("good", "Region")];
		expect(await client.callTool("good", { region: "eu" })).toMatchObject({ status: "complete" });
		expect([server.count("tools/list"), server.count("tools/call")]).toEqual([2, 2]);
		expect(await failure(client.callTool("good", {}))).toMatchObject({
			code: "header_mismatch",
			status: 400,
		});
		expect(server.count("tools/call")).toBe(4);
	});
});

it("progress is told, and the stream may go on as long as it says something", async () => {
	const progressEvents: unknown[] = [];
	const server = await serveMcp({
		era: "modern",
		handlers: {
			async "tools/call"({ id, params }, response) {
				const progressToken = toProgressToken(params);
				for (let progress = 1; progress <= 5; progress++) {
					stream(response, rpc({ method: "notifications/progress", params: { progressToken, progress } }));
					await wait(30);
				}
				stream(response, rpc({ id, result }));
			},
		},
	});
	const options = {
		onProgress: (one: unknown) => progressEvents.push(one),
		timeouts: { idleTimeoutMs: 1000 },
	};
	expect(await connect(server).callTool("add", {}, options)).toMatchObject({ status: "complete" });
	expect(progressEvents).toEqual([1, 2, 3, 4, 5].map((progress) => ({ progress })));
	expect(server.find("tools/list").params?._meta).not.toHaveProperty("progressToken");
});

it("an aborted call closes the stream, which cancels it, and says no more", async () => {
	let isClosed = false;
	const server = await serveMcp({
		era: "modern",
		handlers: {
			"tools/call"(_, response) {
				stream(response);
				response.on("close", () => {
					isClosed = true;
				});
			},
		},
	});
	const controller = new AbortController();
	const failed = failure(connect(server).callTool("add", {}, { signal: controller.signal }));
	await expect.poll(() => server.count("tools/call")).toBe(1);
	controller.abort(new Error("Enough"));
	expect((await failed).message).toBe("Enough");
	await expect.poll(() => isClosed).toBe(true);
	expect(server.count("notifications/cancelled")).toBe(0);
});

describe("a stream that breaks", () => {
	it("loses a call, which is not made again", async () => {
		const server = await serveMcp({
			era: "modern",
			handlers: {
				"tools/call": (_, response) => {
					response.writeHead(200, { "content-type": "text/event-stream" });
					response.end("id: event-1\nretry: 1\ndata: \n\n");
				},
			},
		});
		const error = await failure(connect(server).callTool("add"));
		expect(error).toMatchObject({
			name: "McpError",
			code: "no_response",
			hint: expect.stringContaining("may have run"),
		});
		expect([server.count("tools/call"), server.count("GET")]).toEqual([1, 0]);
	});

	it("is asked again for a list, with another id", async () => {
		let count = 0;
		const server = await serveMcp({
			era: "modern",
			handlers: {
				"tools/list": (_, response) => {
					count += 1;
					if (count % 3 === 0) return { tools: [TOOL] };
					stream(response);
					setTimeout(() => response.socket?.destroy(), 5);
				},
			},
		});
		const client = connect(server);
		expect((await client.listTools()).tools).toHaveLength(1);
		expect((await client.listTools()).tools).toHaveLength(1);
		expect(new Set(server.received.map(({ id }) => id)).size).toBe(6);
		expect(await failure(connect(server, { maxRetries: 1 }).listTools())).toMatchObject({
			code: "stream_lost",
		});
	});
});

describe("a result that asks for something", () => {
	const inputRequests = { who: { method: "elicitation/create", params: { message: "Who?" } } };

	it("goes on with what was asked for, in a request of its own", async () => {
		const server = await serveMcp({
			era: "modern",
			handlers: {
				"tools/call": ({ params }) =>
					params?.inputResponses === undefined
						? { resultType: "input_required", inputRequests, requestState: "state-1" }
						: params.requestState === "state-1"
							? { resultType: "input_required", inputRequests: {} }
							: result,
			},
		});
		const outcome = await connect(server).callTool("add", { a: 1 });
		if (outcome.status !== "input_required") throw new Error("It asked for nothing.");
		expect(outcome.inputRequests).toEqual(inputRequests);
		const responses = { who: { action: "accept", content: { name: "Ada" } } };
		const next = await outcome.continue(responses, { headers: { "x-own": "1" } });
		const { params, headers, id } = server.find("tools/call");
		expect(params).toMatchObject({
			name: "add",
			arguments: { a: 1 },
			inputResponses: responses,
			requestState: "state-1",
		});
		expect(headers["x-own"]).toBe("1");
		expect(id).not.toBe(server.received.find(({ method }) => method === "tools/call")?.id);
		if (next.status !== "input_required") throw new Error("It asked for nothing.");
		expect(await next.continue({})).toMatchObject({ status: "complete" });
		expect(server.find("tools/call").params).not.toHaveProperty("requestState");
	});

	it("of a type that nobody knows is an error", async () => {
		const server = await serveMcp({
			era: "modern",
			handlers: { "tools/call": () => ({ resultType: "task" }) },
		});
		expect(await failure(connect(server).callTool("add"))).toMatchObject({ code: "unknown_result_type" });
	});
});

it("the list that calls are made by is read again when it has changed, or its time is over", async () => {
	const server = await serveMcp({
		era: "modern",
		handlers: {
			"tools/list": () => ({ tools: [TOOL], ttlMs: 60_000 }),
			"tools/call": ({ id, params }, response) => {
				if (params?.name !== "change") return result;
				stream(response, rpc({ method: "notifications/tools/list_changed" }), rpc({ id, result }));
			},
		},
	});
	const client = connect(server);
	for (const name of ["add", "add", "change", "add"]) await client.callTool(name);
	expect(server.count("tools/list")).toBe(2);
	vi.setSystemTime(Date.now() + 61_000);
	await client.callTool("add");
	expect(server.count("tools/list")).toBe(3);
});

it("streams over XMLHttpRequest where `fetch` cannot, as in React Native", async () => {
	vi.stubGlobal("XMLHttpRequest", NodeXmlHttpRequest);
	vi.stubGlobal("Response", class {});
	vi.stubGlobal("TextDecoder", undefined);
	const progressEvents: unknown[] = [];
	const server = await serveMcp({
		era: "modern",
		handlers: {
			async "tools/call"({ id, params }, response) {
				const progressToken = toProgressToken(params);
				stream(response, rpc({ method: "notifications/progress", params: { progressToken, progress: 1 } }));
				await expect.poll(() => progressEvents.length).toBe(1);
				stream(response, rpc({ id, result }));
			},
		},
	});
	const outcome = await connect(server).callTool(
		"add",
		{},
		{ onProgress: (one) => progressEvents.push(one) },
	);
	expect(outcome).toMatchObject({ status: "complete", content: [{ text: "done" }] });
});
