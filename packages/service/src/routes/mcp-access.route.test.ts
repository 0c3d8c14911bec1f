import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpFixture, startMcpFixture } from "../mcp/test-support/mcp-fixture";
import { sendMcp } from "../mcp/test-support/mcp-requests";
import { sendRaw } from "../test-support/raw-connection";
import { sendTo } from "../test-support/send-request";

const DESK = { name: "Desk", nodes: [{ id: "desk", kind: "coordinator" }] };
const PUBLIC_URL = "https://stemma.example";

let fixture: McpFixture;
/** One that listens to more than this machine. */
let open: McpFixture;
/** One on this machine, behind a proxy. */
let named: McpFixture;

beforeAll(async () => {
	fixture = await startMcpFixture(built);
	open = await startMcpFixture(built, { listen: { host: "0.0.0.0", port: 0 } });
	named = await startMcpFixture(built, { listen: { public_url: PUBLIC_URL } });
});
afterAll(() => Promise.all([fixture?.close(), open?.close(), named?.close()]));

const list = { method: "tools/list" } as const;

describe("without a credential that is good", () => {
	it.each([
		["none", null, ""],
		["another", "tok_x", 'error="invalid_token", '],
		["a client key that is none", "ck_x_y", 'error="invalid_token", '],
	])("%s: a client is told where to get one", async (_, token, error) => {
		const { status, headers, messages } = await fixture.send({ ...list, token });
		expect(status).toBe(401);
		expect(headers.get("www-authenticate")).toBe(
			`Bearer ${error}scope="ask knowledge:read", resource_metadata="${fixture.url}/.well-known/oauth-protected-resource/mcp"`,
		);
		expect(headers.get("cache-control")).toBe("no-store");
		expect(messages[0].error.code).toMatch(/_credentials$/);
	});

	it("a Host that would end what it stands in is refused", async () => {
		const send = (host: string) =>
			sendRaw(
				Number(new URL(fixture.url).port),
				`POST /mcp HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 0\r\n\r\n`,
			);
		expect((await send("kb.example")).status).toBe(401);
		const { status, text } = await send('evil.example",x="y');
		expect(status).toBe(400);
		expect(text).not.toContain("evil.example");
	});

	it("nothing is told of other methods either", async () => {
		for (const method of ["GET", "DELETE"])
			expect((await fetch(`${fixture.url}/mcp`, { method })).status).toBe(401);
	});
});

/** Sends as the page of an origin would, to a name that leads here. */
const sendFrom = (to: McpFixture, origin: string, host: string, token: string) =>
	sendMcp(`http://${host}`, token, { ...list, headers: { origin } }, (request) =>
		to.deployment.service.fetch(request),
	);

describe("pages of an origin", () => {
	it.each([
		["loopback to loopback", "http://localhost:6274", "127.0.0.1:4000", 200, 200],
		["loopback by a name", "http://app.localhost:3000", "localhost:4000", 200, 200],
		["IPv6", "http://[::1]:3000", "[::1]:4000", 200, 200],
		["elsewhere", "https://evil.example", "127.0.0.1:4000", 403, 403],
		["elsewhere, by a name like ours", "http://localhost.evil.example", "localhost:4000", 403, 403],
		["from a file", "null", "127.0.0.1:4000", 403, 403],
		["a name that was made to lead here", "http://evil.example:4000", "evil.example:4000", 403, 200],
		["loopback to a name", "http://localhost:3000", "kb.example", 403, 403],
	])("with a server's token, %s", async (_, origin, host, local, elsewhere) => {
		expect((await sendFrom(fixture, origin, host, fixture.mine.token)).status).toBe(local);
		const answer = await sendFrom(open, origin, host, open.mine.token);
		expect(answer.status).toBe(elsewhere);
		if (elsewhere === 403) {
			expect(answer.messages[0].error.code).toBe("origin_not_allowed");
			expect(answer.headers.get("www-authenticate")).toBeNull();
		}
	});

	it.each([
		["of the public address", PUBLIC_URL, "127.0.0.1:4000", 200],
		["of the public address over plain HTTP", "http://stemma.example", "stemma.example", 403],
		["of what the request names", "http://evil.example:4000", "evil.example:4000", 403],
		["of this machine", "http://localhost:6274", "127.0.0.1:4000", 200],
	])("where a public address is set, %s", async (_, origin, host, status) => {
		expect((await sendFrom(named, origin, host, named.mine.token)).status).toBe(status);
	});

	it("with a client key are those of the key, wherever the service is", async () => {
		const token = await fixture.makeKey({ native: false, origins: ["https://app.example"] });
		expect((await sendFrom(fixture, "https://app.example", "kb.example", token)).status).toBe(200);
		for (const origin of ["https://evil.example", "http://localhost:3000"])
			expect((await sendFrom(fixture, origin, "127.0.0.1:4000", token)).status).toBe(403);
		expect((await fixture.send({ ...list, token })).messages[0].error.code).toBe("origin_not_allowed");
	});

	it("may send the headers of both eras, and read those that matter", async () => {
		for (const method of ["POST", "GET", "DELETE"]) {
			const { status, headers } = await fetch(`${fixture.url}/mcp`, {
				method: "OPTIONS",
				headers: { origin: "https://app.example", "access-control-request-method": method },
			});
			expect([status, headers.get("access-control-allow-origin")]).toEqual([204, "https://app.example"]);
			const allowed = headers.get("access-control-allow-headers")?.split(", ");
			for (const name of ["authorization", "content-type", "last-event-id", "mcp-method", "mcp-name"])
				expect(allowed).toContain(name);
			for (const name of ["mcp-protocol-version", "mcp-session-id"]) expect(allowed).toContain(name);
		}
		const { headers } = await fixture.send({
			...list,
			token: null,
			headers: { origin: "https://app.example" },
		});
		const exposed = headers.get("access-control-expose-headers")?.split(", ");
		for (const name of ["mcp-session-id", "www-authenticate"]) expect(exposed).toContain(name);
	});
});

describe("what is no good request", () => {
	const post = (body: BodyInit, headers: Record<string, string> = {}) =>
		fetch(`${fixture.url}/mcp`, {
			method: "POST",
			body,
			headers: {
				authorization: `Bearer ${fixture.mine.token}`,
				"content-type": "application/json",
				accept: "application/json, text/event-stream",
				...headers,
			},
		});
	const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
	const call = (input: string): string =>
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":${input}}}`;

	it.each([
		["no JSON", "{", {}, 400, /-32700/],
		["no UTF-8", Uint8Array.of(0x22, 0xff, 0x22), {}, 400, /-32700/],
		["no message", '{"a":1}', {}, 400, /-3260\d|-32700/],
		["nothing", "null", {}, 400, /-3260\d|-32700/],
		["another type", "{}", { "content-type": "text/plain" }, 415, /application\/json/],
		["too much", `"${"x".repeat(2 * 1024 * 1024)}"`, { connection: "close" }, 413, /body_too_large/],
		["a circle of agents", "{}", { "stemma-depth": "9" }, 400, /agent_loop/],
		["a version that is not there", call("{}"), { "mcp-protocol-version": "1999-01-01" }, 400, /version/i],
		["what is nested without end", call(deep(100_000)), {}, 400, /invalid_request/],
		["a field that all objects have", call('{"constructor":1,"query":"a"}'), {}, 200, /unknown_field/],
	])("%s", async (_, body, headers, status, text) => {
		const answer = await post(body, headers);
		expect(answer.status).toBe(status);
		const responseText = await answer.text();
		expect(responseText).toMatch(text);
		expect(responseText).not.toMatch(/ at .*:\d+:\d+/);
	});

	it("is answered in the words of the era that it is of", async () => {
		const { status, messages } = await fixture.send({
			...list,
			era: "2026-07-28",
			headers: { "mcp-method": "tools/call" },
		});
		expect([status, messages[0].error.code]).toEqual([400, -32020]);
		const unknown = await fixture.send({ method: "resources/list", era: "2026-07-28" });
		expect([unknown.status, unknown.messages[0].error.code]).toEqual([404, -32601]);
	});

	it("GET and DELETE have nothing to answer", async () => {
		for (const method of ["GET", "DELETE"]) {
			const headers = { authorization: `Bearer ${fixture.mine.token}`, accept: "text/event-stream" };
			const answer = await fetch(`${fixture.url}/mcp`, { method, headers });
			expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
		}
	});
});

describe("a client that knows the address alone", () => {
	const send = () => sendTo(fetch, undefined, fixture.url);
	const grant = (form: Record<string, string>) =>
		send()("POST", "/oauth/token", {
			form: new URLSearchParams({
				grant_type: "client_credentials",
				client_id: fixture.mine.credentials.client_id,
				client_secret: fixture.mine.credentials.client_secret,
				...form,
			}),
		});

	it("finds out where to log in, and does", async () => {
		const challenge = (await fixture.send({ ...list, token: null })).headers.get("www-authenticate") ?? "";
		const [, metadata = ""] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
		const resource = await (await fetch(metadata)).json();
		expect(resource).toMatchObject({
			resource: `${fixture.url}/mcp`,
			authorization_servers: [fixture.url],
			scopes_supported: ["ask", "knowledge:read"],
		});
		const found = await fetch(`${fixture.url}/.well-known/oauth-authorization-server`);
		expect(found.headers.get("cache-control")).toContain("private");
		const server = await found.json();
		expect(server).toMatchObject({
			issuer: fixture.url,
			token_endpoint: `${fixture.url}/oauth/token`,
			grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
			token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
		});
		const { body } = await grant({ scope: "ask knowledge:read", resource: resource.resource });
		expect(body).toMatchObject({ scope: "ask knowledge:read" });
		const { access_token: token } = body as { access_token: string };
		expect((await fixture.send({ ...list, token })).status).toBe(200);
	});

	it("gets of the scopes that metadata lists those that it has", async () => {
		const { body } = await fixture.mine.send("POST", "/v1/clients", {
			json: { name: "asks", scopes: ["ask"] },
		});
		const { id: client_id, client_secret } = body as { id: string; client_secret: string };
		const credentials = { client_id, client_secret, scope: "ask knowledge:read" };
		expect((await grant({ ...credentials, resource: `${fixture.url}/mcp` })).body).toMatchObject({
			scope: "ask",
		});
		expect((await grant(credentials)).body).toMatchObject({ error: "invalid_scope" });
		const lacking = await grant({ ...credentials, scope: "keys:write", resource: `${fixture.url}/mcp` });
		expect(lacking.body).toMatchObject({ error: "invalid_scope" });
	});

	it.each(["https://evil.example/mcp", "mcp", "/mcp", "ftp://127.0.0.1/mcp", "OWN#part"])(
		"gets no token for %s",
		async (resource) => {
			const { status, body } = await grant({ resource: resource.replace("OWN", fixture.url) });
			expect([status, (body as { error: string }).error]).toEqual([400, "invalid_target"]);
		},
	);

	it("finds the public address, where one is set, whatever it calls the service", async () => {
		const headers = { host: "evil.example", "x-forwarded-proto": "http" };
		const send = (path: string) =>
			named.deployment.service.fetch(new Request(`http://evil.example${path}`, { headers }));
		const { headers: refused } = await send("/mcp");
		const path = "/.well-known/oauth-protected-resource/mcp";
		expect(refused.get("www-authenticate")).toContain(`resource_metadata="${PUBLIC_URL}${path}"`);
		expect(await (await send(path)).json()).toMatchObject({
			resource: `${PUBLIC_URL}/mcp`,
			authorization_servers: [PUBLIC_URL],
		});
		expect(await (await send("/.well-known/oauth-authorization-server")).json()).toMatchObject({
			issuer: PUBLIC_URL,
			token_endpoint: `${PUBLIC_URL}/oauth/token`,
		});
		const { send: mine } = named.mine;
		await mine("POST", "/v1/agents", { json: { slug: "desk", graph: DESK } });
		const { text } = await mine("GET", "/a2a/desk/.well-known/agent-card.json");
		expect(text).toContain(`"${PUBLIC_URL}/a2a/desk"`);
	});

	it("finds something at each address that the metadata and a card name", async () => {
		const listAddresses = (value: unknown): readonly string[] => {
			if (typeof value === "string") return value.startsWith("http") ? [value] : [];
			return typeof value === "object" && value !== null ? Object.values(value).flatMap(listAddresses) : [];
		};
		const documents = ["protected-resource", "protected-resource/mcp", "authorization-server"];
		const read = async (end: string) => (await fetch(`${fixture.url}/.well-known/oauth-${end}`)).json();
		const found = (await Promise.all(documents.map(read))).flatMap(listAddresses);
		expect(new Set(found)).toEqual(
			new Set(
				["", "/mcp", ...["authorize", "token", "register", "revoke"].map((end) => `/oauth/${end}`)].map(
					(path) => `${fixture.url}${path}`,
				),
			),
		);
		for (const address of found)
			for (const method of ["GET", "POST"]) {
				const { status } = await fetch(address, { method, redirect: "manual" });
				expect([address, method, status]).not.toEqual([address, method, 404]);
			}
		const url = `${fixture.url}/oauth/authorize?response_type=code`;
		const { status, headers } = await fetch(url, { redirect: "manual" });
		expect([status, headers.get("location")?.split("&")[0]]).toEqual([
			302,
			"/#/authorize?response_type=code",
		]);
	});

	it.each(["-protected-resource", "-protected-resource/mcp", "-authorization-server"])(
		"in a browser may read oauth%s",
		async (end) => {
			const url = `${fixture.url}/.well-known/oauth${end}`;
			const origin = "https://app.example";
			const { status, headers } = await fetch(url, {
				method: "OPTIONS",
				headers: {
					origin,
					"access-control-request-method": "GET",
					"access-control-request-headers": "mcp-protocol-version",
				},
			});
			expect([status, headers.get("access-control-allow-origin")]).toEqual([204, origin]);
			expect(headers.get("access-control-allow-methods")).toBe("GET");
			expect(headers.get("access-control-allow-headers")).toContain("mcp-protocol-version");
			const read = await fetch(url, { headers: { origin } });
			expect([read.status, read.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
			expect((await fetch(url)).headers.get("access-control-allow-origin")).toBe("*");
		},
	);

	it("behind a proxy that ends TLS finds https", async () => {
		const headers = { "x-forwarded-proto": "https" };
		const found = await fetch(`${fixture.url}/.well-known/oauth-protected-resource`, { headers });
		expect(await found.json()).toMatchObject({ resource: fixture.url.replace("http:", "https:") });
	});
});
