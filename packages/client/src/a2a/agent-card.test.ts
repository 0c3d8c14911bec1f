import { afterEach, describe, expect, it, vi } from "vitest";
import { useTestServer } from "../test-support/test-client";
import {
	closeConnection,
	respondWithHtml,
	respondWithJson,
	sendError,
	sendJson,
} from "../test-support/test-server";
import type { A2aConnection } from "./create-a2a-client";
import { createA2aClient } from "./create-a2a-client";
import { agentAt, cardOf, respondWithText, serveAgent, taskOf } from "./test-support/fake-agent";

const server = useTestServer();
afterEach(() => vi.useRealTimers());

const CARD = "/.well-known/agent-card.json";
const cardRequests = () => server().requests.filter(({ path }) => path.endsWith(".json"));

describe("a card", () => {
	it("is asked for when it is first needed, once for all that need it", async () => {
		const agent = serveAgent(server());
		agent.on("GetTask", ({ reply }) => reply(taskOf("WORKING")));
		const client = agentAt(server());
		await new Promise((resolve) => setTimeout(resolve, 20));
		expect(server().requests).toHaveLength(0);
		await Promise.all([client.card(), client.getTask("task_1"), client.getTask("task_1"), client.card()]);
		expect(cardRequests()).toHaveLength(1);
		expect(cardRequests()[0]?.headers["a2a-version"]).toBe("1.0");
		expect(await client.card()).toEqual(cardOf(server().url));
	});

	it.each([
		["/agents/desk", `/agents/desk${CARD}`],
		["/agents/desk/", `/agents/desk${CARD}`],
		["/cards/desk.json", "/cards/desk.json"],
		["/agents/desk?key=1", `/agents/desk${CARD}?key=1`],
		["/cards/desk.json?key=1", "/cards/desk.json?key=1"],
	])("at %s is %s", async (path, expectedUrl) => {
		const url = `${server().url}${path}`;
		await createA2aClient({ url, maxRetries: 0 })
			.card()
			.catch(() => undefined);
		const [request] = server().requests;
		const query = request?.query.size ? `?${request.query}` : "";
		expect(`${request?.path}${query}`).toBe(expectedUrl);
	});

	it("is asked for anew by its ETag when its time is over, and kept if it is the same", async () => {
		vi.useFakeTimers({ toFake: ["Date"] });
		const card = { ...cardOf(server().url), name: "First" };
		server().on(`GET ${CARD}`, ({ headers }, response) => {
			response.setHeader("etag", '"v1"').setHeader("cache-control", "public, max-age=60");
			if (headers["if-none-match"] === '"v1"') response.writeHead(304).end();
			else sendJson(response, card);
		});
		const client = agentAt(server());
		const first = await client.card();
		vi.setSystemTime(Date.now() + 59_000);
		expect(await client.card()).toBe(first);
		expect(cardRequests()).toHaveLength(1);
		vi.setSystemTime(Date.now() + 2000);
		expect(await client.card()).toBe(first);
		expect(cardRequests().map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"v1"']);
		await client.card();
		expect(cardRequests()).toHaveLength(2);
	});

	it("that has changed is the one that counts", async () => {
		vi.useFakeTimers({ toFake: ["Date"] });
		const agent = serveAgent(server());
		agent.on("GetTask", ({ reply }) => reply(taskOf("WORKING")));
		const client = agentAt(server());
		await client.getTask("task_1");
		serveAgent(server(), cardOf(server().url, { supportedInterfaces: [] }));
		vi.setSystemTime(Date.now() + 301_000);
		await expect(client.getTask("task_1")).rejects.toMatchObject({ code: "version_not_supported" });
	});

	it("is asked for without its ETag where that may not be sent, as pages find out", async () => {
		vi.useFakeTimers({ toFake: ["Date"] });
		server().on(`GET ${CARD}`, (request, response) => {
			if (request.headers["if-none-match"]) return closeConnection(request, response);
			sendJson(response.setHeader("etag", '"v1"'), cardOf(server().url));
		});
		const client = agentAt(server(), { maxRetries: 0 });
		await client.card();
		vi.setSystemTime(Date.now() + 301_000);
		expect(await client.card()).toEqual(cardOf(server().url));
		expect(cardRequests()).toHaveLength(3);
	});

	it("that could not be had is asked for again by the next call, and waits for no one who has left", async () => {
		server().sequence(
			`GET ${CARD}`,
			respondWithJson({}, 404),
			() => undefined,
			respondWithJson(cardOf(server().url)),
		);
		const client = agentAt(server());
		await expect(client.card()).rejects.toMatchObject({ name: "NotFoundError", status: 404 });
		await expect(client.card({ timeouts: { timeoutMs: 30 } })).rejects.toMatchObject({
			code: "total_timeout",
		});
		const controller = new AbortController();
		const waiting = client.card({ signal: controller.signal });
		controller.abort(new Error("Enough."));
		await expect(waiting).rejects.toThrow("Enough.");
	});

	it.each([
		["a page", respondWithHtml],
		["a list", respondWithJson([])],
		["something without a name", respondWithJson({ supportedInterfaces: [] })],
		["something with one interface", respondWithJson({ name: "x", supportedInterfaces: {} })],
	])("is refused if it is %s", async (_, answer) => {
		server().on(`GET ${CARD}`, answer);
		await expect(agentAt(server()).card()).rejects.toMatchObject({
			name: "A2aError",
			code: "invalid_agent_response",
		});
	});

	it("that is as long as a film is not read to its end", async () => {
		server().on(`GET ${CARD}`, respondWithText(" ".repeat(2 ** 22)));
		await expect(agentAt(server(), { maxResultBytes: 2 ** 20 }).card()).rejects.toMatchObject({
			code: "response_too_large",
		});
	});

	it("may leave out what ProtoJSON leaves out", async () => {
		server().on(`GET ${CARD}`, respondWithJson({ name: "x" }));
		expect(await agentAt(server()).card()).toEqual({
			name: "x",
			description: "",
			version: "",
			supportedInterfaces: [],
			capabilities: {},
			defaultInputModes: [],
			defaultOutputModes: [],
			skills: [],
		});
	});
});

const interfaceAt = (url: string, protocolBinding = "JSONRPC", protocolVersion = "1.0") => ({
	url,
	protocolBinding,
	protocolVersion,
});

/** Asks an agent at an https address for a task; tells where the requests went. */
async function ask(
	interfaces: readonly unknown[],
	options: Partial<A2aConnection> = {},
	card: object = { supportedInterfaces: interfaces },
) {
	const expectedUrl: { readonly url: string; readonly headers: Record<string, string> }[] = [];
	const fetch: A2aConnection["fetch"] = async (url, { headers, body }) => {
		expectedUrl.push({ url, headers });
		const { id } = JSON.parse(`${body ?? "{}"}`) as { id?: string };
		const answer = url.includes(CARD)
			? { name: "x", ...card }
			: { jsonrpc: "2.0", id, result: taskOf("WORKING") };
		return new Response(JSON.stringify(url.includes("/rest") ? taskOf("WORKING") : answer), {
			headers: { "content-type": "application/json" },
		});
	};
	const url = "https://agent.example/desk";
	const client = createA2aClient({ url, token: "sk_secret_token", ...options, fetch });
	const error: unknown = await client.getTask("task_1").then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	return {
		error,
		expectedUrl: expectedUrl.map((one) => one.url),
		headers: expectedUrl.map((one) => one.headers),
	};
}

const GOOD = "https://agent.example/rpc";

describe("the address in a card", () => {
	it.each([
		["a file", "file:///etc/passwd", "address_refused"],
		["a script", "javascript:alert(1)", "address_refused"],
		["a path", "/rpc", "address_refused"],
		["one with a password", "https://agent.example:pw@evil.example/rpc", "address_refused"],
		["one with a user name", "https://agent.example@evil.example/", "address_refused"],
		["one with a back slash", "https://agent.example\\@evil.example/", "address_refused"],
		["one with a line break", "https://agent.example\n.evil.example/", "address_refused"],
		["one with a fragment", "https://agent.example/rpc#x", "address_refused"],
		["no text at all", "", "address_refused"],
		["one without encryption", "http://agent.example/rpc", "address_refused"],
		["another host", "https://evil.example/rpc", "origin_not_allowed"],
		["a host that begins like it", "https://agent.example.evil.example/rpc", "origin_not_allowed"],
		["another port", "https://agent.example:8443/rpc", "origin_not_allowed"],
		["the metadata of a cloud", "https://169.254.169.254/latest", "origin_not_allowed"],
	])("is not asked if it is %s", async (_, url, code) => {
		const { error, expectedUrl } = await ask([interfaceAt(url)]);
		expect(error).toMatchObject({ name: "A2aError", code, hint: expect.any(String) });
		expect(JSON.stringify(error)).not.toMatch(/pw@|sk_secret/);
		expect(expectedUrl).toEqual([`https://agent.example/desk${CARD}`]);
	});

	it.each([
		["of the same origin", GOOD, {}],
		["with the port that is meant anyway", "https://AGENT.example:443/rpc", {}],
		["that is allowed", "https://api.example/rpc", { allowedOrigins: ["https://api.example/"] }],
	])("%s is asked, with the credential", async (_, url, options) => {
		const { error, expectedUrl, headers } = await ask([interfaceAt(url)], options);
		expect([error, expectedUrl[1]]).toEqual([undefined, url]);
		expect(headers[1]?.authorization).toBe("Bearer sk_secret_token");
	});

	it("is never one without encryption, even if that is allowed", async () => {
		const options = { allowedOrigins: ["http://api.example"] };
		const { error } = await ask([interfaceAt("http://api.example/rpc")], options);
		expect(error).toMatchObject({ code: "address_refused" });
	});

	it("is the next one where the first cannot be used, and nothing else is fetched", async () => {
		const card = {
			supportedInterfaces: [null, "x", interfaceAt("https://evil.example/"), interfaceAt(GOOD)],
			iconUrl: "https://evil.example/icon",
			provider: { url: "https://evil.example/" },
			documentationUrl: "https://evil.example/docs",
			signatures: [{ header: { jku: "https://evil.example/keys" } }],
		};
		const { error, expectedUrl } = await ask([], {}, card);
		expect([error, expectedUrl]).toEqual([undefined, [`https://agent.example/desk${CARD}`, GOOD]]);
	});

	it("has no more than an origin in `allowedOrigins`", () => {
		const options = { url: GOOD, allowedOrigins: ["*"] };
		expect(() => createA2aClient(options)).toThrow("`allowedOrigins`");
		expect(() => createA2aClient({ url: "agent.example" })).toThrow("`url`");
	});
});

const REST = "https://agent.example/rest";

describe("the binding", () => {
	it.each<readonly [string, readonly unknown[], Partial<A2aConnection>, string]>([
		["is that of the first interface", [interfaceAt(GOOD), interfaceAt(REST, "HTTP+JSON")], {}, GOOD],
		[
			"is that of the first interface, also of HTTP+JSON",
			[interfaceAt(REST, "HTTP+JSON"), interfaceAt(GOOD)],
			{},
			`${REST}/tasks/task_1`,
		],
		[
			"is HTTP+JSON where there is no other",
			[interfaceAt("x", "GRPC"), interfaceAt(REST, "HTTP+JSON")],
			{},
			`${REST}/tasks/task_1`,
		],
		[
			"is HTTP+JSON where that is wanted",
			[interfaceAt(GOOD), interfaceAt(`${REST}/`, "HTTP+JSON")],
			{ binding: "HTTP+JSON" },
			`${REST}/tasks/task_1`,
		],
		[
			"has the tenant of the card",
			[{ ...interfaceAt(REST, "HTTP+JSON"), tenant: "a b" }],
			{},
			`${REST}/a%20b/tasks/task_1`,
		],
		[
			"has the tenant that is wanted",
			[{ ...interfaceAt(REST, "HTTP+JSON"), tenant: "a" }],
			{ tenant: "b" },
			`${REST}/b/tasks/task_1`,
		],
		[
			"is of version 1",
			[interfaceAt("https://agent.example/old", "JSONRPC", "0.3"), interfaceAt(GOOD, "jsonrpc", "1.1")],
			{},
			GOOD,
		],
	])("%s", async (_, interfaces, options, url) => {
		const { error, expectedUrl } = await ask(interfaces, options);
		expect([error, expectedUrl[1]]).toEqual([undefined, url]);
	});

	it.each<readonly [string, object, Partial<A2aConnection>, string, RegExp]>([
		[
			"0.3 alone",
			{ url: GOOD, preferredTransport: "JSONRPC", protocolVersion: "0.3.0" },
			{},
			"version_not_supported",
			/speaks only A2A 0\.3\.0; this client speaks 1\.0/,
		],
		[
			"0.3 in its interfaces",
			{ supportedInterfaces: [interfaceAt(GOOD, "JSONRPC", "0.3")] },
			{},
			"version_not_supported",
			/0\.3/,
		],
		[
			"10.0",
			{ supportedInterfaces: [interfaceAt(GOOD, "JSONRPC", "10.0")] },
			{},
			"version_not_supported",
			/10\.0/,
		],
		[
			"gRPC alone",
			{ supportedInterfaces: [interfaceAt("agent.example:443", "GRPC")] },
			{},
			"binding_not_supported",
			/speaks GRPC, and not JSONRPC or HTTP\+JSON/,
		],
		[
			"another than is wanted",
			{ supportedInterfaces: [interfaceAt(GOOD)] },
			{ binding: "HTTP+JSON" },
			"binding_not_supported",
			/speaks JSONRPC, and not HTTP\+JSON/,
		],
		[
			"HTTP+JSON with a query",
			{ supportedInterfaces: [interfaceAt(`${REST}?x=1`, "HTTP+JSON")] },
			{},
			"address_refused",
			/no address/,
		],
	])("of an agent that speaks %s is refused, and it says why", async (_, card, options, code, message) => {
		const { error, expectedUrl } = await ask([], options, card);
		expect(error).toMatchObject({
			name: "A2aError",
			code,
			message: expect.stringMatching(message),
			hint: expect.any(String),
		});
		expect(expectedUrl).toHaveLength(1);
	});
});

it("a card that needs a credential says so as the API does", async () => {
	server().on(`GET ${CARD}`, (_, response) =>
		sendError(response, 401, { code: "unauthorized", message: "No sk_secret_token." }),
	);
	const error = await agentAt(server(), { token: "sk_secret_token" })
		.card()
		.catch((thrown: unknown) => thrown);
	expect(error).toMatchObject({ name: "AuthenticationError", status: 401, message: "No [redacted]." });
});
