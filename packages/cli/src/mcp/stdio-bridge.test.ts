import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { createClient } from "@stemma/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bridgeStdio, readLines } from "./stdio-bridge";

interface Seen {
	readonly headers: IncomingMessage["headers"];
	readonly body: { readonly id?: unknown; readonly method?: string };
	isAborted: boolean;
}

type Reply = (request: Seen, response: ServerResponse) => void;

const service = { seen: [] as Seen[], reply: undefined as Reply | undefined };
const server = createServer(async (incoming, response) => {
	let text = "";
	for await (const chunk of incoming) text += chunk;
	const seen: Seen = { headers: incoming.headers, body: JSON.parse(text), isAborted: false };
	response.on("close", () => {
		seen.isAborted = !response.writableFinished;
	});
	service.seen.push(seen);
	service.reply?.(seen, response);
});

const json =
	(toBody: (request: Seen) => object, status = 200): Reply =>
	(request, response) =>
		void response
			.writeHead(status, { "content-type": "application/json" })
			.end(JSON.stringify(toBody(request), undefined, 2));

const result = ({ body }: Seen, value: object) => ({ jsonrpc: "2.0", id: body.id, result: value });

const URL_OF_SERVICE = "https://stemma.example";

/** A program on the other side of the standard streams. */
function createProgram() {
	const input = new PassThrough();
	const written: { readonly [field: string]: unknown }[] = [];
	const notes: string[] = [];
	const { port } = server.address() as AddressInfo;
	const client = createClient({
		clientKey: "ck_1_secretsecret",
		baseUrl: `http://127.0.0.1:${port}`,
		maxRetries: 0,
	});
	const ended = bridgeStdio(client, {
		url: URL_OF_SERVICE,
		input: readLines(input),
		write: (line) => {
			expect(line).not.toMatch(/[\r\n]/);
			written.push(JSON.parse(line));
		},
		log: (text) => notes.push(text),
	});
	return {
		written,
		notes,
		say: (message: object | string) =>
			void input.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`),
		sayBytes: (bytes: Uint8Array) => void input.write(bytes),
		end() {
			input.end();
			return ended;
		},
	};
}

let program: ReturnType<typeof createProgram>;
beforeEach(async () => {
	Object.assign(service, { seen: [], reply: undefined });
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	program = createProgram();
});
afterEach(async () => {
	await program.end();
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

const request = (id: unknown, method: string, params: object = {}) => ({
	jsonrpc: "2.0",
	id,
	method,
	params,
});
const modern = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };

describe("messages of an assistant", () => {
	it("go to the service with its credential, and say the version that was agreed on", async () => {
		service.reply = json((seen) =>
			result(seen, seen.body.method === "initialize" ? { protocolVersion: "2025-11-25" } : { tools: [] }),
		);
		program.say(request(0, "initialize", { protocolVersion: "2025-11-25" }));
		await expect.poll(() => program.written).toHaveLength(1);
		program.say(request("a", "tools/list"));
		await expect.poll(() => program.written).toHaveLength(2);
		expect(program.written).toEqual([
			{ jsonrpc: "2.0", id: 0, result: { protocolVersion: "2025-11-25" } },
			{ jsonrpc: "2.0", id: "a", result: { tools: [] } },
		]);
		const [first, second] = service.seen;
		expect(first?.headers).toMatchObject({
			authorization: "Bearer ck_1_secretsecret",
			accept: "application/json, text/event-stream",
		});
		expect(first?.headers).not.toHaveProperty("mcp-protocol-version");
		expect(second?.headers).toMatchObject({ "mcp-protocol-version": "2025-11-25" });
		expect(second?.headers).not.toHaveProperty("mcp-method");
	});

	it.each([
		["search", "search"],
		["größe", "=?base64?Z3LDtsOfZQ==?="],
		["=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="],
	])("of the modern era say in headers what they are: %s", async (name, header) => {
		service.reply = json((seen) => result(seen, {}));
		program.say(request(1, "tools/call", { ...modern, name }));
		await expect.poll(() => program.written).toHaveLength(1);
		expect(service.seen[0]?.headers).toMatchObject({
			"mcp-protocol-version": "2026-07-28",
			"mcp-method": "tools/call",
			"mcp-name": header,
		});
	});

	it("get all that a stream brings, as it comes", async () => {
		service.reply = (seen, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.write('data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n: still there\n\n');
			setTimeout(() => response.end(`data: ${JSON.stringify(result(seen, {}))}\n\n`), 20);
		};
		program.say(request(1, "tools/call", { name: "ask" }));
		await expect.poll(() => program.written).toHaveLength(2);
		expect(program.written).toMatchObject([{ method: "notifications/progress" }, { id: 1, result: {} }]);
	});

	it("end with a line feed alone, and come in whatever pieces", async () => {
		service.reply = json((seen) => result(seen, seen.body));
		const params = { query: "a\u2028b\u2029c\u0085d – ü" };
		const bytes = Buffer.from(`${JSON.stringify(request(1, "ping", params))}\r\n`);
		for (const byte of bytes) program.sayBytes(Buffer.of(byte));
		await expect.poll(() => program.written).toMatchObject([{ id: 1, result: { params } }]);
	});

	it("get no answer to notifications", async () => {
		service.reply = (_, response) => void response.writeHead(202).end();
		program.say({ jsonrpc: "2.0", method: "notifications/initialized" });
		await expect.poll(() => service.seen).toHaveLength(1);
		await program.end();
		expect(program.written).toEqual([]);
	});

	it("are given up when they are cancelled, and nothing more is said of them", async () => {
		program.say(request(7, "tools/call", { name: "ask" }));
		await expect.poll(() => service.seen).toHaveLength(1);
		service.reply = (_, response) => void response.writeHead(202).end();
		program.say({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
		await expect.poll(() => service.seen[0]?.isAborted).toBe(true);
		await program.end();
		expect(program.written).toEqual([]);
		expect(program.notes).toEqual([]);
	});

	it("are given up when the assistant ends", async () => {
		program.say(request(7, "tools/call", { name: "ask" }));
		await expect.poll(() => service.seen).toHaveLength(1);
		await program.end();
		await expect.poll(() => service.seen[0]?.isAborted).toBe(true);
	});
});

describe("what goes wrong", () => {
	it.each([400, 404])("in the protocol is passed on: %i", async (status) => {
		service.reply = json(
			({ body }) => ({ jsonrpc: "2.0", id: body.id, error: { code: -32601, message: "No." } }),
			status,
		);
		program.say(request(1, "nothing/here"));
		await expect
			.poll(() => program.written)
			.toEqual([{ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "No." } }]);
	});

	it("before it becomes an error of the request, in words that say what to do", async () => {
		const error = { code: "invalid_credential", message: "The key is not known.", hint: "Make a new one." };
		service.reply = json(() => ({ error }), 401);
		program.say(request(1, "tools/list"));
		await expect
			.poll(() => program.written)
			.toEqual([
				{ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "The key is not known. Make a new one." } },
			]);
		expect(program.notes).toEqual(["The key is not known. Make a new one."]);
	});

	it("on the way to the service is told with its address", async () => {
		service.reply = (_, response) => void response.destroy();
		program.say(request(1, "tools/list"));
		await expect.poll(() => program.written).toMatchObject([{ id: 1, error: { code: -32603 } }]);
		expect(program.notes).toEqual([
			`No service answers at ${URL_OF_SERVICE}. Start it, or set STEMMA_BASE_URL.`,
		]);
		expect(program.written).toMatchObject([{ error: { message: program.notes[0] } }]);
	});

	it("in a line is told, and the next is taken", async () => {
		service.reply = json((seen) => result(seen, {}));
		for (const line of ["{", "[]", "", "null", '"a"']) program.say(line);
		program.say(request(1, "ping"));
		await expect.poll(() => program.written).toHaveLength(5);
		expect(program.written.filter(({ error }) => error !== undefined)).toMatchObject(
			Array.from({ length: 4 }, () => ({ id: null, error: { code: -32700 } })),
		);
	});
});
