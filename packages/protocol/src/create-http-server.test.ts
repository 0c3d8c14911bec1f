import { once } from "node:events";
import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type Server,
	type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { type ConnectionTimeouts, createHttpServer, MAX_PIPELINED_REQUESTS } from "./create-http-server";
import { openConnection, type RawConnection } from "./test-support/raw-connection";
import { prepareResponse } from "./unread-body";

const LONG_TIMEOUTS: ConnectionTimeouts = {
	headerMs: 60_000,
	requestMs: 60_000,
	idleMs: 60_000,
	stalledMs: 60_000,
};

const servers: Server[] = [];
const connections: RawConnection[] = [];
afterEach(async () => {
	for (const { socket } of connections.splice(0)) socket.destroy();
	for (const server of servers.splice(0)) {
		server.closeAllConnections();
		server.close();
	}
});

async function start(listener: RequestListener, timeouts: Partial<ConnectionTimeouts> = {}) {
	const toError = ({ code, message }: { code: string; message: string }) => ({
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ code, message }),
	});
	const server = createHttpServer(listener, {
		createServer,
		timeouts: { ...LONG_TIMEOUTS, ...timeouts },
		toError,
	}).listen(0, "127.0.0.1");
	servers.push(server);
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	return () => {
		const connection = openConnection(port);
		connections.push(connection);
		return connection;
	};
}

async function respond(
	message: IncomingMessage,
	response: ServerResponse,
	status: number,
	body: string,
): Promise<void> {
	await prepareResponse(message, response);
	response.writeHead(status, { "content-length": body.length }).end(body);
}

/** Reads bodies at `/read`; answers the others at once. */
const listener: RequestListener = async (message, response) => {
	if (message.url === "/read") await buffer(message).catch(() => undefined);
	await respond(
		message,
		response,
		message.url === "/refused" ? 401 : 200,
		`${message.url} ${message.headers.host}`,
	);
};

const head = (method: string, path: string, length = 0): string =>
	`${method} ${path} HTTP/1.1\r\nHost: kb.example\r\nContent-Length: ${length}\r\n\r\n`;

const countResponses = (text: string): number => text.split("HTTP/1.1 ").length - 1;

describe("a request that is answered before it is read", () => {
	it.each([
		["none of its body has come", ""],
		["some of it has come", "x".repeat(1_000)],
		["more of it has come than is read ahead", "x".repeat(500_000)],
	])("ends the connection when %s, and nothing that follows is processed", async (_, body) => {
		const paths: (string | undefined)[] = [];
		const open = await start((message, response) => {
			paths.push(message.url);
			return listener(message, response);
		});
		const connection = open();
		connection.write(head("POST", "/refused", 1_000_000) + body);
		const text = await connection.until("/refused");
		expect(text).toMatch(/^HTTP\/1\.1 401 [\s\S]*\r\nconnection: close\r\n/i);
		connection.write("x".repeat(1_000_000 - body.length) + head("POST", "/read", 0));
		connection.socket.end();
		expect(countResponses(await connection.closed)).toBe(1);
		expect(paths).toEqual(["/refused"]);
	});

	it("ends the connection without a reset, so that a client that first sends everything has its answer", async () => {
		const open = await start(listener);
		const connection = open();
		connection.socket.pause();
		connection.write(head("POST", "/refused", 20_000_000));
		for (let sent = 0; sent < 20_000_000; sent += 1_000_000) {
			connection.write(Buffer.alloc(1_000_000, 0x20));
			await new Promise((resolve) => setImmediate(resolve));
		}
		if (connection.socket.writableLength > 0) await once(connection.socket, "drain");
		connection.socket.resume();
		expect(await connection.closed).toContain("401");
	});

	it("does not let its client send for ever", async () => {
		const open = await start(listener);
		const connection = open();
		connection.write(`POST /refused HTTP/1.1\r\nHost: kb.example\r\nTransfer-Encoding: chunked\r\n\r\n`);
		const sending = setInterval(() => connection.write("1\r\nx\r\n"), 20);
		const text = await connection.closed;
		clearInterval(sending);
		expect(countResponses(text)).toBe(1);
	});

	it("keeps the connection where its whole body has come already", async () => {
		const open = await start(async (message, response) => {
			await new Promise((resolve) => setImmediate(resolve));
			return listener(message, response);
		});
		const connection = open();
		const rejected = `${head("POST", "/refused", 10_000)}${"x".repeat(10_000)}`;
		connection.write(rejected + rejected + head("GET", "/read"));
		expect(countResponses(await connection.until("/read"))).toBe(3);
		connection.write(head("GET", "/again"));
		expect(await connection.until("/again")).not.toMatch(/connection: close/i);
	});

	it("keeps the connection where its body was begun, has come whole, and was left", async () => {
		const open = await start(async (message, response) => {
			if (message.url === "/left") {
				for await (const _ of message.iterator({ destroyOnReturn: false })) break;
				await new Promise((resolve) => setTimeout(resolve, 20));
			}
			return listener(message, response);
		});
		const connection = open();
		connection.write(`${head("POST", "/left", 20_000)}${"x".repeat(20_000)}${head("GET", "/next")}`);
		expect(await connection.until("/next")).not.toMatch(/connection: close/i);
	});
});

describe("requests that are sent before the first is answered", () => {
	it("are answered up to a number, after which the connection ends", async () => {
		const paths: (string | undefined)[] = [];
		const open = await start(async (message, response) => {
			paths.push(message.url);
			await new Promise((resolve) => setTimeout(resolve, 5));
			return listener(message, response);
		});
		const connection = open();
		const sent = Array.from({ length: 3 * MAX_PIPELINED_REQUESTS }, (_, index) => `/${index}`);
		connection.write(sent.map((path) => head("GET", path)).join(""));
		const answers = (await connection.closed).split("HTTP/1.1 ").slice(1);
		expect(answers).toHaveLength(MAX_PIPELINED_REQUESTS);
		expect(answers.findIndex((text) => /\r\nconnection: close\r\n/i.test(text))).toBe(answers.length - 1);
		expect(paths).toEqual(sent.slice(0, MAX_PIPELINED_REQUESTS));
	});

	it("keep their connection where each waits for the answer before", async () => {
		const open = await start(listener);
		const connection = open();
		for (let index = 0; index < 2 * MAX_PIPELINED_REQUESTS; index++) {
			connection.write(head("GET", `/number-${index}.`));
			await connection.until(`/number-${index}.`);
		}
		expect(connection.text).not.toMatch(/connection: close/i);
		expect(countResponses(connection.text)).toBe(2 * MAX_PIPELINED_REQUESTS);
	});
});

describe("the host of a request", () => {
	const get = (target: string, ...hosts: readonly string[]): string =>
		`GET ${target} HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join("")}Connection: close\r\n\r\n`;

	it.each([
		["its header", get("/a?b", "kb.example:4000"), "/a?b kb.example:4000"],
		["its header, in lower case", get("/a", "KB.Example"), "/a kb.example"],
		["an address", get("/a", "127.0.0.1:4000"), "/a 127.0.0.1:4000"],
		["IPv6", get("/a", "[::1]:4000"), "/a [::1]:4000"],
		["a name with an underscore", get("/a", "kb_1.internal"), "/a kb_1.internal"],
		["its target, where that has one", get("http://kb.example/a?b", "other.example"), "/a?b kb.example"],
		["its target with a port", get("HTTP://kb.example:81/a", "other.example"), "/a kb.example:81"],
		["its target without a path", get("http://kb.example", "other.example"), "/ kb.example"],
	])("is %s", async (_, text, expected) => {
		const open = await start(listener);
		const connection = open();
		connection.write(text);
		const respond = await connection.closed;
		expect(respond).toMatch(/^HTTP\/1\.1 200 /);
		expect(respond.split("\r\n\r\n")[1]).toBe(expected);
	});

	it("is in the raw headers, too", async () => {
		const open = await start((message, response) =>
			respond(message, response, 200, message.rawHeaders.join(" ")),
		);
		const connection = open();
		connection.write(get("http://kb.example/a", "other.example"));
		expect(await connection.closed).toContain("Host kb.example Connection");
	});

	it.each([
		["two", get("/a", "kb.example", "other.example")],
		["the same twice", get("/a", "kb.example", "kb.example")],
		["two, and one in the target", get("http://kb.example/a", "kb.example", "other.example")],
		["two in one header", get("/a", "kb.example, other.example")],
		["none", get("/a")],
		["an empty one", get("/a", "")],
		["one with a path", get("/a", "kb.example/b")],
		["one with a user", get("/a", "user@kb.example")],
		["one with a space", get("/a", "kb example")],
		["one with quotes", get("/a", 'kb"example')],
		["a number that is an address", get("/a", "2130706433")],
		["an address in hexadecimal", get("/a", "0x7f.1")],
		["a port that is none", get("/a", "kb.example:99999")],
		["broken IPv6", get("/a", "[::1")],
		["a target with a user", get("http://user@kb.example/a", "kb.example")],
		["a target without a host", get("http:///a", "kb.example")],
		["a target of another scheme", get("ftp://kb.example/a", "kb.example")],
		["a target that is no path", get("a", "kb.example")],
		["an asterisk", "OPTIONS * HTTP/1.1\r\nHost: kb.example\r\nConnection: close\r\n\r\n"],
		["a backslash in the path", get("/a\\..\\b", "kb.example")],
	])("is refused where it is ambiguous or none: %s", async (_, text) => {
		let count = 0;
		const open = await start((message, response) => {
			count += 1;
			return listener(message, response);
		});
		const connection = open();
		connection.write(text);
		expect(await connection.closed).toMatch(/^HTTP\/1\.1 400 /);
		expect(count).toBe(0);
	});
});

describe("a silent or slow connection ends", () => {
	it.each([
		["that sends nothing", "", { headerMs: 300 }],
		["that stops within a head", "GET / HTTP/1.1\r\nHost: kb", { headerMs: 300 }],
		["that stops within a body", `${head("POST", "/read", 100)}half`, { requestMs: 300, headerMs: 300 }],
		["after its answer", head("GET", "/a"), { idleMs: 300 }],
		["after an answer to a body", `${head("POST", "/read", 2)}{}`, { idleMs: 300 }],
	])("%s", async (_, text, timeouts) => {
		const open = await start(listener, timeouts);
		const connection = open();
		if (text !== "") connection.write(text);
		await connection.closed;
	});

	it("that sends a byte of its body now and then", async () => {
		const open = await start(listener, { requestMs: 500, headerMs: 500, stalledMs: 200 });
		const connection = open();
		connection.write(head("POST", "/read", 10_000));
		const sending = setInterval(() => connection.write("x"), 20);
		expect(await connection.closed).toMatch(/^HTTP\/1\.1 408 /);
		clearInterval(sending);
	});

	it("whose reader takes nothing of its answer", async () => {
		const broken = Promise.withResolvers<void>();
		const open = await start(
			async (message, response) => {
				await prepareResponse(message, response);
				response.on("close", () => broken.resolve());
				const write = (): void => {
					while (!response.destroyed && response.write("x".repeat(100_000)));
				};
				response.on("drain", write);
				write();
			},
			{ stalledMs: 400 },
		);
		const connection = open();
		connection.socket.pause();
		connection.write(head("GET", "/endless"));
		await broken.promise;
	});

	it("not behind an answer that took as long as a connection may be silent", async () => {
		const open = await start(async (message, response) => {
			// Node's timer for silence, which can run out in this very moment.
			response.on("finish", () => servers.at(-1)?.emit("timeout", message.socket));
			await respond(message, response, 200, `for ${message.url}`);
		});
		const connection = open();
		connection.write(head("GET", "/one"));
		await connection.until("for /one");
		connection.write("GET /two HTTP/1.1\r\nHost: kb.example\r\nConnection: close\r\n\r\n");
		expect(await connection.closed).toContain("for /two");
	});

	it("not while its answer is being made, nor while its reader is slow", async () => {
		const open = await start(
			async (message, response) => {
				await new Promise((resolve) => setTimeout(resolve, 700));
				await respond(message, response, 200, "x".repeat(10_000_000));
			},
			{ stalledMs: 200, headerMs: 100, requestMs: 100 },
		);
		const connection = open();
		connection.write(`GET /late HTTP/1.1\r\nHost: kb.example\r\nConnection: close\r\n\r\n`);
		const reading = setInterval(() => {
			connection.socket.resume();
			setTimeout(() => connection.socket.pause(), 5);
		}, 20);
		expect((await connection.closed).length).toBeGreaterThan(10_000_000);
		clearInterval(reading);
	});
});
