import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
	connect,
	failure,
	type McpTestServer,
	type MethodHandler,
	rpc,
	send,
	sendError,
	serveMcp,
	stream,
	TOOL,
} from "../test-support/mcp-server";

const slowly: (milliseconds: number, answer: MethodHandler) => MethodHandler =
	(milliseconds, answer) => async (received, response) => {
		await wait(milliseconds);
		return answer(received, response);
	};
const initialized = {
	protocolVersion: "2025-11-25",
	serverInfo: { name: "s", version: "1" },
	capabilities: {},
};
const methods = ({ received }: McpTestServer) => received.map(({ http, method }) => method ?? http);

it("sends nothing before the first call", async () => {
	const server = await serveMcp({ era: "modern" });
	const client = connect(server);
	await wait(20);
	await client.close();
	expect(server.received).toEqual([]);
});

describe("ten concurrent first calls", () => {
	const call = (client: ReturnType<typeof connect>) =>
		Promise.all(Array.from({ length: 10 }, (_, index) => client.callTool("add", { a: index })));

	it("of a legacy server that is slow send one initialize", async () => {
		const server = await serveMcp({
			era: "legacy",
			hasSessions: false,
			handlers: { initialize: slowly(100, () => initialized) },
		});
		const outcomes = await call(connect(server));
		expect(outcomes.map((outcome) => outcome.status === "complete" && outcome.content[0])).toEqual(
			Array.from({ length: 10 }, (_, a) => ({ type: "text", text: JSON.stringify({ a }) })),
		);
		expect(server.count("initialize")).toBe(1);
		expect(server.count("notifications/initialized")).toBe(1);
		expect(server.count("tools/call")).toBe(10);
	});

	it("of a modern server send none, and find out with the list that they need", async () => {
		const server = await serveMcp({
			era: "modern",
			handlers: { "tools/list": slowly(50, () => ({ tools: [TOOL] })) },
		});
		await call(connect(server));
		expect(server.count("initialize")).toBe(0);
		expect(server.count("tools/list")).toBe(1);
		expect(server.count("tools/call")).toBe(10);
	});

	it("for the list of a modern server share the request that finds out", async () => {
		const server = await serveMcp({ era: "modern" });
		const client = connect(server);
		await Promise.all(Array.from({ length: 10 }, () => client.listTools()));
		expect(methods(server)).toEqual(["tools/list"]);
		await client.listTools();
		expect(methods(server)).toEqual(["tools/list", "tools/list"]);
	});
});

/** What servers of before say to a request that they do not know. */
const REFUSALS: Readonly<Record<string, MethodHandler>> = {
	"400 with JSON-RPC": ({ id }, response) => void sendError(response, 400, id, -32000, "No session"),
	"400 with a text": (_, response) => void response.writeHead(400).end("Bad Request"),
	"404 with nothing": (_, response) => void response.writeHead(404).end(),
	"405 with HTML": (_, response) =>
		void response.writeHead(405, { "content-type": "text/html" }).end("<html>"),
	"406": (_, response) => void response.writeHead(406).end(),
	"200 with -32601": ({ id }, response) => void sendError(response, 200, id, -32601, "Unknown"),
	"200 with -32600": ({ id }, response) => void sendError(response, 200, id, -32600, "Invalid"),
	"200 with an error for no id": (_, response) => void sendError(response, 200, null, -32700, "?"),
	"200 with a result that has no marks": () => ({ tools: [TOOL] }),
	"200 with no JSON-RPC": (_, response) => void send(response, { tools: [] }),
	"202": (_, response) => void response.writeHead(202).end(),
	"an error on a stream": ({ id }, response) => {
		stream(response, rpc({ id, error: { code: -32600, message: "Invalid" } }));
		response.end();
		return undefined;
	},
};

describe("a server of before that answers", () => {
	it.each(Object.entries(REFUSALS))("%s is spoken to as one", async (_, reject) => {
		const server = await serveMcp({
			era: "none",
			handlers: {
				initialize: () => initialized,
				"server/discover": ({ id }, response) => sendError(response, 200, id, -32601, "Unknown"),
				"tools/list": (received, response) =>
					received.headers["mcp-protocol-version"] === "2026-07-28"
						? reject(received, response)
						: { tools: [TOOL] },
			},
		});
		const client = connect(server);
		expect((await client.listTools()).tools).toEqual([TOOL]);
		expect((await client.server()).protocol).toBe("legacy");
		expect(server.count("initialize")).toBe(1);
		expect(server.find("tools/list").headers["mcp-protocol-version"]).toBe("2025-11-25");
		const before = server.received.length;
		await client.listTools();
		expect(server.received.length).toBe(before + 1);
	});
});

/** What says nothing of an era. */
const FAILURES: Readonly<Record<string, readonly [MethodHandler, object]>> = {
	"401": [(_, response) => void response.writeHead(401).end(), { name: "AuthenticationError" }],
	"403": [(_, response) => void response.writeHead(403).end(), { name: "PermissionError" }],
	"429": [(_, response) => void response.writeHead(429).end(), { name: "RateLimitError" }],
	"500": [(_, response) => void response.writeHead(500).end(), { name: "ServerError" }],
	"a redirect": [
		(_, response) => void response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
		{ name: "ConnectionError", code: "redirected" },
	],
	"a broken connection": [(_, response) => void response.socket?.destroy(), { name: "ConnectionError" }],
	"a stream that breaks": [
		(_, response) => {
			stream(response);
			setTimeout(() => response.socket?.destroy(), 5);
		},
		{ name: "McpError", code: "stream_lost" },
	],
};

describe("a handshake that fails by", () => {
	it.each(Object.entries(FAILURES))("%s is no verdict, and not kept", async (_, [fail, error]) => {
		let isBroken = true;
		const server = await serveMcp({
			era: "none",
			handlers: {
				"tools/list": (received, response) =>
					isBroken ? fail(received, response) : { tools: [], resultType: "complete" },
			},
		});
		const client = connect(server);
		const failures = await Promise.all([1, 2, 3].map(() => failure(client.listTools())));
		expect(failures).toEqual([1, 2, 3].map(() => expect.objectContaining(error)));
		isBroken = false;
		expect(await client.listTools()).toEqual({ tools: [] });
		expect(server.count("initialize")).toBe(0);
	});

	it("an `initialize` that fails is tried again by the next call", async () => {
		let count = 0;
		const server = await serveMcp({
			era: "none",
			handlers: {
				"tools/list": ({ headers, id }, response) =>
					headers["mcp-protocol-version"] === "2025-11-25"
						? { tools: [TOOL] }
						: sendError(response, 400, id, -32000, "No session"),
				initialize: ({ id }, response) => {
					count += 1;
					return count === 1 ? sendError(response, 200, id, -32603, "Not yet") : initialized;
				},
			},
		});
		const client = connect(server);
		expect(await failure(client.listTools())).toMatchObject({
			name: "McpError",
			code: "server_error",
			rpcCode: -32603,
		});
		expect((await client.listTools()).tools).toEqual([TOOL]);
	});
});

describe("an aborted caller", () => {
	it("does not abort the handshake of the others", async () => {
		const server = await serveMcp({
			era: "legacy",
			hasSessions: false,
			handlers: { initialize: slowly(100, () => initialized) },
		});
		const client = connect(server);
		const controller = new AbortController();
		const aborted = failure(client.callTool("add", {}, { signal: controller.signal }));
		const others = [client.callTool("add", { a: 1 }), client.listTools()];
		await wait(30);
		const reason = new Error("I changed my mind");
		controller.abort(reason);
		expect(await aborted).toBe(reason);
		await Promise.all(others);
		await wait(50);
		expect(server.count("initialize")).toBe(1);
		expect(server.count("tools/call")).toBe(1);
		expect(server.count("notifications/cancelled")).toBe(0);
	});

	it("before its call sends nothing", async () => {
		const server = await serveMcp({ era: "modern" });
		const controller = new AbortController();
		controller.abort();
		await failure(connect(server).listTools({ signal: controller.signal }));
		await wait(20);
		expect(server.received).toEqual([]);
	});

	it("and a deadline end the wait for a handshake", async () => {
		const server = await serveMcp({ era: "none", handlers: { "tools/list": () => undefined } });
		const error = await failure(connect(server).listTools({ timeouts: { timeoutMs: 50 } }));
		expect(error).toMatchObject({ name: "TimeoutError", code: "total_timeout" });
	});
});

describe("`protocol`", () => {
	it.each([
		["legacy", ["initialize", "notifications/initialized", "tools/call"]],
		["modern", ["tools/list", "tools/call"]],
	] as const)("%s is spoken without finding out", async (protocol, expected) => {
		const server = await serveMcp({ era: protocol });
		await connect(server, { protocol }).callTool("add");
		expect(methods(server)).toEqual(expected);
	});
});

const rejectVersion =
	(...supported: readonly string[]): MethodHandler =>
	({ id }, response) =>
		sendError(response, 400, id, -32022, "Unsupported protocol version", {
			supported,
			requested: "2026-07-28",
		});

describe("a server that refuses our version", () => {
	it("once, although it speaks it, is asked again", async () => {
		let count = 0;
		const server = await serveMcp({
			era: "modern",
			handlers: {
				"tools/list": (received, response) => {
					count += 1;
					return count === 1 ? rejectVersion("2026-07-28")(received, response) : { tools: [] };
				},
			},
		});
		await connect(server).listTools();
		expect(methods(server)).toEqual(["tools/list", "tools/list"]);
		expect(new Set(server.received.map(({ id }) => id)).size).toBe(2);
	});

	it("and speaks older ones, too, is spoken to as one of before", async () => {
		const server = await serveMcp({
			era: "none",
			handlers: {
				initialize: () => initialized,
				"tools/list": (received, response) =>
					received.headers["mcp-protocol-version"] === "2025-11-25"
						? { tools: [TOOL] }
						: rejectVersion("2027-01-01", "2025-11-25")(received, response),
			},
		});
		expect((await connect(server).listTools()).tools).toEqual([TOOL]);
	});

	it("for ever, or for newer ones alone, is an error with what it says", async () => {
		for (const supported of ["2027-01-01", "2026-07-28"]) {
			const server = await serveMcp({ era: "none", handlers: { "tools/list": rejectVersion(supported) } });
			const error = await failure(connect(server).listTools());
			expect(error).toMatchObject({
				code: "unsupported_version",
				rpcCode: -32022,
				data: { supported: [supported] },
			});
			expect(server.count("initialize")).toBe(0);
		}
	});
});

it("a modern server without tools is told from one of before", async () => {
	const server = await serveMcp({
		era: "modern",
		handlers: {
			"tools/list": ({ id }, response) => sendError(response, 404, id, -32601, "Method not found"),
		},
	});
	const client = connect(server);
	expect(await failure(client.listTools())).toMatchObject({ code: "method_not_found", status: 404 });
	expect((await client.server()).protocol).toBe("modern");
	expect(server.count("initialize")).toBe(0);
});
