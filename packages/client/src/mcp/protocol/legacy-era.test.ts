import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { version } from "../../../package.json";
import {
	connect,
	failure,
	rpc,
	send,
	sendError,
	serveMcp,
	stream,
	TOOL,
	toProgressToken,
} from "../test-support/mcp-server";

const legacy = { protocol: "legacy" } as const;
const done = { content: [{ type: "text", text: "done" }] };

it("says what the server says of itself", async () => {
	const server = await serveMcp({ era: "legacy" });
	expect(await connect(server, legacy).server()).toEqual({
		protocol: "legacy",
		protocolVersion: "2025-11-25",
		name: "legacy",
		version: "1",
		capabilities: { tools: {} },
	});
	const { params, headers } = server.find("initialize");
	expect(params).toEqual({
		protocolVersion: "2025-11-25",
		capabilities: {},
		clientInfo: { name: "stemma", version },
	});
	expect(headers["mcp-protocol-version"]).toBeUndefined();
	expect(headers.accept).toBe("application/json, text/event-stream");
	expect(headers["idempotency-key"]).toBeUndefined();
});

it.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])("speaks %s", async (version) => {
	const server = await serveMcp({ era: "legacy", version });
	await connect(server, legacy).callTool("add");
	expect(server.find("tools/call").headers).toMatchObject({
		"mcp-protocol-version": version,
		"mcp-session-id": expect.stringContaining("session-1"),
	});
	expect(server.find("notifications/initialized").headers["mcp-protocol-version"]).toBe(version);
});

it("refuses a version that it does not know", async () => {
	const server = await serveMcp({ era: "legacy", version: "2023-01-01" });
	const error = await failure(connect(server, legacy).listTools());
	expect(error).toMatchObject({ name: "McpError", code: "unsupported_version" });
	expect(error.message).toContain('"2023-01-01"');
});

describe("a session that is lost", () => {
	it("is begun anew once, however many calls find it out, and each call is made once", async () => {
		const server = await serveMcp({ era: "legacy" });
		const client = connect(server, legacy);
		await client.callTool("add");
		server.forgetSessions();
		const outcomes = await Promise.all([1, 2, 3, 4].map((a) => client.callTool("add", { a })));
		expect(outcomes.map((outcome) => outcome.status === "complete" && outcome.content)).toEqual(
			[1, 2, 3, 4].map((a) => [{ type: "text", text: `{"a":${a}}` }]),
		);
		expect(server.count("initialize")).toBe(2);
	});

	it.each([
		[404, "Session not found"],
		[400, "Bad Request: No valid session ID provided"],
	])("again right after (HTTP %i) is an error", async (status, message) => {
		const server = await serveMcp({
			era: "legacy",
			handlers: { "tools/call": ({ id }, response) => sendError(response, status, id, -32001, message) },
		});
		const error = await failure(connect(server, legacy).callTool("add"));
		expect(error).toMatchObject({ code: "server_error", status, rpcCode: -32001 });
		expect(server.count("initialize")).toBe(2);
		expect(server.count("tools/call")).toBe(2);
	});

	it("is none where there was none", async () => {
		const server = await serveMcp({
			era: "legacy",
			hasSessions: false,
			handlers: { "tools/call": (_, response) => void response.writeHead(404).end() },
		});
		expect(await failure(connect(server, legacy).callTool("add"))).toMatchObject({ name: "NotFoundError" });
		expect(server.count("tools/call")).toBe(1);
	});
});

it("close ends the session; the next call begins another", async () => {
	const server = await serveMcp({ era: "legacy" });
	const client = connect(server, legacy);
	await client.callTool("add");
	const { "mcp-session-id": session } = server.find("tools/call").headers;
	await client.close();
	await client.close();
	expect(server.count("DELETE")).toBe(1);
	expect(server.find("DELETE").headers["mcp-session-id"]).toBe(session);
	await client.callTool("add");
	expect(server.count("initialize")).toBe(2);
});

it("close takes no harm from a server that takes no DELETE", async () => {
	const server = await serveMcp({
		era: "legacy",
		handlers: { DELETE: (_, response) => void response.socket?.destroy() },
	});
	const client = connect(server, legacy);
	await client.listTools();
	await client.close();
	expect(server.count("DELETE")).toBe(1);
});

describe("on a stream", () => {
	it("requests of the server have answers, and progress is told", async () => {
		const answers = () =>
			server.received.filter(({ id, method }) => method === undefined && id !== undefined);
		const progress: unknown[] = [];
		const server = await serveMcp({
			era: "legacy",
			handlers: {
				async "tools/call"({ id, params }, response) {
					const progressToken = toProgressToken(params);
					const sendProgress = (params: object) => rpc({ method: "notifications/progress", params });
					stream(
						response,
						rpc({ id: "ping-1", method: "ping" }),
						rpc({ id: 9, method: "sampling/createMessage" }),
					);
					stream(response, sendProgress({ progressToken, progress: 1, total: 2, message: "half" }));
					stream(response, sendProgress({ progressToken: "another", progress: 7 }));
					await expect.poll(() => answers().length).toBe(2);
					stream(response, sendProgress({ progressToken, progress: 2 }), rpc({ id, result: done }));
				},
			},
		});
		const outcome = await connect(server, legacy).callTool(
			"add",
			{},
			{ onProgress: (one) => progress.push(one) },
		);
		expect(outcome).toEqual({ status: "complete", isError: false, ...done });
		expect(progress).toEqual([{ progress: 1, total: 2, message: "half" }, { progress: 2 }]);
		expect(answers()).toEqual([
			expect.objectContaining({ id: "ping-1", result: {} }),
			expect.objectContaining({ id: 9, error: expect.objectContaining({ code: -32601 }) }),
		]);
		for (const { headers } of answers()) expect(headers["mcp-session-id"]).toContain("session-1");
	});

	it("that ends too early it goes on where it ended, after the pause that the server asks for", async () => {
		let endedAt = 0;
		let requestCount = 0;
		let call: number | undefined;
		const server = await serveMcp({
			era: "legacy",
			handlers: {
				"tools/call"({ id }, response) {
					call = id;
					response.writeHead(200, { "content-type": "text/event-stream" });
					response.end("id: event-1\nretry: 120\ndata: \n\n");
					endedAt = performance.now();
				},
				GET(_, response) {
					requestCount += 1;
					if (requestCount === 1) expect(performance.now() - endedAt).toBeGreaterThanOrEqual(110);
					response.writeHead(200, { "content-type": "text/event-stream" });
					const message = requestCount === 3 ? JSON.stringify(rpc({ id: call, result: done })) : "";
					response.write(`id: again-${requestCount}\ndata: ${message}\n\n`);
					// The second time the connection breaks.
					if (requestCount === 2) setTimeout(() => response.socket?.destroy(), 5);
					else response.end();
				},
			},
		});
		const outcome = await connect(server, legacy).callTool("add");
		expect(outcome).toEqual({ status: "complete", isError: false, ...done });
		const gets = server.received.filter(({ http }) => http === "GET").map(({ headers }) => headers);
		expect(gets.map((headers) => headers["last-event-id"])).toEqual(["event-1", "again-1", "again-2"]);
		expect(gets[0]).toMatchObject({ accept: "text/event-stream", "mcp-session-id": expect.any(String) });
		expect(server.count("tools/call")).toBe(1);
	});

	it("that never goes on it gives up", async () => {
		const server = await serveMcp({
			era: "legacy",
			handlers: {
				"tools/call": (_, response) =>
					void response
						.writeHead(200, { "content-type": "text/event-stream" })
						.end("id: event-1\nretry: 1\ndata: \n\n"),
				GET: (_, response) => void response.writeHead(200, { "content-type": "text/event-stream" }).end(),
			},
		});
		expect(await failure(connect(server, legacy).callTool("add"))).toMatchObject({ code: "no_response" });
		expect(server.count("GET")).toBe(5);
		expect(server.count("tools/call")).toBe(1);
	});
});

describe("a call that is left", () => {
	const never = { "tools/call": () => undefined };

	it("is cancelled by its id", async () => {
		const server = await serveMcp({ era: "legacy", handlers: never });
		const controller = new AbortController();
		const failed = failure(connect(server, legacy).callTool("add", {}, { signal: controller.signal }));
		await expect.poll(() => server.count("tools/call")).toBe(1);
		controller.abort(new Error("Enough"));
		expect((await failed).message).toBe("Enough");
		await expect.poll(() => server.count("notifications/cancelled")).toBe(1);
		const { params, headers } = server.find("notifications/cancelled");
		expect(params).toEqual({ requestId: server.find("tools/call").id });
		expect(headers["mcp-session-id"]).toContain("session-1");
	});

	it("by a deadline, too", async () => {
		const server = await serveMcp({ era: "legacy", handlers: never });
		const error = await failure(
			connect(server, legacy).callTool("add", {}, { timeouts: { headersTimeoutMs: 50 } }),
		);
		expect(error).toMatchObject({ name: "TimeoutError", code: "headers_timeout" });
		await expect.poll(() => server.count("notifications/cancelled")).toBe(1);
	});

	it("while it waits to go on with a stream", async () => {
		const server = await serveMcp({
			era: "legacy",
			handlers: {
				"tools/call": (_, response) =>
					void response
						.writeHead(200, { "content-type": "text/event-stream" })
						.end("id: event-1\nretry: 50000\ndata: \n\n"),
			},
		});
		const controller = new AbortController();
		const failed = failure(connect(server, legacy).callTool("add", {}, { signal: controller.signal }));
		await expect.poll(() => server.count("tools/call")).toBe(1);
		await wait(50);
		controller.abort(new Error("Enough"));
		expect((await failed).message).toBe("Enough");
		await expect.poll(() => server.count("notifications/cancelled")).toBe(1);
		expect(server.count("GET")).toBe(0);
	});

	it("but not `initialize`", async () => {
		const server = await serveMcp({ era: "legacy", handlers: { initialize: () => undefined } });
		const client = connect(server, { ...legacy, timeouts: { headersTimeoutMs: 50 } });
		expect(await failure(client.callTool("add"))).toMatchObject({ code: "headers_timeout" });
		await wait(30);
		expect(server.received.map(({ method }) => method)).toEqual(["initialize"]);
	});
});

it("lets go of a stream once the response is there", async () => {
	let isClosed = false;
	const server = await serveMcp({
		era: "none",
		handlers: {
			initialize({ id }, response) {
				response.on("close", () => {
					isClosed = true;
				});
				stream(response, rpc({ id, result: { protocolVersion: "2025-11-25" } }));
			},
			"tools/list": () => ({ tools: [] }),
		},
	});
	await connect(server, legacy).listTools();
	await expect.poll(() => isClosed).toBe(true);
});

it.each([404, 405, 400])("HTTP %i to `initialize` says that there is no such server", async (status) => {
	const server = await serveMcp({
		era: "none",
		handlers: { "*": (_, response) => void response.writeHead(status).end() },
	});
	const error = await failure(connect(server).listTools());
	expect(error).toMatchObject({ name: "McpError", code: "unsupported_transport", status });
	expect(error.hint).toContain("HTTP+SSE");
});

it("takes several messages in one answer, as 2025-03-26 has it", async () => {
	const server = await serveMcp({
		era: "legacy",
		version: "2025-03-26",
		handlers: {
			"tools/list": ({ id }, response) =>
				send(response, [
					rpc({ method: "notifications/message", params: {} }),
					rpc({ id, result: { tools: [TOOL] } }),
				]),
		},
	});
	expect((await connect(server, legacy).listTools()).tools).toEqual([TOOL]);
});
