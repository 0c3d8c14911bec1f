import { describe, expect, it } from "vitest";
import { createMcpClient } from "../../mcp";
import type { McpAuthorization, McpAuthorizationRequest } from "../../mcp-oauth";
import { failure } from "../test-support/mcp-server";
import {
	approve,
	connectWith,
	type OAuthScript,
	type OAuthServers,
	oauth,
	ROUTES,
	serveOAuth,
} from "./test-support/oauth-servers";

/** How a client fails, and whether it went to the authorization endpoint or the token endpoint at all. */
async function attack(script: OAuthScript, prepare: (servers: OAuthServers) => OAuthScript = () => ({})) {
	const servers = await serveOAuth(script);
	servers.script.current = { ...script, ...prepare(servers) };
	const authorizationRequests: McpAuthorizationRequest[] = [];
	const authorize = (request: McpAuthorizationRequest) => {
		authorizationRequests.push(request);
		return approve(request);
	};
	const error = await failure(connectWith(servers, { authorize }).listTools());
	return {
		error,
		isRequested: authorizationRequests.length > 0,
		isRedeemed: servers.all(ROUTES.token).length > 0,
		servers,
	};
}

const metadataOf = (resource: string) => () => ({ resourceMetadata: { resource } });

describe("metadata of another resource", () => {
	it.each(["https://evil.example/mcp", "http://127.0.0.1:1/mcp", "urn:mcp", ""])(
		"%j: nobody is asked",
		async (resource) => {
			const { error, isRequested } = await attack({}, metadataOf(resource));
			expect(error).toMatchObject({ name: "McpOAuthError", code: "resource_mismatch" });
			expect(isRequested).toBe(false);
		},
	);

	it.each(["", "/", "/mc", "/mcp/inner", "/other", "/mcp?tenant=1", "/mcp#part"])(
		"on the same origin, %j",
		async (path) => {
			const { error, isRequested } = await attack({}, ({ url }) =>
				metadataOf(`${new URL(url).origin}${path}`)(),
			);
			expect(error).toMatchObject({ code: "resource_mismatch" });
			expect(isRequested).toBe(false);
		},
	);
});

describe("metadata of another issuer", () => {
	it.each([
		["https://evil.example", (_: string) => "https://evil.example"],
		["a slash more", (issuer: string) => `${issuer}/`],
		["upper case", (issuer: string) => issuer.replace("http", "HTTP")],
	])("%s: nothing of them is used", async (_, toIssuer) => {
		const { error, isRequested, servers } = await attack({}, ({ issuer }) => ({
			issuerMetadata: { issuer: toIssuer(issuer) },
		}));
		expect(error).toMatchObject({ name: "McpOAuthError", code: "issuer_mismatch" });
		expect(isRequested).toBe(false);
		expect(servers.all(ROUTES.register)).toEqual([]);
	});
});

describe("addresses that servers name", () => {
	it.each([
		["authorization_endpoint", "http://login.example/authorize"],
		["authorization_endpoint", "javascript:alert(1)"],
		["authorization_endpoint", "file:///bin/sh"],
		["authorization_endpoint", "https://user:secret@login.example/"],
		["authorization_endpoint", 'https://login.example/";calc;"'],
		["authorization_endpoint", "https://login.example/$(id)`id`"],
		["token_endpoint", "http://169.254.169.254/latest"],
		["token_endpoint", 7],
		["registration_endpoint", "http://login.example/register"],
	])("%s must be safe: %j", async (field, address) => {
		const { error, isRequested } = await attack({ issuerMetadata: { [field]: address } });
		expect(error).toMatchObject({ name: "McpOAuthError", code: "insecure_address" });
		expect(isRequested).toBe(false);
	});

	it.each(["http://issuer.example", "http://10.0.0.1", "ftp://issuer.example", "issuer.example"])(
		"issuers must be safe: %s",
		async (issuer) => {
			const { error } = await attack({ resourceMetadata: { authorization_servers: [issuer] } });
			expect(error).toMatchObject({ code: "insecure_address" });
		},
	);

	it("of a server elsewhere are not those of this machine, nor plain HTTP", async () => {
		const places = [
			"http://127.0.0.1:1/metadata",
			"https://localhost/metadata",
			"https://[::1]/metadata",
			"http://mcp.example/metadata",
		];
		for (const place of places) {
			const authorizationRequests: string[] = [];
			const client = createMcpClient({
				url: "https://mcp.example/mcp",
				maxRetries: 0,
				auth: oauth(),
				fetch: async (url) => {
					authorizationRequests.push(url);
					return new Response("", {
						status: 401,
						headers: { "www-authenticate": `Bearer resource_metadata="${place}"` },
					});
				},
			});
			expect(await failure(client.listTools())).toMatchObject({ code: "insecure_address" });
			expect(authorizationRequests).toEqual(["https://mcp.example/mcp"]);
		}
	});

	it("that redirect are not followed", async () => {
		const { error, servers } = await attack({
			replies: {
				[ROUTES.metadata]: () => ({ status: 302, headers: { location: "http://169.254.169.254/" } }),
			},
		});
		expect(error).toMatchObject({ code: "metadata_not_found" });
		expect(servers.all("issuer GET /.well-known/openid-configuration")).toHaveLength(1);
	});

	it("that pour out data without end are left", async () => {
		const body = `{"issuer":"${"x".repeat(2 ** 21)}"}`;
		const { error } = await attack({ replies: { [ROUTES.metadata]: () => ({ body }) } });
		expect(error).toMatchObject({ code: "metadata_not_found" });
	});

	it("are all asked for over the `fetch` of the client, without its headers", async () => {
		const servers = await serveOAuth();
		const authorizationRequests: string[] = [];
		const client = connectWith(
			servers,
			{},
			{
				headers: { "x-secret": "for-the-mcp-server" },
				fetch: (url, init) => {
					authorizationRequests.push(url);
					return fetch(url, init as RequestInit);
				},
			},
		);
		await client.listTools();
		// The page of the authorization endpoint is opened by the app.
		expect(authorizationRequests).toHaveLength(servers.received.length - 1);
		const others = servers.received.filter(({ path }) => path !== "/mcp");
		expect(others.filter(({ headers }) => "x-secret" in headers)).toEqual([]);
	});
});

describe("an authorization server without PKCE", () => {
	it.each([undefined, [], ["plain"], "S256"])("is refused: %j", async (methods) => {
		const { error, isRequested, servers } = await attack({
			issuerMetadata: { code_challenge_methods_supported: methods },
		});
		expect(error).toMatchObject({ name: "McpOAuthError", code: "pkce_unsupported" });
		expect(isRequested).toBe(false);
		expect(servers.all(ROUTES.register)).toEqual([]);
	});
});

describe("a redirect", () => {
	it.each(["another-state", null])("with the state %j is not used", async (state) => {
		const { error, isRedeemed } = await attack({ redirect: { state } });
		expect(error).toMatchObject({ name: "McpOAuthError", code: "state_mismatch" });
		expect(isRedeemed).toBe(false);
	});

	const ADVERTISED = { authorization_response_iss_parameter_supported: true };
	it.each([
		["wrong", {}, (_: string) => "https://evil.example"],
		["wrong, though announced", ADVERTISED, (_: string) => "https://evil.example"],
		["missing, though announced", ADVERTISED, () => null],
		["right but for a slash", {}, (issuer: string) => `${issuer}/`],
		["right but for its case", {}, (issuer: string) => issuer.toUpperCase()],
		["empty", {}, () => ""],
	])("whose `iss` is %s is not used", async (_, issuerMetadata, toIssuer) => {
		const { error, isRedeemed } = await attack({ issuerMetadata }, ({ issuer }) => ({
			redirect: { iss: toIssuer(issuer) },
		}));
		expect(error).toMatchObject({ name: "McpOAuthError", code: "issuer_mismatch" });
		expect(isRedeemed).toBe(false);
	});

	it("without `iss` is used where it was not announced", async () => {
		const servers = await serveOAuth({ redirect: { iss: null } });
		expect((await connectWith(servers).listTools()).tools).toHaveLength(1);
	});

	it("from another server: its error is not shown", async () => {
		const { error } = await attack({
			redirect: {
				iss: "https://evil.example",
				error: "call_this_number",
				error_description: "+1 (555) 0100",
			},
		});
		expect(error.code).toBe("issuer_mismatch");
		expect(`${error.message} ${error.hint} ${JSON.stringify(error)}`).not.toMatch(/call_this_number|\(555\)/);
	});

	it("without a code is none", async () => {
		expect((await attack({ redirect: { code: null } })).error).toMatchObject({
			code: "authorization_failed",
		});
	});
});

describe("secrets", () => {
	const isLeaked = (secret: string, error: Error): boolean =>
		`${error} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)} ${JSON.stringify(error.cause)}`.includes(
			secret,
		);

	it("that come back from the token endpoint are in no error", async () => {
		const servers = await serveOAuth({
			authMethod: "client_secret_post",
			replies: {
				[ROUTES.token]: ({ body: { code, code_verifier, client_secret } }) => ({
					status: 400,
					body: { error: "invalid_grant", error_description: `${code} ${code_verifier} ${client_secret}` },
				}),
			},
		});
		const clients = [{ issuer: servers.issuer, id: "by-hand", secret: "by-hand & secret" }];
		const error = await failure(connectWith(servers, { clients }).listTools());
		const { code, code_verifier } = servers.last(ROUTES.token).body;
		expect(error).toMatchObject({ code: "token_refused", oauthError: "invalid_grant" });
		for (const secret of [code, code_verifier, "by-hand & secret"])
			expect(isLeaked(String(secret), error)).toBe(false);
	});

	it.each([
		["client_secret_post", 503],
		["client_secret_basic", 429],
	] as const)(
		"that come back from a token endpoint that fails are in no error: %s, %d",
		async (authMethod, status) => {
			const servers = await serveOAuth({
				authMethod,
				replies: {
					[ROUTES.token]: ({ body, headers }) => {
						const sent = {
							...body,
							authorization: headers.authorization,
							form: new URLSearchParams(body as never),
						};
						return {
							status,
							body: { error: { code: "failed", message: `${JSON.stringify(sent)} ${sent.form}` } },
						};
					},
				},
			});
			const clients = [{ issuer: servers.issuer, id: "by-hand", secret: "by-hand & secret" }];
			const error = await failure(connectWith(servers, { clients }).listTools());
			const { headers, body } = servers.last(ROUTES.token);
			expect(error).toMatchObject({ code: "connection_failed", cause: { status } });
			expect(String(error.cause)).toContain("authorization_code");
			const basic = headers.authorization?.slice("Basic ".length) ?? "by-hand & secret";
			for (const secret of [body.code, body.code_verifier, basic, "by-hand & secret", "by-hand+%26+secret"])
				expect(isLeaked(String(secret), error)).toBe(false);
		},
	);

	it("that come back from the MCP server are in no error, and in no log", async () => {
		const lines: string[] = [];
		const log = (line: string) => void lines.push(line);
		const servers = await serveOAuth({
			replies: {
				[ROUTES.mcp]: ({ headers: { authorization }, body: { id, method } }) =>
					method === "tools/call"
						? { body: { jsonrpc: "2.0", id, error: { code: -32603, message: `You sent ${authorization}` } } }
						: undefined,
			},
		});
		const client = connectWith(servers, {}, { logger: { debug: log, warn: log } });
		const error = await failure(client.callTool("add"));
		const token = servers.last(ROUTES.mcp).headers.authorization?.slice("Bearer ".length) ?? "";
		expect(error.message).toContain("You sent Bearer [redacted]");
		expect(isLeaked(token, error)).toBe(false);
		expect(lines.join()).toContain("POST");
		expect(lines.join()).not.toContain(token);
	});

	it("are in no address", async () => {
		const servers = await serveOAuth();
		await connectWith(servers).listTools();
		const addresses = JSON.stringify(servers.received.map(({ path, query }) => [path, query]));
		const { code_verifier } = servers.last(ROUTES.token).body;
		expect(addresses).not.toContain(String(code_verifier));
		expect(addresses).not.toMatch(/access-|refresh-/);
	});

	it("of one server are sent to no other, whatever the store gives", async () => {
		const [servers, others] = [await serveOAuth(), await serveOAuth()];
		let stored: McpAuthorization | undefined;
		const store = {
			get: () => stored,
			set: (_: string, authorization: McpAuthorization) => {
				stored = authorization;
			},
			delete: () => undefined,
		};
		await connectWith(servers, { store }).listTools();
		const token = stored?.accessToken ?? "";
		expect(token).toMatch(/^access-/);
		await connectWith(others, { store }).listTools();
		expect(JSON.stringify(others.received)).not.toContain(token);
	});

	it("of a client by hand are sent to its own authorization server alone", async () => {
		const servers = await serveOAuth({ authMethod: "client_secret_post" });
		const clients = [{ issuer: "https://login.example", id: "by-hand", secret: "by-hand & secret" }];
		await connectWith(servers, { clients }).listTools();
		expect(JSON.stringify(servers.received)).not.toContain("by-hand");
	});
});
