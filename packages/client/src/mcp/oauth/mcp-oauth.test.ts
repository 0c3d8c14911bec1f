import { afterEach, describe, expect, it, vi } from "vitest";
import { createMcpClient } from "../../mcp";
import { type McpServiceClient, mcpClientCredentials, mcpOAuth } from "../../mcp-oauth";
import { failure } from "../test-support/mcp-server";
import { approve, connectWith, oauth, REDIRECT_URI, ROUTES, serveOAuth } from "./test-support/oauth-servers";

afterEach(() => vi.unstubAllGlobals());

const CLIENT = { issuer: "https://login.example", id: "c" };
const SERVERS = ["https://mcp.example/mcp"];

describe("options that cannot be", () => {
	it.each([
		["`redirectUri`", { redirectUri: "http://app.example/callback" }],
		["`redirectUri`", { redirectUri: "https://app.example/callback#part" }],
		["`redirectUri`", { redirectUri: "" }],
		["`clientMetadataUrl`", { clientMetadataUrl: "http://app.example/client.json" }],
		["`clientMetadataUrl`", { clientMetadataUrl: "https://app.example/" }],
		["`clientMetadataUrl`", { clientMetadataUrl: "" }],
		["`clients[0].issuer`", { clients: [{ ...CLIENT, issuer: "login" }] }],
		["`clients[1].id`", { clients: [CLIENT, { ...CLIENT, id: "" }] }],
	])("name %s: %j", (name, options) => {
		expect(() => oauth(options)).toThrow(name);
	});

	it("a client without a secret or key has no credentials", () => {
		expect(() => mcpClientCredentials({ clients: [{ ...CLIENT, servers: SERVERS }] })).toThrow("`clients`");
	});

	it.each([[undefined], [[]], [["mcp.example"]], [[...SERVERS, "https://mcp.example/#part"]]])(
		"a client with credentials names its servers: %j",
		(servers) => {
			const client = { ...CLIENT, secret: "a-long-secret", servers } as McpServiceClient;
			expect(() => mcpClientCredentials({ clients: [client] })).toThrow("`clients[0].servers`");
		},
	);

	it.each(["http://mcp.example/mcp", "http://10.0.0.1/mcp"])("no tokens go over plain HTTP: %s", (url) => {
		expect(() => createMcpClient({ url, auth: oauth() })).toThrow("`url`");
	});

	it("a token and `auth` are not given at once", () => {
		const options = { url: "https://mcp.example/mcp", token: "t", auth: oauth() };
		expect(() => createMcpClient(options)).toThrow("`token`");
	});
});

describe("secrets in a page", () => {
	const clients = [{ ...CLIENT, secret: "a-long-secret", servers: SERVERS }];
	it("are refused, unless that is wanted", () => {
		vi.stubGlobal("window", {});
		vi.stubGlobal("document", {});
		expect(() => mcpClientCredentials({ clients })).toThrow("`clients[0].secret`");
		expect(() => oauth({ clients })).toThrow("`clients[0].secret`");
		expect(() => mcpClientCredentials({ clients, dangerouslyAllowBrowser: true })).not.toThrow();
		expect(() => oauth({ clients: [CLIENT] })).not.toThrow();
	});
});

describe("a platform without crypto", () => {
	it("needs random bytes of the app's own", async () => {
		vi.stubGlobal("crypto", undefined);
		const servers = await serveOAuth();
		const error = await failure(connectWith(servers).listTools());
		expect(error).toMatchObject({ name: "ConfigurationError" });
		expect(error.hint).toContain("`randomBytes`");
		expect(servers.all(ROUTES.authorize)).toEqual([]);
		const randomBytes = (length: number) => new Uint8Array(length).map((_, index) => index * 7);
		expect((await connectWith(servers, { randomBytes }).listTools()).tools).toHaveLength(1);
		const short = () => new Uint8Array(8);
		expect(await failure(connectWith(servers, { randomBytes: short }).listTools())).toMatchObject({
			name: "ConfigurationError",
		});
	});
});

it("sends nothing before the server asks for a token", async () => {
	const servers = await serveOAuth({
		replies: {
			[ROUTES.mcp]: ({ body: { id } }) => ({
				body: { jsonrpc: "2.0", id, result: { tools: [], ttlMs: 0, resultType: "complete" } },
			}),
		},
	});
	const auth = mcpOAuth({ authorize: approve, redirectUri: REDIRECT_URI });
	await createMcpClient({ url: servers.url, auth }).listTools();
	expect(servers.received).toHaveLength(1);
});

it("asks for tokens in a legacy session, too", async () => {
	const session = { protocolVersion: "2025-11-25", serverInfo: {}, capabilities: {} };
	const servers = await serveOAuth({
		replies: {
			[ROUTES.mcp]: ({ headers, body: { id, method } }) => {
				if (method === "initialize") return { body: { jsonrpc: "2.0", id, result: session } };
				if (id === undefined) return { status: 202 };
				return headers["mcp-protocol-version"] === "2026-07-28" && headers.authorization
					? { status: 400 }
					: undefined;
			},
		},
	});
	const client = connectWith(servers);
	expect((await client.callTool("add")).status).toBe("complete");
	expect(client.protocol?.era).toBe("legacy");
	expect(servers.all(ROUTES.authorize)).toHaveLength(1);
});
