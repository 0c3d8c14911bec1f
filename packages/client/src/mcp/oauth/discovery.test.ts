import { describe, expect, it } from "vitest";
import { failure } from "../test-support/mcp-server";
import {
	approve,
	connectWith,
	type OAuthScript,
	type Reply,
	ROUTES,
	serveOAuth,
} from "./test-support/oauth-servers";

const NOT_FOUND = (): Reply => ({ status: 404 });
const paths = (servers: Awaited<ReturnType<typeof serveOAuth>>): readonly string[] =>
	servers.received.filter(({ method }) => method === "GET").map(({ to, path }) => `${to} ${path}`);

const fail = async (script: OAuthScript) => {
	const servers = await serveOAuth(script);
	let authorizeCalls = 0;
	const authorize = (request: Parameters<typeof approve>[0]) => {
		authorizeCalls += 1;
		return approve(request);
	};
	const error = await failure(connectWith(servers, { authorize }).listTools());
	return { servers, error, authorizeCalls };
};

describe("the metadata of an MCP server", () => {
	it("are where the challenge says", async () => {
		const servers = await serveOAuth();
		await connectWith(servers).listTools();
		expect(paths(servers)[0]).toBe("mcp /.well-known/oauth-protected-resource/mcp");
	});

	it("are at the well-known address of its path, without a challenge", async () => {
		const servers = await serveOAuth({ namesMetadata: false });
		await connectWith(servers).listTools();
		expect(paths(servers).slice(0, 2)).toEqual([
			"mcp /.well-known/oauth-protected-resource/mcp",
			"issuer /.well-known/oauth-authorization-server",
		]);
	});

	it.each([
		["the origin", (origin: string) => origin],
		["the origin with a slash", (origin: string) => `${origin}/`],
		["the server", (origin: string) => `${origin}/mcp`],
	])("are at that of its origin last, where they may be of %s", async (_, toResource) => {
		const servers = await serveOAuth({
			namesMetadata: false,
			replies: {
				[ROUTES.resource]: NOT_FOUND,
				[ROUTES.rootResource]: () => ({ body: metadata() }),
			},
		});
		const resource = toResource(new URL(servers.url).origin);
		const metadata = () => ({ resource, authorization_servers: [servers.issuer] });
		await connectWith(servers).listTools();
		expect(servers.last(ROUTES.authorize).query.resource).toBe(resource);
		expect(servers.last(ROUTES.token).body.resource).toBe(resource);
	});

	it("may be missing", async () => {
		const { error, servers } = await fail({
			namesMetadata: false,
			replies: { [ROUTES.resource]: NOT_FOUND, [ROUTES.rootResource]: () => ({ body: "<html>" }) },
		});
		expect(error).toMatchObject({ name: "McpOAuthError", code: "metadata_not_found" });
		expect(servers.all(ROUTES.rootResource)).toHaveLength(1);
	});

	it.each([
		{ authorization_servers: undefined },
		{ authorization_servers: [] },
		{ authorization_servers: [7] },
	])("name an authorization server: %j", async (resourceMetadata) => {
		expect((await fail({ resourceMetadata })).error).toMatchObject({ code: "metadata_invalid" });
	});

	it("that fail are an error, and no reason to look elsewhere", async () => {
		const { error, servers } = await fail({
			namesMetadata: false,
			replies: { [ROUTES.resource]: () => ({ status: 500 }) },
		});
		expect(error).toMatchObject({ name: "McpOAuthError", code: "connection_failed" });
		expect(servers.all(ROUTES.rootResource)).toEqual([]);
	});
});

describe("the metadata of an authorization server", () => {
	it.each([
		["", ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]],
		[
			"/tenant1",
			[
				"/.well-known/oauth-authorization-server/tenant1",
				"/.well-known/openid-configuration/tenant1",
				"/tenant1/.well-known/openid-configuration",
			],
		],
	])("are looked for in the order of the specification: %j", async (issuerPath, candidates) => {
		const { error, servers } = await fail({
			issuerPath,
			replies: { [`issuer GET /.well-known/oauth-authorization-server${issuerPath}`]: NOT_FOUND },
		});
		expect(error).toMatchObject({ code: "metadata_not_found" });
		expect(paths(servers).slice(1)).toEqual(candidates.map((candidate) => `issuer ${candidate}`));
	});

	it("may be those of OpenID Connect", async () => {
		const servers = await serveOAuth({
			issuerPath: "/tenant1",
			replies: {
				"issuer GET /.well-known/oauth-authorization-server/tenant1": NOT_FOUND,
				"issuer GET /tenant1/.well-known/openid-configuration": () => ({
					body: {
						issuer: servers.issuer,
						authorization_endpoint: `${servers.issuer}/authorize`,
						token_endpoint: `${servers.issuer}/token`,
						registration_endpoint: `${servers.issuer}/register`,
						code_challenge_methods_supported: ["plain", "S256"],
					},
				}),
			},
		});
		expect((await connectWith(servers).listTools()).tools).toHaveLength(1);
	});

	it.each([{ token_endpoint: undefined }, { authorization_endpoint: undefined }])(
		"have the endpoints: %j",
		async (issuerMetadata) => {
			const { error, authorizeCalls } = await fail({ issuerMetadata });
			expect(error).toMatchObject({ code: "metadata_invalid" });
			expect(authorizeCalls).toBe(0);
		},
	);
});

describe("scopes", () => {
	const scopeOf = async (script: OAuthScript) => {
		const servers = await serveOAuth(script);
		await connectWith(servers).listTools();
		return servers.last(ROUTES.authorize).query;
	};

	it("are those of the challenge", async () => {
		const { scope } = await scopeOf({
			challengeScope: "files:read",
			resourceMetadata: { scopes_supported: ["all"] },
		});
		expect(scope).toBe("files:read");
	});

	it("are all of the metadata, without a challenge for any", async () => {
		const { scope } = await scopeOf({ resourceMetadata: { scopes_supported: ["a", "b", 'no"scope', 3] } });
		expect(scope).toBe("a b");
	});

	it("are left out where none are named", async () => {
		expect(await scopeOf({ issuerMetadata: { scopes_supported: ["offline_access"] } })).not.toHaveProperty(
			"scope",
		);
	});

	it("ask for a refresh token where the authorization server has a scope for it", async () => {
		const query = await scopeOf({
			challengeScope: "a",
			issuerMetadata: { scopes_supported: ["a", "offline_access"] },
		});
		expect(query).toMatchObject({ scope: "a offline_access", prompt: "consent" });
		expect(await scopeOf({ challengeScope: "a" })).not.toHaveProperty("prompt");
	});
});
