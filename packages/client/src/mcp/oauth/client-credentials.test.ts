import { createVerify, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createMcpClient } from "../../mcp";
import { type McpClientAssertion, type McpOAuthClient, mcpClientCredentials } from "../../mcp-oauth";
import { failure } from "../test-support/mcp-server";
import { type OAuthServers, ROUTES, serveOAuth } from "./test-support/oauth-servers";

const SECRET = "by-hand & secret";

const connect = ({ url }: OAuthServers, client: McpOAuthClient, servers: readonly string[] = [url]) =>
	createMcpClient({
		url,
		maxRetries: 0,
		auth: mcpClientCredentials({ clients: [{ ...client, servers }] }),
	});

it.each(["client_secret_basic", "client_secret_post"] as const)(
	"a client gets tokens for itself: %s",
	async (authMethod) => {
		const servers = await serveOAuth({ authMethod, challengeScope: "read" });
		const client = connect(servers, { issuer: servers.issuer, id: "job", secret: SECRET });
		await Promise.all([client.listTools(), client.callTool("add")]);
		expect(servers.all(ROUTES.token)).toHaveLength(1);
		expect(servers.last(ROUTES.token).body).toMatchObject({
			grant_type: "client_credentials",
			scope: "read",
			resource: servers.url,
		});
	},
);

it("asks for another token when one is refused, and for more scopes", async () => {
	const servers = await serveOAuth({
		authMethod: "client_secret_post",
		challengeScope: "read",
		callScope: "write",
		issuerMetadata: { authorization_endpoint: undefined, code_challenge_methods_supported: undefined },
	});
	const client = connect(servers, { issuer: servers.issuer, id: "job", secret: SECRET });
	await client.callTool("add");
	servers.revokeAccessTokens();
	await client.callTool("add");
	expect(servers.all(ROUTES.token).map(({ body }) => body.scope)).toEqual([
		"read",
		"read write",
		"read write",
	]);
});

it("signs an assertion with the app's key", async () => {
	const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
	const signJwt = (claims: McpClientAssertion) => {
		const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
		const signed = `${encode({ alg: "RS256" })}.${encode(claims)}`;
		return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
	};
	const servers = await serveOAuth();
	await connect(servers, { issuer: servers.issuer, id: "job", signJwt }).listTools();
	const { client_assertion, client_assertion_type, client_secret, client_id } = servers.last(
		ROUTES.token,
	).body;
	expect([client_id, client_secret]).toEqual(["job", undefined]);
	expect(client_assertion_type).toBe("urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
	const [header, payload, signature = ""] = String(client_assertion).split(".");
	const isSigned = createVerify("sha256")
		.update(`${header}.${payload}`)
		.verify(publicKey, Buffer.from(signature, "base64url"));
	expect(isSigned).toBe(true);
	const claims = JSON.parse(Buffer.from(payload ?? "", "base64url").toString());
	expect(claims).toMatchObject({ iss: "job", sub: "job", aud: servers.issuer, jti: expect.any(String) });
	expect(claims.exp - claims.iat).toBe(60);
});

it("sends its secret to no other authorization server", async () => {
	const servers = await serveOAuth({ authMethod: "client_secret_post" });
	const client = connect(servers, { issuer: "https://login.example", id: "job", secret: SECRET });
	expect(await failure(client.listTools())).toMatchObject({
		name: "McpOAuthError",
		code: "client_required",
	});
	expect(servers.all(ROUTES.token)).toEqual([]);
});

describe("the servers of a client", () => {
	it.each([
		["another origin", () => ["https://orders.example"]],
		["another port of the host", () => ["http://127.0.0.1:1"]],
		[
			"another path of the origin",
			({ url }: OAuthServers) => [`${url}/inner`, url.replace("/mcp", "/other")],
		],
		["another query", ({ url }: OAuthServers) => [`${url}?tenant=1`]],
	])("get tokens, and no others: %s", async (_, toServers) => {
		const servers = await serveOAuth({ authMethod: "client_secret_post" });
		const registered = { issuer: servers.issuer, id: "job", secret: SECRET };
		const error = await failure(connect(servers, registered, toServers(servers)).listTools());
		expect(error).toMatchObject({ name: "McpOAuthError", code: "client_required" });
		expect(error.hint).toContain("`servers`");
		expect(servers.all(ROUTES.token)).toEqual([]);
	});

	it("are given by their addresses or their origins", async () => {
		const servers = await serveOAuth({ authMethod: "client_secret_post" });
		const registered = { issuer: servers.issuer, id: "job", secret: SECRET };
		const { origin } = new URL(servers.url);
		for (const one of [origin, `${origin}/`, servers.url])
			await connect(servers, registered, ["https://orders.example", one]).listTools();
		expect(servers.all(ROUTES.token)).toHaveLength(3);
	});

	it("decide which of two clients of one issuer is used", async () => {
		const servers = await serveOAuth({ authMethod: "client_secret_post" });
		const common = { issuer: servers.issuer, secret: SECRET };
		const clients = [
			{ ...common, id: "other", servers: ["https://orders.example"] },
			{ ...common, id: "job", servers: [servers.url] },
		];
		await createMcpClient({ url: servers.url, auth: mcpClientCredentials({ clients }) }).listTools();
		expect(servers.last(ROUTES.token).body.client_id).toBe("job");
	});
});
