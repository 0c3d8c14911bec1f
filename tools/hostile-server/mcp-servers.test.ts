import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { createMcpLock, type McpClientOptions } from "@stemma/client/mcp";
import { isStemmaError } from "@stemma/core";
import { mcpTools } from "@stemma/local";
import {
	DONE,
	type McpEra,
	NORMAL_TOOL,
	type RpcHandler,
	resetConnection,
	sendRpc,
	sendRpcEvent,
	sendText,
	startHostileMcp,
	startOtherOrigin,
	writeUntilClosed,
} from "@stemma/simulators/hostile";
import { describe, expect, it } from "vitest";
import { measureMemory, nest, TOKEN, useRpcFixture } from "./rpc-fixture";
import { catchError } from "./server-fixture";

const ERAS = ["legacy", "modern"] as const satisfies readonly McpEra[];
const fixture = useRpcFixture();

/** What `tools/call` of a server fails with that answers it so. */
async function failCall(era: McpEra, answer: RpcHandler, options: Partial<McpClientOptions> = {}) {
	const { server, mcp } = fixture(await startHostileMcp(era));
	server.on("tools/call", answer);
	const client = mcp({ protocol: era, ...options });
	const error = await catchError(client.callTool("add"));
	return { error, server, client };
}

const raw =
	(body: (id: unknown) => string): RpcHandler =>
	({ id }, response) =>
		sendText(response, body(id));

const MEGABYTE = "x".repeat(2 ** 20);
const result = '"result":{"content":[],"resultType":"complete"}';

/** Besides those that the client's own tests have. */
const MALFORMED: Readonly<Record<string, readonly [RpcHandler, string]>> = {
	null: [raw(() => "null"), "malformed_response"],
	"an empty array": [raw(() => "[]"), "no_response"],
	"an array in an array": [raw((id) => `[[{"jsonrpc":"2.0","id":${id},${result}}]]`), "malformed_response"],
	"no version": [raw((id) => `{"id":${id},${result}}`), "malformed_response"],
	"a version that is a number": [raw((id) => `{"jsonrpc":2.0,"id":${id},${result}}`), "malformed_response"],
	"a result and an error": [
		raw((id) => `{"jsonrpc":"2.0","id":${id},${result},"error":{"code":-32603,"message":"No."}}`),
		"server_error",
	],
	"a result and an error that is a long text": [
		raw((id) => `{"jsonrpc":"2.0","id":${id},${result},"error":"${MEGABYTE.repeat(9)}"}`),
		"malformed_response",
	],
	"a result that is a list": [raw((id) => `{"jsonrpc":"2.0","id":${id},"result":[]}`), "malformed_response"],
	"JSON and more": [raw((id) => `{"jsonrpc":"2.0","id":${id},${result}} {}`), "malformed_response"],
	"its id twice, the other one last": [
		raw((id) => `{"jsonrpc":"2.0","id":${id},"id":4711,${result}}`),
		"wrong_id",
	],
	"an id that is a list": [raw((id) => `{"jsonrpc":"2.0","id":[${id}],${result}}`), "wrong_id"],
	"an id that is an object": [raw((id) => `{"jsonrpc":"2.0","id":{"toString":${id}},${result}}`), "wrong_id"],
	"an id that is true": [raw(() => `{"jsonrpc":"2.0","id":true,${result}}`), "wrong_id"],
	"an id that is nearly its own": [raw((id) => `{"jsonrpc":"2.0","id":${id}.0000001,${result}}`), "wrong_id"],
	"no id": [raw(() => `{"jsonrpc":"2.0",${result}}`), "wrong_id"],
	"its request": [raw((id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call",${result}}`), "no_response"],
	"an error that is nested without end": [
		raw((id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-1,"message":"No.","data":${nest(100_000)}}}`),
		"server_error",
	],
	"an error of objects": [
		raw((id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":{"valueOf":1},"message":{"toString":1}}}`),
		"server_error",
	],
	"an unknown type of result": [
		raw((id) => `{"jsonrpc":"2.0","id":${id},"result":{"resultType":{"toString":1}}}`),
		"unknown_result_type",
	],
	"bytes that are no text": [
		(_, response) =>
			void response
				.writeHead(200, { "content-type": "application/json" })
				.end(Buffer.from([255, 254, 0, 123])),
		"malformed_response",
	],
	"gzip that is none": [
		(_, response) =>
			void response
				.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
				.end("{}"),
		"stream_lost",
	],
};

describe.each(ERAS)("a server (%s) that answers", (era) => {
	it.each(Object.entries(MALFORMED))("%s", async (_, [answer, code]) => {
		const used = await measureMemory(async () => {
			const { error, server } = await failCall(era, answer);
			expect(error).toMatchObject({ name: "McpError", code });
			expect(server.of("tools/call")).toHaveLength(1);
		});
		// A long text that is taken for an object would take a thousand.
		expect(used).toBeLessThan(200);
	});

	it("with progress that is a long text makes no object of it", async () => {
		const used = await measureMemory(async () => {
			const failed = await failCall(era, (_, response) => {
				sendRpcEvent(response, { method: "notifications/progress", params: MEGABYTE.repeat(8) });
				response.end();
			});
			expect(failed.error).toMatchObject({ code: "malformed_response" });
		});
		expect(used).toBeLessThan(120);
	});

	it("every status is an error, or a result, and none is asked for too often", async () => {
		const { server, mcp } = fixture(await startHostileMcp(era));
		server.on("tools/call", ({ params }, response) => {
			const status = Number((params as { arguments: { status: number } }).arguments.status);
			response.writeHead(status, { "content-type": "text/plain", location: "/elsewhere" }).end();
		});
		const client = mcp({ protocol: era, maxRetries: 1 });
		await client.listTools();
		const statuses = Array.from({ length: 400 }, (_, index) => 200 + index);
		for (let from = 0; from < statuses.length; from += 50)
			await Promise.all(
				statuses.slice(from, from + 50).map(async (status) => {
					const error = await catchError(client.callTool("add", { status }));
					expect([status, isStemmaError(error)]).toEqual([status, true]);
					expect(error.code).toMatch(
						/^(connection_failed|no_response|http_\d+|redirected|invalid_response|malformed_response)$/,
					);
				}),
			);
		expect(server.of("tools/call").length).toBeLessThanOrEqual(405);
		expect(server.requests.every(({ path }) => path === "/mcp")).toBe(true);
	});

	it.each(["before-headers", "after-headers", "in-body", "in-event"])(
		"with a reset %s is not called again",
		async (when) => {
			const { error, server } = await failCall(era, async (_, response) => {
				const type = when === "in-event" ? "text/event-stream" : "application/json";
				if (when !== "before-headers") response.writeHead(200, { "content-type": type }).flushHeaders();
				if (when.startsWith("in")) response.write(when === "in-event" ? 'data: {"jso' : '{"jso');
				await wait(20);
				resetConnection(response);
			});
			expect(error.code).toMatch(/^(connection_failed|stream_lost)$/);
			expect(server.of("tools/call")).toHaveLength(1);
		},
	);

	it.each([301, 302, 303, 307, 308])("%i leads nowhere, and the credential goes nowhere", async (status) => {
		const other = await startOtherOrigin();
		for (const location of ["/mcp", `${other.origin}/mcp`, "file:///etc/passwd", "//evil.example", ""]) {
			const { error, server } = await failCall(
				era,
				(_, response) => void response.writeHead(status, { location }).end(),
			);
			expect(error).toMatchObject({ name: "ConnectionError", code: "redirected" });
			expect(server.of("tools/call")).toHaveLength(1);
		}
		expect(other.requests).toEqual([]);
		await other.close();
	});

	it.each([
		"",
		"Bearer",
		'Bearer scope="',
		`Bearer scope="${"a ".repeat(5000)}"`,
		'Bearer resource_metadata="javascript:alert(1)", scope=""',
		`Bearer ${'resource_metadata="'.repeat(300)}`,
		"\u00ff\u00fe=\u00ff",
		`Bearer realm="${TOKEN}", scope="${TOKEN}", resource_metadata="https://${TOKEN}.example"`,
	])("401 and 403 with the challenge %o", async (challenge) => {
		for (const status of [401, 403]) {
			const { error } = await failCall(
				era,
				(_, response) => void response.writeHead(status, { "www-authenticate": challenge }).end(),
			);
			expect(error).toMatchObject({ status });
			expect(String(error.hint).length).toBeLessThan(4000);
		}
	});
});

describe.each(ERAS)("100 MB and more of a server (%s)", (era) => {
	/** Of many members, which is one text. */
	const bomb = Buffer.concat(Array.from({ length: 128 }, () => gzipSync(MEGABYTE)));
	const FLOODS: Readonly<Record<string, readonly [string, string, string | Buffer]>> = {
		"of JSON": ["application/json", '{"jsonrpc":"2.0","result":{"a":"', MEGABYTE],
		"of nested JSON": ["application/json", "", "[".repeat(2 ** 20)],
		"of comments": ["text/event-stream", "", ": x\n\n".repeat(2 ** 18)],
		"of empty lines": ["text/event-stream", "", "\n".repeat(2 ** 20)],
		"of empty events": ["text/event-stream", "", "data\n\n".repeat(2 ** 18)],
		"in one line": ["text/event-stream", "data: ", MEGABYTE],
		"in one event": ["text/event-stream", "", `data: ${MEGABYTE}\n`],
		"of notifications": ["text/event-stream", "", 'data: {"jsonrpc":"2.0","method":"n"}\n\n'.repeat(2 ** 15)],
		"of answers never asked for": [
			"text/event-stream",
			"",
			`data: {"jsonrpc":"2.0","id":4711,${result}}\n\n`.repeat(2 ** 14),
		],
	};

	// Both eras read alike.
	it.each(Object.entries(era === "modern" ? FLOODS : {}))("%s", async (_, [type, head, piece]) => {
		let sent = 0;
		let error: unknown;
		const used = await measureMemory(async () => {
			({ error } = await failCall(era, async (_, response) => {
				response.writeHead(200, { "content-type": type }).write(head);
				sent = await writeUntilClosed(response, piece, 128);
				response.end();
			}));
		});
		expect(error).toMatchObject({ name: "McpError", code: "result_too_large" });
		await expect.poll(() => sent).toBeGreaterThan(0);
		expect(sent * piece.length).toBeLessThan(60 * 2 ** 20);
		expect(used).toBeLessThan(150);
	});

	it.each(["application/json", "text/event-stream"])("packed small, as %s", async (type) => {
		let error: unknown;
		const used = await measureMemory(async () => {
			({ error } = await failCall(
				era,
				(_, response) =>
					void response.writeHead(200, { "content-type": type, "content-encoding": "gzip" }).end(bomb),
			));
		});
		expect(error).toMatchObject({ code: "result_too_large" });
		expect(used).toBeLessThan(150);
	});

	it("of tools, over many pages, ends while it is read", async () => {
		const { server, mcp } = fixture(await startHostileMcp(era));
		server.on("tools/list", ({ params = {}, headers }, response) => {
			if (era === "legacy" && "mcp-method" in headers) return void response.writeHead(400).end();
			const cursor = Number(params.cursor ?? 0);
			const tools = [{ ...NORMAL_TOOL, name: `tool_${cursor}`, description: MEGABYTE }];
			return { tools, nextCursor: String(cursor + 1), resultType: "complete" };
		});
		let error: unknown;
		const used = await measureMemory(async () => {
			error = await catchError(mcp().listTools());
		});
		expect(error).toMatchObject({ name: "McpError", code: "list_too_long" });
		expect(server.of("tools/list").length).toBeLessThan(20);
		expect(used).toBeLessThan(150);
	});
});

describe.each(ERAS)("a list of tools (%s)", (era) => {
	const list = async (
		pages: (cursor: string | undefined) => object,
		options: Partial<McpClientOptions> = {},
	) => {
		const { server, mcp } = fixture(await startHostileMcp(era));
		server.on("tools/list", ({ params = {}, headers }, response) => {
			if (era === "legacy" && "mcp-method" in headers) return void response.writeHead(400).end();
			return { resultType: "complete", ...pages(params.cursor as string | undefined) };
		});
		return { server, client: mcp({ protocol: era, ...options }) };
	};

	it.each<readonly [string, (cursor: string | undefined) => unknown, number]>([
		["leads to itself", () => "same", 2],
		["leads to itself by the empty one", () => "", 2],
		["goes in a circle", (cursor) => ({ a: "b", b: "c", c: "a" })[cursor ?? "c"] ?? "a", 4],
		["has no end", (cursor) => `${Number(cursor ?? 0) + 1}`, 1000],
	])("that %s ends", async (_, next, max) => {
		const { server, client } = await list((cursor) => ({ tools: [], nextCursor: next(cursor) }));
		expect(await catchError(client.listTools())).toMatchObject({ code: "list_too_long" });
		expect(server.of("tools/list").length).toBeLessThanOrEqual(max);
	});

	it.each([[7], [{}], [[]], [true], [null]])("with the cursor %j is at its end", async (nextCursor) => {
		const { client } = await list(() => ({ tools: [NORMAL_TOOL], nextCursor }));
		expect((await client.listTools()).tools).toHaveLength(1);
	});

	it("has no tools but tools", async () => {
		const strange = [
			null,
			7,
			"tool",
			[],
			{},
			{ name: 7, inputSchema: {} },
			{ name: "a" },
			{ name: "b", inputSchema: [] },
		];
		const twice = { ...NORMAL_TOOL, description: "another" };
		const { client } = await list(() => ({ tools: [...strange, NORMAL_TOOL, twice], ttlMs: -1 }));
		expect((await client.listTools()).tools).toEqual([NORMAL_TOOL]);
	});

	it.each(["[]", "null", "7", '{"length":1e9}'])("that is %s is none", async (tools) => {
		const { client } = await list(() => ({ tools: tools === "[]" ? undefined : JSON.parse(tools) }));
		expect(await catchError(client.listTools())).toMatchObject({ code: "malformed_response" });
	});

	it.each([10_000, 200_000])(
		"with a schema of %i levels is refused, or goes without that tool",
		async (depth) => {
			const { server, mcp } = fixture(await startHostileMcp(era));
			const schema = `{"type":"object","properties":{"a":${nest(depth)}}}`;
			const tools = `[{"name":"deep","inputSchema":${schema}},${JSON.stringify(NORMAL_TOOL)}]`;
			server.on("tools/list", ({ id }, response) =>
				sendText(
					response,
					`{"jsonrpc":"2.0","id":${id},"result":{"tools":${tools},"resultType":"complete"}}`,
				),
			);
			const client = mcp({ protocol: era, maxResultBytes: 2 ** 25 });
			const outcome = await client.listTools().catch((error: Error) => error);
			if (outcome instanceof Error)
				expect(outcome).toMatchObject({ name: "McpError", code: "malformed_response" });
			else expect(outcome.tools.some(({ name }) => name === NORMAL_TOOL.name)).toBe(true);
			const port = mcpTools();
			const reference = {
				runId: "r",
				node: "n",
				tool: "deep",
				server: `${server.origin}/mcp`,
				arguments: {},
			};
			const described = port.describe(reference, { signal: new AbortController().signal });
			expect(isStemmaError(await catchError(described))).toBe(true);
			port.close();
		},
	);

	it("fetches nothing that a schema names, and follows no loop", async () => {
		const other = await startOtherOrigin();
		const $ref = `${other.origin}/schema.json`;
		const inputSchema = {
			$schema: $ref,
			$id: $ref,
			type: "object",
			properties: { a: { $ref }, b: { $ref: "#" }, c: { $dynamicRef: $ref } },
			$defs: { d: { $ref: "#/$defs/e" }, e: { $ref: "#/$defs/d" } },
		};
		const bomb = { name: "add", inputSchema, outputSchema: inputSchema, icons: [{ src: $ref }] };
		const { server, client } = await list(() => ({ tools: [bomb] }));
		const { tools } = await client.listTools();
		expect(tools).toEqual([bomb]);
		const pin = await createMcpLock(tools);
		await fixture(server).mcp({ protocol: era, pin }).callTool("add", { a: 1 });
		const port = mcpTools();
		const reference = {
			runId: "r",
			node: "n",
			tool: "add",
			server: `${server.origin}/mcp`,
			arguments: { a: {} },
		};
		const { signal } = new AbortController();
		expect(await port.describe(reference, { signal })).toMatchObject({ parameters: inputSchema });
		expect(await port.call(reference, { signal })).toBe("done");
		port.close();
		expect(other.requests).toEqual([]);
		expect(server.requests.every(({ path }) => path === "/mcp")).toBe(true);
		await other.close();
	});

	it("with the keys of prototypes changes none", async () => {
		const hostile = JSON.parse(
			'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":null,"hasOwnProperty":1}',
		);
		const tool = {
			name: "__proto__",
			inputSchema: { type: "object", ...hostile, properties: hostile },
			annotations: hostile,
			_meta: hostile,
		};
		const { server, client } = await list(() => ({ tools: [tool], _meta: hostile, ...hostile }));
		const { tools } = await client.listTools();
		const pin = await createMcpLock(tools);
		server.on("tools/call", ({ id }, response) => {
			sendRpcEvent(response, { method: "notifications/progress", params: { progressToken: id, ...hostile } });
			sendRpcEvent(response, {
				id,
				result: { ...DONE, ...hostile, structuredContent: hostile, _meta: hostile },
			});
			response.end();
		});
		const outcome = await fixture(server)
			.mcp({ protocol: era, pin })
			.callTool("__proto__", hostile, { onProgress: () => undefined });
		expect(Object.keys((outcome as { structuredContent: object }).structuredContent)).toContain("__proto__");
		server.on("tools/call", ({ id }, response) =>
			sendRpc(response, { id, error: { code: -1, message: "No.", data: hostile } }),
		);
		await catchError(client.callTool("constructor"));
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
		expect(Object.prototype).not.toHaveProperty("polluted");
	});
});

describe("what goes into headers", () => {
	const decode = (value: string): string =>
		/^=\?base64\?(.*)\?=$/.test(value) ? Buffer.from(value.slice(9, -2), "base64").toString() : value;
	const TEXTS = [
		"a\r\nx-evil: 1",
		"a\nb",
		"\0",
		"größe 😀",
		" padded ",
		"",
		"=?base64?YQ==?=",
		"x".repeat(9000),
		"\u2028",
		"a\u007f",
	];

	it.each(TEXTS)("is a tool's name as it is, or encoded: %j", async (name) => {
		const { server, mcp } = fixture(await startHostileMcp("modern"));
		server.on("tools/list", () => ({ tools: [{ ...NORMAL_TOOL, name }], resultType: "complete" }));
		await mcp().callTool(name);
		const { headers, params } = server.of("tools/call")[0] ?? expect.unreachable();
		expect(decode(String(headers["mcp-name"]))).toBe(name);
		expect(params?.name).toBe(name);
		expect(headers).not.toHaveProperty("x-evil");
	});

	it.each(TEXTS)("is an argument as it is, or encoded: %j", async (region) => {
		const { server, mcp } = fixture(await startHostileMcp("modern"));
		const properties = { region: { type: "string", "x-mcp-header": "Region" } };
		server.on("tools/list", () => ({
			tools: [{ name: "add", inputSchema: { type: "object", properties } }],
			resultType: "complete",
		}));
		await mcp().callTool("add", { region });
		const { headers } = server.of("tools/call")[0] ?? expect.unreachable();
		expect(decode(String(headers["mcp-param-region"]))).toBe(region);
		expect(headers).not.toHaveProperty("x-evil");
	});

	it("takes no tool whose annotations are not valid", async () => {
		const { server, mcp } = fixture(await startHostileMcp("modern"));
		const names = ["a b", "a\r\nx-evil: 1", "", "ä", "a:b", 7, null, {}, [], true, "xxx\0"];
		const tools = names.map((name, index) => ({
			name: `tool_${index}`,
			inputSchema: { type: "object", properties: { a: { type: "string", "x-mcp-header": name } } },
		}));
		const clashing = {
			name: "clashing",
			inputSchema: {
				type: "object",
				properties: {
					a: { type: "string", "x-mcp-header": "Same" },
					b: { type: "string", "x-mcp-header": "sAME" },
				},
			},
		};
		const good = {
			name: "good",
			inputSchema: {
				type: "object",
				properties: JSON.parse('{"__proto__":{"type":"string","x-mcp-header":"__proto__"}}'),
			},
		};
		server.on("tools/list", () => ({ tools: [...tools, clashing, good], resultType: "complete" }));
		const client = mcp();
		expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["good"]);
		await client.callTool("good", {});
		await client.callTool("good", JSON.parse('{"__proto__":"a\\r\\nx-evil: 1"}'));
		const [without, given] = server.of("tools/call");
		expect(without?.headers).not.toHaveProperty("mcp-param-__proto__");
		expect(given?.headers).toHaveProperty("mcp-param-__proto__");
		expect(given?.headers).not.toHaveProperty("x-evil");
	});

	it("that no server takes is an error", async () => {
		const { mcp } = fixture(await startHostileMcp("modern"));
		expect(isStemmaError(await catchError(mcp({ maxRetries: 0 }).callTool("x".repeat(200_000))))).toBe(true);
	});

	it.each(["a b", "\u00ff\u00fe", "x".repeat(8000), "../../x", "a,b;c=d", '"'])(
		"is a session's id %j",
		async (id) => {
			const { server, mcp } = fixture(await startHostileMcp("legacy"));
			server.on("initialize", (_, response) => {
				response.setHeader("mcp-session-id", id);
				return { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: {} };
			});
			const client = mcp({ protocol: "legacy" });
			await client.callTool("add").catch((error: unknown) => expect(isStemmaError(error)).toBe(true));
			for (const { headers, path } of server.requests.slice(1)) {
				expect(path).toBe("/mcp");
				expect(headers["mcp-session-id"]).toBe(id);
			}
			await client.close();
		},
	);
});

describe("a server of the era of sessions", () => {
	it.each([
		"1999-01-01",
		"2026-07-28",
		"",
		"9999-99-99",
		"x".repeat(10_000),
		7,
		null,
		{ toString: 1, valueOf: 1 },
		[[[]]],
	])("that answers `initialize` with the version %j is refused", async (protocolVersion) => {
		const { server, mcp } = fixture(await startHostileMcp("legacy"));
		server.on("initialize", () => ({ protocolVersion, capabilities: {}, serverInfo: {} }));
		const error = await catchError(mcp().callTool("add"));
		expect(error).toMatchObject({ name: "McpError", code: "unsupported_version" });
		expect(error.message.length).toBeLessThan(300);
		expect(server.of("notifications/initialized")).toHaveLength(0);
	});

	it.each([[{ toString: 1, valueOf: 1 }], [[[]]], [null], ["text"], [7]])(
		"is told of as it is, whatever %j says",
		async (serverInfo) => {
			const { server, mcp } = fixture(await startHostileMcp("legacy"));
			const strange = { name: serverInfo, version: serverInfo };
			server.on("initialize", () => ({
				protocolVersion: "2025-11-25",
				capabilities: 7,
				instructions: [],
				serverInfo: strange,
			}));
			const info = await mcp({ protocol: "legacy" }).server();
			expect([typeof info.name, typeof info.version]).toEqual(["string", "string"]);
		},
	);

	it("that asks without end is not answered without end", async () => {
		const { server, mcp } = fixture(await startHostileMcp("legacy"));
		server.on("tools/call", async ({ id }, response) => {
			const ping = 'data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n';
			response.writeHead(200, { "content-type": "text/event-stream" });
			await writeUntilClosed(response, ping.repeat(100), 50);
			sendRpcEvent(response, { id, result: DONE });
			response.end();
		});
		await mcp({ protocol: "legacy" }).callTool("add");
		await wait(200);
		const replies = server.requests.filter(({ result }) => result !== undefined);
		expect(replies.length).toBeGreaterThan(0);
		expect(replies.length).toBeLessThanOrEqual(100);
	});

	it("whose stream breaks in the middle of an event is read on from the last whole one", async () => {
		const { server, mcp } = fixture(await startHostileMcp("legacy"));
		server.on("tools/call", async ({ id }, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.write('retry: 1\nid: e1\ndata:\n\nid: e2\ndata: {"jsonrpc":"2.0",');
			server.on("GET", (_, next) => {
				sendRpcEvent(next, { id, result: DONE }, "e2");
				next.end();
			});
			await wait(20);
			resetConnection(response);
		});
		expect(await mcp({ protocol: "legacy" }).callTool("add")).toMatchObject({ content: [{ text: "done" }] });
		expect(server.of("GET").map(({ headers }) => headers["last-event-id"])).toEqual(["e1"]);
	});

	it.each(["a\u0000b", "ü", "x".repeat(100_000), "a\tb"])(
		"whose events have the id %j harms nobody",
		async (eventId) => {
			const { server, mcp } = fixture(await startHostileMcp("legacy"));
			const answer: RpcHandler = (_, response) => {
				response.writeHead(200, { "content-type": "text/event-stream" });
				response.end(`retry: 0\nid: ${eventId}\ndata:\n\n`);
			};
			server.on("tools/call", answer);
			server.on("GET", answer);
			expect(isStemmaError(await catchError(mcp({ protocol: "legacy" }).callTool("add")))).toBe(true);
			expect(server.of("GET").length).toBeLessThanOrEqual(20);
		},
	);

	it("that forgets each session at once is not asked without end", async () => {
		const { server, mcp } = fixture(await startHostileMcp("legacy"));
		server.on("tools/call", (_, response) => void response.writeHead(404).end());
		expect(await catchError(mcp({ protocol: "legacy" }).callTool("add"))).toMatchObject({ status: 404 });
		expect(server.of("initialize")).toHaveLength(2);
	});
});

describe("a server that changes its era", () => {
	it.each([
		["legacy", "modern"],
		["modern", "legacy"],
	] as const)("from %s to %s fails in good order, without end of requests", async (before, after) => {
		const { server, mcp } = fixture(await startHostileMcp(before));
		const client = mcp();
		await client.callTool("add");
		const other = fixture(await startHostileMcp(after)).server;
		const start = server.requests.length;
		for (const method of ["initialize", "tools/list", "tools/call", "server/discover"])
			server.on(method, ({ id }, response) =>
				after === "modern"
					? sendRpc(
							response,
							{ id, error: { code: -32022, message: "No.", data: { supported: ["2026-07-28"] } } },
							400,
						)
					: sendText(response, "Bad Request: no session", 400, "text/plain"),
			);
		for (let count = 0; count < 5; count++) {
			const error = await catchError(client.callTool("add"));
			expect(isStemmaError(error)).toBe(true);
		}
		expect(server.requests.length - start).toBeLessThanOrEqual(30);
		expect(other.requests).toEqual([]);
	});

	it("each time that it is asked is not asked without end", async () => {
		const { server, mcp } = fixture(await startHostileMcp("modern"));
		for (const method of ["tools/list", "server/discover", "initialize", "tools/call"])
			server.on(method, ({ id }, response) =>
				sendRpc(
					response,
					{
						id,
						error: {
							code: -32022,
							message: "No.",
							data: { supported: ["2025-11-25", "2026-07-28", { toString: 1, valueOf: 1 }] },
						},
					},
					400,
				),
			);
		expect(isStemmaError(await catchError(mcp().callTool("add")))).toBe(true);
		expect(server.requests.length).toBeLessThanOrEqual(10);
	});
});

/** `catchError` finds secrets in what is thrown, the stage in what is logged. */
describe.each(ERAS)("a server (%s) that repeats the credential", (era) => {
	const echo = `You sent ${TOKEN}`;

	it.each<readonly [string, RpcHandler]>([
		[
			"in an error",
			({ id }, response) =>
				sendRpc(response, { id, error: { code: -1, message: echo, data: { [echo]: echo } } }),
		],
		[
			"in an error with a status",
			({ id }, response) =>
				sendRpc(response, { id, error: { code: -32602, message: echo, data: echo } }, 400),
		],
		[
			"in a refusal",
			(_, response) =>
				sendText(
					response,
					JSON.stringify({ error: { code: echo, message: echo, hint: echo, details: { echo } } }),
					422,
				),
		],
		["in a page", (_, response) => sendText(response, echo, 500, "text/html")],
		[
			"in headers",
			(_, response) =>
				void response
					.writeHead(401, {
						"www-authenticate": `Bearer scope="${echo}"`,
						"x-request-id": TOKEN,
						location: TOKEN,
					})
					.end(echo),
		],
		[
			"in a redirect",
			(_, response) => void response.writeHead(307, { location: `https://evil.example/${TOKEN}` }).end(echo),
		],
		["in what is no JSON", (_, response) => sendText(response, echo)],
		["in a type of result", ({ id }, response) => sendRpc(response, { id, result: { resultType: echo } })],
		["in an id", (_, response) => sendRpc(response, { id: echo, result: DONE })],
	])("%s", async (_, answer) => {
		await failCall(era, answer);
	});

	it("in its version", async () => {
		const { server, mcp } = fixture(await startHostileMcp("legacy"));
		server.on("initialize", () => ({ protocolVersion: TOKEN }));
		await catchError(mcp({ protocol: "legacy" }).server());
	});

	it("in a pinned tool", async () => {
		const { server, mcp } = fixture(await startHostileMcp(era));
		const pin = await createMcpLock([NORMAL_TOOL as never]);
		const changed = { ...NORMAL_TOOL, inputSchema: { type: "object", properties: { [echo]: {} } } };
		server.on("tools/list", () => ({ tools: [changed], resultType: "complete" }));
		expect(await catchError(mcp({ protocol: era, pin }).listTools())).toMatchObject({ code: "tool_changed" });
	});

	it("in what is not as its schema says", async () => {
		const { server, mcp } = fixture(await startHostileMcp(era));
		server.on("tools/call", () => ({ ...DONE, structuredContent: { echo } }));
		const validate = (_: unknown, value: unknown) => ({
			valid: false as const,
			errors: [JSON.stringify(value)],
		});
		expect(await catchError(mcp({ protocol: era, validate }).callTool("add"))).toMatchObject({
			code: "output_invalid",
		});
	});

	it("to a graph", async () => {
		const { server } = fixture(await startHostileMcp(era));
		const port = mcpTools({ secret: () => TOKEN });
		const { signal } = new AbortController();
		const reference = {
			runId: "r",
			node: "n",
			tool: "add",
			server: `${server.origin}/mcp`,
			secret: "s",
			arguments: {},
		};
		server.on("tools/call", () => ({
			content: [{ type: "text", text: echo }],
			isError: true,
			resultType: "complete",
		}));
		expect(await catchError(port.call(reference, { signal }))).toMatchObject({ code: "tool_failed" });
		server.on("tools/list", () => ({ tools: [{ ...NORMAL_TOOL, name: echo }], resultType: "complete" }));
		expect(await catchError(port.describe({ ...reference, tool: "gone" }, { signal }))).toMatchObject({
			code: "tool_not_found",
		});
		port.close();
	});
});

describe("calls that are given up", () => {
	const stalls: Readonly<Record<string, RpcHandler>> = {
		"before an answer": () => undefined,
		"after its head": (_, response) =>
			void response.writeHead(200, { "content-type": "application/json" }).flushHeaders(),
		"in a stream": ({ id }, response) =>
			sendRpcEvent(response, {
				method: "notifications/progress",
				params: { progressToken: id, progress: 1 },
			}),
		"in a drip": async (_, response) => {
			response.writeHead(200, { "content-type": "application/json" });
			while (!response.destroyed) {
				response.write(" ");
				await wait(5);
			}
		},
	};

	it.each(ERAS.flatMap((era) => Object.keys(stalls).map((when) => [era, when] as const)))(
		"(%s, %s) leave nothing behind",
		async (era, when) => {
			const { server, mcp } = fixture(await startHostileMcp(era));
			const stall = stalls[when] ?? expect.unreachable();
			server.on("tools/call", stall);
			const client = mcp({ protocol: era });
			await client.listTools();
			const controller = new AbortController();
			const reason = new Error("Enough.");
			const calls = Array.from({ length: 20 }, () =>
				catchError(client.callTool("add", {}, { signal: controller.signal })),
			);
			await expect.poll(() => server.of("tools/call").length).toBe(20);
			controller.abort(reason);
			for (const error of await Promise.all(calls)) expect(error).toBe(reason);
			if (era === "legacy") await expect.poll(() => server.of("notifications/cancelled").length).toBe(20);
			await expect.poll(() => server.openResponses).toBe(0);
		},
	);

	it("in time leave nothing behind", async () => {
		const { error } = await failCall("modern", stalls["in a drip"] ?? expect.unreachable(), {
			timeouts: { timeoutMs: 100 },
		});
		expect(error).toMatchObject({ code: "total_timeout" });
	});

	it.each(ERAS)("a thousand of them, on one signal (%s)", async (era) => {
		const { server, mcp } = fixture(await startHostileMcp(era));
		const client = mcp({ protocol: era });
		const controller = new AbortController();
		const { signal } = controller;
		let listeners = 0;
		const { addEventListener, removeEventListener } = signal;
		signal.addEventListener = (...args: unknown[]) => {
			listeners += 1;
			return Reflect.apply(addEventListener, signal, args);
		};
		signal.removeEventListener = (...args: unknown[]) => {
			listeners -= 1;
			return Reflect.apply(removeEventListener, signal, args);
		};
		const kinds: readonly RpcHandler[] = [
			() => DONE,
			({ id }, response) => sendRpc(response, { id, error: { code: -1, message: "No." } }),
			(_, response) => sendText(response, "no"),
			(_, response) => resetConnection(response),
		];
		server.on("tools/call", (request, response) => kinds[Number(request.id) % 4]?.(request, response));
		for (let count = 0; count < 10; count++)
			await Promise.allSettled(Array.from({ length: 100 }, () => client.callTool("add", {}, { signal })));
		expect(server.of("tools/call")).toHaveLength(1000);
		expect(listeners).toBe(0);
	});
});
