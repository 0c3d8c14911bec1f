import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type RunningRuntime, type StartRuntimeOptions, startRuntime } from "../../start-runtime";
import { createGate, graph, scriptedPorts } from "../../test-support/scripted";

const running: RunningRuntime[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
	for (const socket of sockets.splice(0)) socket.destroy();
	await Promise.all(running.splice(0).map((runtime) => runtime.close(0)));
});

async function start(options: Partial<StartRuntimeOptions> = {}) {
	const lines: string[] = [];
	const runtime = await startRuntime({
		agents: { desk: graph },
		ports: scriptedPorts(),
		port: 0,
		log: (line) => void (line.startsWith("error") && lines.push(line)),
		...options,
	});
	running.push(runtime);
	return { ...runtime, lines };
}

/** A connection that says what it is told to, byte by byte if need be. */
function open(port: number) {
	const socket = connect(port, "127.0.0.1");
	sockets.push(socket);
	let text = "";
	socket.on("data", (chunk) => {
		text += chunk;
	});
	socket.on("error", () => undefined);
	return {
		socket,
		write: (bytes: string | Buffer) => void socket.write(bytes),
		get text() {
			return text;
		},
		// `once` of events would fail where a write meets a connection that the server has closed.
		closed: new Promise<string>((resolve) => socket.once("close", () => resolve(text))),
		/** What has come, once it has this in it. */
		async until(part: string): Promise<string> {
			while (!text.includes(part)) await once(socket, "data");
			return text;
		},
	};
}

const HEAD = "POST /run/desk HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n";
const FAST = { timeouts: { headerMs: 300, requestMs: 600, idleMs: 200 } };

describe("a client that is slow", () => {
	it.each([
		["sends no head", ""],
		["stops within its head", "GET /healthz HTTP/1.1\r\nHost: 127"],
		["stops within its body", `${HEAD}Content-Length: 100\r\n\r\n{"input":`],
		["stops within a chunk", `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n{"inp`],
	])("is answered 408 and let go when it %s", async (_, text) => {
		const { port, lines } = await start(FAST);
		const connection = open(port);
		connection.write(text);
		const answer = await connection.closed;
		if (text !== "") expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
		expect(lines).toEqual([]);
	});

	it("does not keep its connection by a byte now and then, nor others from theirs", async () => {
		const { port, url } = await start(FAST);
		const slow = Array.from({ length: 50 }, () => open(port));
		const drip = setInterval(() => {
			for (const { write, socket } of slow) if (socket.writable) write("a");
		}, 50);
		for (const { write } of slow) write("GET /healthz HTTP/1.1\r\nX-Slow: ");
		expect((await fetch(`${url}/healthz`)).status).toBe(200);
		await Promise.all(slow.map(({ closed }) => closed));
		clearInterval(drip);
		expect((await fetch(`${url}/healthz`)).status).toBe(200);
	});

	it("may wait for its answer as long as the run takes, and is let go when it is idle", async () => {
		const gate = createGate();
		const { port } = await start({ ...FAST, ports: scriptedPorts(() => gate.opened.then(() => "Late.")) });
		const connection = open(port);
		connection.write(`${HEAD}Content-Length: 14\r\n\r\n{"input":"hi"}`);
		await new Promise((resolve) => setTimeout(resolve, 2500));
		expect(connection.text).toBe("");
		gate.open();
		expect(await connection.closed).toMatch(/^HTTP\/1\.1 200 [\s\S]*"output":"Late\."/);
	});
});

describe("a body that is too large", () => {
	it("is refused by its length, before it comes", async () => {
		const { port } = await start();
		const connection = open(port);
		connection.write(`${HEAD}Content-Length: 3000000000\r\n\r\n{`);
		expect(await connection.until('"hint"')).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"body_too_large"/);
	});

	it("is refused in chunks as soon as it is, and the connection ends", async () => {
		const { port, url } = await start();
		const connection = open(port);
		connection.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
		const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(65_536, 0x20), Buffer.from("\r\n")]);
		let sent = 0;
		while (connection.text === "" && sent < 200_000_000) {
			connection.write(chunk);
			sent += chunk.length;
			await new Promise((resolve) => setImmediate(resolve));
		}
		expect(await connection.until('"hint"')).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"body_too_large"/);
		expect((await fetch(`${url}/healthz`)).status).toBe(200);
	});
});

describe("a request that is refused early", () => {
	const large = (path: string, ...headers: readonly string[]): string =>
		`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${headers.map((line) => `${line}\r\n`).join("")}`;
	const chunk = `100000\r\n${" ".repeat(0x10_0000)}\r\n`;

	it.each([
		["a route that is not there", `${large("/nothing", "Content-Length: 1000000")}\r\n{`, 404],
		["a run, by its length", `${large("/run/desk", "Content-Length: 3000000")}\r\n{`, 413],
		["a run, in chunks", `${large("/run/desk", "Transfer-Encoding: chunked")}\r\n${chunk.repeat(3)}`, 413],
		["A2A, by its length", `${large("/a2a/desk", "Content-Length: 3000000")}\r\n{`, 413],
		["A2A, in chunks", `${large("/a2a/desk", "Transfer-Encoding: chunked")}\r\n${chunk.repeat(3)}`, 413],
	])("has its answer, and ends its connection: %s", async (_, bytes, status) => {
		const { port } = await start();
		const connection = open(port);
		connection.write(bytes);
		const answer = await connection.until('"error"');
		expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*\r\nconnection: close\r\n`, "i"));
		connection.write("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
		connection.socket.end();
		expect((await connection.closed).split("HTTP/1.1 ")).toHaveLength(2);
	});
});

describe("what is no request", () => {
	it.each([
		[
			"headers of 20 kB",
			`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Big: ${"a".repeat(20_000)}\r\n\r\n`,
			431,
		],
		["a path of 20 kB", `POST /run/${"a".repeat(20_000)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, 431],
		["nonsense", "nonsense\r\n\r\n", 400],
		["two lengths", `${HEAD}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}`, 400],
		["a length and chunks", `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
		["HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
		["TLS", Buffer.from("160301020001000", "hex"), 400],
	])("is refused in the one format: %s", async (_, bytes, status) => {
		const { port, url } = await start();
		const connection = open(port);
		connection.write(bytes);
		const answer = await connection.closed;
		expect(answer).toContain(`HTTP/1.1 ${status} `);
		expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({
			error: { code: expect.any(String), request_id: expect.stringMatching(/^req_/) },
		});
		expect((await fetch(`${url}/healthz`)).status).toBe(200);
	});

	it.each([
		"..%2f..%2fetc%2fpasswd",
		"%2e%2e%2fdesk",
		"desk%00",
		"%c0%ae%c0%ae%c0%afdesk",
		"%ff",
		"%",
		"__proto__",
		"constructor",
		`long-${"a".repeat(10_000)}`,
		"<script>alert(1)</script>",
		"desk%0d%0aX-Injected:%201",
	])("names no agent: %.40s", async (agentId) => {
		const { port, lines } = await start();
		const connection = open(port);
		connection.write(
			`POST /run/${agentId} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 14\r\n\r\n{"input":"hi"}`,
		);
		const answer = await connection.closed;
		expect(answer).toMatch(/^HTTP\/1\.1 404 [\s\S]*"code":"(agent|route)_not_found"/);
		expect(answer.length).toBeLessThan(1500);
		expect(answer).not.toContain("\r\nX-Injected");
		expect(lines).toEqual([]);
	});
});

describe("who may call, without a token", () => {
	const get = (head: string): string => `GET /agents HTTP/1.1\r\n${head}Connection: close\r\n\r\n`;

	it.each([
		["the address", "Host: 127.0.0.1\r\n", 200],
		["another address of the loopback", "Host: 127.8.9.10:80\r\n", 200],
		["IPv6", "Host: [::1]:4120\r\n", 200],
		["localhost in capitals", "Host: LOCALHOST:4120\r\n", 200],
		["a name that leads here", "Host: rebind.example:4120\r\n", 403],
		["an address as a name", "Host: 127.0.0.1.nip.example\r\n", 403],
		["all addresses", "Host: 0.0.0.0:4120\r\n", 403],
		["IPv6 of the network", "Host: [fe80::1]\r\n", 403],
		["IPv4 in IPv6", "Host: [::ffff:127.0.0.1]\r\n", 400],
		["a name with a dot at its end", "Host: localhost.\r\n", 403],
		["a user before the host", "Host: evil.example@127.0.0.1\r\n", 400],
		["no host", "", 400],
		["two hosts", "Host: 127.0.0.1\r\nHost: evil.example\r\n", 400],
		["a forwarded host", "Host: evil.example\r\nX-Forwarded-Host: 127.0.0.1\r\n", 403],
		["a page of this machine", "Host: localhost\r\nOrigin: http://localhost:3000\r\n", 200],
		["a page of another", "Host: localhost\r\nOrigin: https://evil.example\r\n", 403],
		["a page in a sandbox", "Host: localhost\r\nOrigin: null\r\n", 403],
		["another site", "Host: localhost\r\nSec-Fetch-Site: cross-site\r\n", 403],
		["another site in capitals", "Host: localhost\r\nSec-Fetch-Site: CROSS-SITE\r\n", 403],
	])("takes or refuses %s", async (_, head, status) => {
		const { port } = await start();
		const connection = open(port);
		connection.write(get(head));
		const answer = await connection.closed;
		expect(answer).toContain(`HTTP/1.1 ${status} `);
		if (status !== 200) expect(answer).not.toContain("desk");
	});

	it.each([
		["http://127.0.0.1/agents", "evil.example", 200],
		["http://evil.example/agents", "127.0.0.1", 403],
	])("goes by the host of a whole address: %s", async (target, host, status) => {
		const { port } = await start();
		const connection = open(port);
		connection.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
		expect(await connection.closed).toContain(`HTTP/1.1 ${status} `);
	});
});

describe("clients that send large bodies and do not end them", () => {
	const LENGTH = 1_900_000;
	const LARGE = `${HEAD}Content-Length: ${LENGTH + 100}\r\n\r\n{"input":"`;

	it("are refused together, before they take all memory, and small requests are served", async () => {
		const { port, url } = await start();
		const input = Buffer.alloc(LENGTH, "a");
		const senders = Array.from({ length: 40 }, () => open(port));
		for (const { write } of senders) {
			write(LARGE);
			write(input);
		}
		const refused = await Promise.any(senders.map(({ until }) => until("too_many_bytes")));
		expect(refused).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1/i);
		const run = (body: object) =>
			fetch(`${url}/run/desk`, {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: JSON.stringify(body),
			});
		expect((await run({ input: "hello" })).status).toBe(200);
		for (const { socket } of senders) socket.destroy();
		await expect.poll(async () => (await run({ input: "a".repeat(LENGTH) })).status).toBe(200);
	});
});
