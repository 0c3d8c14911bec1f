import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { MethodHandler } from "./test-support/mcp-server";
import {
	connect,
	failure,
	rpc,
	send,
	sendError,
	sendResult,
	serveMcp,
	stream,
} from "./test-support/mcp-server";

const result = { content: [{ type: "text", text: "done" }], resultType: "complete" };
const eras = ["legacy", "modern"] as const;

const callOf = async (answer: MethodHandler, options: Parameters<typeof connect>[1] = {}) => {
	const era = options.protocol ?? "modern";
	const server = await serveMcp({ era, handlers: { "tools/call": answer } });
	return { server, call: connect(server, { protocol: era, ...options }).callTool("add") };
};

const BROKEN: Readonly<Record<string, readonly [MethodHandler, string]>> = {
	"no JSON": [(_, response) => send(response, "{"), "malformed_response"],
	"JSON that is no object": [(_, response) => send(response, "7"), "malformed_response"],
	"another JSON": [(_, response) => send(response, { result }), "malformed_response"],
	"another version": [
		({ id }, response) => send(response, { jsonrpc: "1.0", id, result }),
		"malformed_response",
	],
	"neither result nor error": [({ id }, response) => send(response, rpc({ id })), "malformed_response"],
	"a result that is none": [({ id }, response) => sendResult(response, id, [1]), "malformed_response"],
	"an error that is none": [
		({ id }, response) => send(response, rpc({ id, error: "No" })),
		"malformed_response",
	],
	"one that is malformed among several": [
		({ id }, response) => send(response, [rpc({ id, result }), 7]),
		"malformed_response",
	],
	nothing: [(_, response) => send(response, ""), "no_response"],
	"202": [(_, response) => void response.writeHead(202).end(), "no_response"],
	HTML: [
		(_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
		"malformed_response",
	],
	"another id": [(_, response) => sendResult(response, 4711, result), "wrong_id"],
	"its id as a text": [({ id }, response) => sendResult(response, String(id), result), "wrong_id"],
	"a result for no id": [(_, response) => sendResult(response, null, result), "wrong_id"],
	"an error for no id": [(_, response) => sendError(response, 200, null, -32600, "No"), "invalid_request"],
	"malformed data on a stream": [
		(_, response) => {
			stream(response);
			response.end("data: {\n\n");
		},
		"malformed_response",
	],
	"other ids alone on a stream": [
		(_, response) => {
			stream(response, rpc({ id: 4711, result }));
			response.end();
		},
		"wrong_id",
	],
};

describe.each(eras)("a server (%s) that answers", (protocol) => {
	it.each(Object.entries(BROKEN))("%s", async (_, [answer, code]) => {
		const { server, call } = await callOf(answer, { protocol });
		const error = await failure(call);
		expect(error).toMatchObject({ name: "McpError", code });
		expect(error.message.length).toBeLessThan(200);
		expect(server.count("tools/call")).toBe(1);
	});

	it("other ids first, and its own twice, is taken by the first of its own", async () => {
		const { call } = await callOf(
			({ id }, response) => {
				const second = { ...result, content: [{ type: "text", text: "second" }] };
				stream(response, rpc({ id: 4711, result: second }), rpc({ id, result }), rpc({ id, result: second }));
				response.end();
			},
			{ protocol },
		);
		expect(await call).toMatchObject({ content: [{ text: "done" }] });
	});

	it("concurrent calls crosswise has neither", async () => {
		const waiting: (() => void)[] = [];
		const ids: number[] = [];
		const server = await serveMcp({
			era: protocol,
			handlers: {
				async "tools/call"({ id = 0 }, response) {
					ids.push(id);
					await new Promise<void>((resolve) => {
						waiting.push(resolve);
						if (waiting.length === 2) for (const go of waiting) go();
					});
					sendResult(
						response,
						ids.find((other) => other !== id),
						result,
					);
				},
			},
		});
		const client = connect(server, { protocol });
		const errors = await Promise.all([failure(client.callTool("add")), failure(client.callTool("add"))]);
		expect(errors.map(({ code }) => code)).toEqual(["wrong_id", "wrong_id"]);
	});
});

const MEGABYTE = "x".repeat(2 ** 20);

/** Sends that until nobody takes it any more, or 100 MB are out; gives how many pieces that were. */
async function writeUntilClosed(
	response: Parameters<MethodHandler>[1],
	head: string,
	chunk: string,
): Promise<number> {
	response.setMaxListeners(0);
	response.write(head);
	const closed = once(response, "close");
	let count = 0;
	for (; count < 100 && !response.destroyed; count++)
		if (!response.write(chunk)) await Promise.race([once(response, "drain"), closed]);
	response.end();
	return count;
}

describe.each(eras)("100 MB (%s)", (protocol) => {
	it.each([
		["as JSON", "application/json", '{"jsonrpc":"2.0","result":{"a":"', MEGABYTE],
		["in one event", "text/event-stream", "data: ", MEGABYTE],
		[
			"in many events",
			"text/event-stream",
			"",
			`data: ${JSON.stringify(rpc({ method: "a", params: { MEGABYTE } }))}\n\n`,
		],
		["of comments", "text/event-stream", "", `: ${MEGABYTE}\n\n`],
		["as HTML", "text/html", "", MEGABYTE],
	])("%s end while they are read", async (_, type, head, chunk) => {
		let sent: Promise<number> | undefined;
		const { call } = await callOf(
			(_, response) => {
				response.writeHead(200, { "content-type": type });
				sent = writeUntilClosed(response, head, chunk);
			},
			{ protocol },
		);
		expect(await failure(call)).toMatchObject({
			name: "McpError",
			code: "result_too_large",
			message: expect.stringContaining("10485760"),
		});
		expect(await sent).toBeLessThan(60);
	});
});

it("`maxResultBytes` is the bound, to the byte", async () => {
	const answer: MethodHandler = ({ id }, response) => sendResult(response, id, result);
	const length = JSON.stringify({ jsonrpc: "2.0", id: 1, result }).length;
	const bounded = async (maxResultBytes: number) => {
		const server = await serveMcp({
			era: "none",
			handlers: { "server/discover": answer, "tools/list": answer },
		});
		return connect(server, { protocol: "modern", maxResultBytes }).server();
	};
	expect(await failure(bounded(length - 1))).toMatchObject({ code: "result_too_large" });
	expect(await bounded(length)).toMatchObject({ protocol: "modern" });
});

describe("an endless stream", () => {
	it("that falls silent ends by `idleTimeoutMs`", async () => {
		const { call } = await callOf((_, response) => stream(response), { timeouts: { idleTimeoutMs: 600 } });
		expect(await failure(call)).toMatchObject({ name: "TimeoutError", code: "idle_timeout" });
	});

	it("that goes on for ever ends by `timeoutMs`, and the connection with it", async () => {
		let isClosed = false;
		const { call } = await callOf(
			async (_, response) => {
				response.on("close", () => {
					isClosed = true;
				});
				while (!isClosed) {
					stream(response, rpc({ method: "notifications/message", params: {} }));
					await wait(5);
				}
			},
			{ timeouts: { timeoutMs: 120 } },
		);
		expect(await failure(call)).toMatchObject({ name: "TimeoutError", code: "total_timeout" });
		await expect.poll(() => isClosed).toBe(true);
	});
});

it("a redirect is not followed", async () => {
	const other = await serveMcp({ era: "modern" });
	const { call } = await callOf(
		(_, response) => void response.writeHead(308, { location: other.url }).end(),
		{
			token: "a-secret-token",
		},
	);
	expect(await failure(call)).toMatchObject({ name: "ConnectionError", code: "redirected" });
	expect(other.received).toEqual([]);
});

describe("what a server says", () => {
	const SECRET = "sk-a-very-secret-token";

	it("is cut, and without what it was authorised with", async () => {
		const { call } = await callOf(
			({ id, headers }, response) =>
				sendError(response, 400, id, -32603, `${headers.authorization} ${"x".repeat(100_000)}`, {
					echo: headers.authorization,
				}),
			{ token: SECRET },
		);
		const error = await failure(call);
		expect(error).toMatchObject({ code: "server_error", rpcCode: -32603, status: 400 });
		expect(error.message.length).toBeLessThan(4100);
		expect(JSON.stringify(error) + error.message + error.stack).not.toContain(SECRET);
		expect(error.data).toEqual({ echo: "Bearer [redacted]" });
	});

	it("besides an error is left out where it is long", async () => {
		const { call } = await callOf(({ id }, response) =>
			sendError(response, 200, id, -1, "No", { a: MEGABYTE }),
		);
		expect((await failure(call)).data).toBeUndefined();
	});

	it.each([
		[-32700, "a", "parse_error"],
		[-32600, "a", "invalid_request"],
		[-32601, "a", "method_not_found"],
		[-32602, "a is missing", "invalid_params"],
		[-32602, "Unknown tool: add", "tool_not_found"],
		[-32602, "Tool add not found", "tool_not_found"],
		[-32603, "a", "server_error"],
		[-32002, "a", "resource_not_found"],
		[-32021, "a", "missing_capability"],
		[-1, "a", "server_error"],
		["-1", "a", "server_error"],
		[-32603, 7, "server_error"],
	])("with code %o and message %o is %s", async (rpcCode, message, code) => {
		const error = { code: rpcCode, message };
		const { call } = await callOf(({ id }, response) => send(response, rpc({ id, error })));
		expect(await failure(call)).toMatchObject({ name: "McpError", code });
	});
});
