import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendRaw } from "./test-support/raw-connection";
import { type SendRequest, sendTo } from "./test-support/send-request";
import { countRowsWhenIdle } from "./test-support/stored-rows";
import { getBody } from "./test-support/tenant";
import { fetchToken, toTestConfiguration } from "./test-support/test-deployment";

let folder: string;
let service: built.RunningService;
let send: SendRequest;
let token: string;
let documents: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-service-"));
	service = await built.startService(
		toTestConfiguration(built, folder, { limits: { upload_bytes: 1_000_000 } }),
	);
	const credentials = JSON.parse(await readFile(service.bootstrapCredentials.path, "utf8"));
	token = await fetchToken(sendTo(fetch, undefined, service.url), credentials);
	send = sendTo(fetch, token, service.url);
	const { id } = await getBody<{ id: string }>(
		send("POST", "/v1/knowledge-bases", { json: { name: "books" } }),
	);
	documents = `/v1/knowledge-bases/${id}/documents`;
});
afterAll(async () => {
	await service?.close(0);
	await rm(folder, { recursive: true, force: true });
});

/** Whatever came in, the service answers the next one, and nothing was stored. */
async function expectUntouched(work: () => Promise<void>): Promise<void> {
	const before = await countRowsWhenIdle(folder);
	await work();
	expect((await send("GET", "/readyz")).status).toBe(200);
	expect(await countRowsWhenIdle(folder)).toEqual(before);
}

const lines = (...text: readonly string[]): string => `${text.join("\r\n")}\r\n\r\n`;
const HOST = "host: localhost";
const post = (path: string, ...more: readonly string[]): string =>
	lines(
		`POST ${path} HTTP/1.1`,
		HOST,
		`authorization: Bearer ${token}`,
		"content-type: application/json",
		...more,
	);

describe("bytes that are no request", () => {
	it.each([
		["nonsense", "nonsense\r\n\r\n"],
		["a TLS handshake", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"],
		["an unknown version", lines("GET / HTTP/9.9", HOST)],
		["an unknown method", lines("NONSENSE / HTTP/1.1", HOST)],
		["a header without a colon", lines("GET /healthz HTTP/1.1", HOST, "nonsense")],
		["a NUL in a header", lines("GET /healthz HTTP/1.1", HOST, "x: a\u0000b")],
		["two lengths", `${lines("POST /v1/search HTTP/1.1", HOST, "content-length: 2", "content-length: 3")}{}`],
		[
			"a length and chunks",
			`${lines("POST /v1/search HTTP/1.1", HOST, "content-length: 2", "transfer-encoding: chunked")}{}`,
		],
		["a negative length", `${lines("POST /v1/search HTTP/1.1", HOST, "content-length: -1")}{}`],
		["headers without end", `GET /healthz HTTP/1.1\r\n${"x-many: 1\r\n".repeat(5000)}`],
		["one header of 100 kB", lines("GET /healthz HTTP/1.1", HOST, `x: ${"x".repeat(100_000)}`)],
		["a path of 100 kB", lines(`GET /${"x".repeat(100_000)} HTTP/1.1`, HOST)],
	])("are refused: %s", async (_, bytes) => {
		await expectUntouched(async () => {
			const { status, text } = await sendRaw(service.port, bytes);
			expect(status === 0 || (status >= 400 && status < 500), text).toBe(true);
			expect(text).not.toMatch(/\n\s+at |node:|SQLITE|\.js:\d/);
		});
	});
});

describe("the host of a request", () => {
	it.each([
		["two hosts", lines("GET /healthz HTTP/1.1", HOST, "host: evil.example"), 400],
		["the same host twice", lines("GET /healthz HTTP/1.1", HOST, HOST), 400],
		["a host that is none", lines("GET /healthz HTTP/1.1", "host: a b"), 400],
		["a whole address with two hosts", lines("GET http://localhost/healthz HTTP/1.1", HOST, HOST), 400],
		["a whole address", lines("GET http://kb.example/healthz HTTP/1.1", HOST), 200],
	])("is one and only one: %s", async (_, bytes, status) => {
		const answer = await sendRaw(service.port, bytes);
		expect(answer.status).toBe(status);
		if (status === 400) expect(answer.text).toContain('"code":"invalid_host"');
	});

	it.each([
		["http://kb.example/.well-known/oauth-authorization-server", "host: other.example"],
		["/.well-known/oauth-authorization-server", "host: KB.example"],
	])("of a whole address counts before the header: %s", async (target, host) => {
		const { text } = await sendRaw(service.port, lines(`GET ${target} HTTP/1.1`, host));
		expect(text).toContain('"issuer":"http://kb.example"');
	});
});

describe("a request that is refused before its body is read", () => {
	const unread = " ".repeat(400_000);
	it.each([
		["401", lines("POST /v1/ask HTTP/1.1", HOST, "content-length: 1000000")],
		["404", lines("POST /nothing HTTP/1.1", HOST, "content-length: 1000000")],
		["413", () => post("/v1/search", "content-length: 3000000")],
		["415", () => post("/v1/search", "content-length: 1000000").replace("application/json", "text/plain")],
	])("ends its connection: %s", async (status, head) => {
		const bytes = `${typeof head === "string" ? head : head()}${unread}`;
		const { text } = await sendRaw(service.port, bytes);
		expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*\\nconnection: close\\r\\n`, "i"));
	});

	it("keeps its connection where the body has come whole", async () => {
		const refused = `${lines("POST /v1/ask HTTP/1.1", HOST, "content-length: 1000")}${" ".repeat(1_000)}`;
		const { text } = await sendRaw(
			service.port,
			`${refused}${refused}${lines("GET /healthz HTTP/1.1", HOST)}`,
		);
		expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 401", "HTTP/1.1 200"]);
	});
});

describe("requests that are odd", () => {
	it.each([
		["no host", lines("GET /healthz HTTP/1.1")],
		["an empty host", lines("GET /healthz HTTP/1.1", "host:")],
		["a host that is none", lines("GET /healthz HTTP/1.1", "host: a b/c?d#e@f")],
		["a host of someone else", lines("GET /healthz HTTP/1.1", "host: evil.example")],
		["a whole address", lines("GET http://evil.example/v1/agents HTTP/1.1", HOST)],
		["a broken address", lines("GET http://[::1/v1/agents HTTP/1.1", HOST)],
		["an asterisk", lines("OPTIONS * HTTP/1.1", HOST)],
		["a path without a slash", lines("GET healthz HTTP/1.1", HOST)],
		["only slashes", lines("GET //////// HTTP/1.1", HOST)],
		["an address in the path", lines("GET //evil.example/v1/agents HTTP/1.1", HOST)],
		["dots", lines("GET /v1/agents/../../../../etc/passwd HTTP/1.1", HOST)],
		["encoded dots", lines("GET /v1/agents/%2e%2e/%2e%2e/etc/passwd HTTP/1.1", HOST)],
		["backslashes", lines("GET /v1\\agents\\..\\..\\etc HTTP/1.1", HOST)],
		["bytes that are no ASCII", lines("GET /v1/\u00ff\u00fe HTTP/1.1", HOST)],
		["a tunnel", lines("CONNECT evil.example:443 HTTP/1.1", "host: evil.example:443")],
		["an upgrade", lines("GET /healthz HTTP/1.1", HOST, "connection: upgrade", "upgrade: websocket")],
		["a trace", lines("TRACE /v1/agents HTTP/1.1", HOST, "authorization: Bearer s3cret")],
		["a body for GET", `${lines("GET /v1/agents HTTP/1.1", HOST, "content-length: 2")}{}`],
		["an expectation", lines("GET /healthz HTTP/1.1", HOST, "expect: miracles")],
	])("never make the service fail: %s", async (_, bytes) => {
		await expectUntouched(async () => {
			const { status, text } = await sendRaw(service.port, bytes);
			expect(status, text).toBeLessThan(500);
			expect(text).not.toMatch(/root:|s3cret|\n\s+at |node:|SQLITE|\.js:\d/);
		});
	});
});

const FILE_PART = 'content-disposition: form-data; name="file"; filename="a.md"\r\n\r\n';

describe("bodies that do not come as they were announced", () => {
	const body = '{"text":"cut off"}';
	const head = () =>
		lines(
			`POST ${documents} HTTP/1.1`,
			HOST,
			`authorization: Bearer ${token}`,
			"content-type: multipart/form-data; boundary=limit",
			"content-length: 1000",
		);
	const multipart = () => `${head()}--limit\r\n${FILE_PART}half a p`;

	it.each<readonly [why: string, bytes: () => string]>([
		["less than announced", () => post(documents, "content-length: 1000") + body],
		["no body", () => post(documents, "content-length: 1000")],
		["a chunk without its end", () => `${post(documents, "transfer-encoding: chunked")}ff\r\n${body}`],
		["a form that is cut off", multipart],
	])("are not stored: %s", async (_, bytes) => {
		await expectUntouched(async () => {
			await sendRaw(service.port, bytes(), { leave: true });
			await sendRaw(service.port, bytes());
		});
	});

	it("are refused where a chunk is none", async () => {
		await expectUntouched(async () => {
			const { status } = await sendRaw(
				service.port,
				`${post(documents, "transfer-encoding: chunked")}zz\r\n${body}`,
			);
			expect(status).toBe(400);
		});
	});

	it.each(["application/json", "multipart/form-data; boundary=limit"])(
		"are told that they are too large while they are sent: %s",
		async (type) => {
			await expectUntouched(async () => {
				expect(await sendEndlessly(type)).toMatchObject({ status: 413, error: { code: "body_too_large" } });
			});
		},
	);

	it("leave the connection usable or closed, never out of step", async () => {
		const [first, second] = await Promise.all([sendEndlessly("application/json"), send("GET", "/healthz")]);
		expect([first.status, second.status]).toEqual([413, 200]);
	});
});

/** Goes on sending a body until the service has answered. */
function sendEndlessly(
	type: string,
): Promise<{ readonly status: number | undefined; readonly error: unknown }> {
	const headers = { authorization: `Bearer ${token}`, "content-type": type };
	return new Promise((resolve, reject) => {
		const upload = request(`${service.url}${documents}`, { method: "POST", headers }, async (response) => {
			clearInterval(sending);
			const text = (await response.setEncoding("utf8").toArray()).join("");
			upload.destroy();
			resolve({ status: response.statusCode, error: JSON.parse(text).error });
		});
		if (type.startsWith("multipart")) upload.write(`--limit\r\n${FILE_PART}`);
		const sending = setInterval(() => upload.write(Buffer.alloc(1_000_000, 0x20)), 1);
		upload.on("error", (error) => {
			clearInterval(sending);
			reject(error);
		});
	});
}
