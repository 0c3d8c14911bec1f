import { describe, expect, it } from "vitest";
import { createMcpClient } from "../../mcp";
import type { McpAuthorization } from "../../mcp-oauth";
import { failure } from "../test-support/mcp-server";
import {
	advanceClock,
	connectWith,
	createStore,
	grants,
	oauth,
	PAST_MIN_INTERVAL_MS,
	ROUTES,
	serveOAuth,
} from "./test-support/oauth-servers";

describe("tokens", () => {
	it("are kept in the store of the app, and used by the next process", async () => {
		const servers = await serveOAuth({ challengeScope: "read" });
		const store = createStore();
		await connectWith(servers, { store }).listTools();
		expect(JSON.parse(JSON.stringify(store.stored.get(servers.url)))).toEqual({
			issuer: servers.issuer,
			resource: servers.url,
			scope: "read",
			accessToken: expect.stringMatching(/^access-/),
			expiresAt: expect.any(Number),
			refreshToken: expect.stringMatching(/^refresh-/),
			client: expect.objectContaining({ id: "client-1", authMethod: "none" }),
		});
		await connectWith(servers, { store }).listTools();
		expect(grants(servers)).toEqual(["authorization_code"]);
		expect(servers.all(ROUTES.mcp)).toHaveLength(3);
	});

	it("are refreshed ahead of their end, once for all calls; a new refresh token replaces the old one", async () => {
		const servers = await serveOAuth();
		const store = createStore();
		const client = connectWith(servers, { store });
		await client.listTools();
		const stored = store.stored.get(servers.url) as McpAuthorization;
		store.stored.set(servers.url, { ...stored, expiresAt: Date.now() + 5000 });
		await Promise.all(Array.from({ length: 10 }, () => client.callTool("add")));
		expect(grants(servers)).toEqual(["authorization_code", "refresh_token"]);
		servers.revokeAccessTokens();
		await client.callTool("add");
		await client.callTool("add");
		expect(grants(servers)).toEqual(["authorization_code", "refresh_token", "refresh_token"]);
		expect(servers.last(ROUTES.token).body).toMatchObject({ resource: servers.url, client_id: "client-1" });
		expect(new Set(servers.all(ROUTES.token).map(({ body }) => body.refresh_token)).size).toBe(3);
	});

	it("that the server refuses are refreshed without a person", async () => {
		const servers = await serveOAuth();
		const client = connectWith(servers);
		await client.listTools();
		servers.revokeAccessTokens();
		await Promise.all([1, 2, 3].map(() => client.callTool("add")));
		expect(grants(servers)).toEqual(["authorization_code", "refresh_token"]);
		expect(servers.all(ROUTES.authorize)).toHaveLength(1);
	});

	it("that can no longer be refreshed are asked for anew, with the scopes that they had", async () => {
		const servers = await serveOAuth({ challengeScope: "read" });
		const client = connectWith(servers);
		await client.listTools();
		servers.revokeAccessTokens();
		servers.revokeRefreshTokens();
		advanceClock(PAST_MIN_INTERVAL_MS);
		servers.script.current = { challengeScope: "write" };
		await client.callTool("add");
		expect(grants(servers)).toEqual(["authorization_code", "refresh_token", "authorization_code"]);
		expect(servers.last(ROUTES.authorize).query.scope).toBe("read write");
		expect(servers.all(ROUTES.register)).toHaveLength(1);
	});

	it("that another process has refreshed meanwhile are taken from the store", async () => {
		const servers = await serveOAuth();
		const store = createStore();
		const [one, other] = [connectWith(servers, { store }), connectWith(servers, { store })];
		await one.listTools();
		await other.listTools();
		servers.revokeAccessTokens();
		await Promise.all([one.callTool("add"), other.callTool("add")]);
		expect(servers.all(ROUTES.authorize)).toHaveLength(1);
	});

	it("are used to their end when the authorization server is away", async () => {
		const servers = await serveOAuth({ expiresIn: 8 });
		const client = connectWith(servers);
		await client.listTools();
		servers.script.current = { replies: { [ROUTES.metadata]: () => ({ status: 503 }) } };
		expect((await client.callTool("add")).status).toBe("complete");
	});

	it("are not sent any more after their end", async () => {
		const servers = await serveOAuth({ expiresIn: 0.001 });
		const store = createStore();
		await connectWith(servers, { store }).listTools();
		const stored = store.stored.get(servers.url) as McpAuthorization;
		store.stored.set(servers.url, { ...stored, refreshToken: undefined });
		const before = servers.all(ROUTES.mcp).length;
		servers.script.current = {};
		await expect.poll(() => Date.now()).toBeGreaterThan(stored.expiresAt ?? 0);
		await connectWith(servers, { store }).listTools();
		expect(servers.all(ROUTES.mcp)[before]?.headers.authorization).toBeUndefined();
	});

	it("of an authorization server that the MCP server has left are not used at the next one", async () => {
		const [servers, others] = [await serveOAuth(), await serveOAuth()];
		const client = connectWith(servers);
		await client.listTools();
		const tokens = servers.last(ROUTES.mcp).headers.authorization ?? "";
		servers.revokeAccessTokens();
		servers.script.current = { resourceMetadata: { authorization_servers: [others.issuer] } };
		await failure(client.listTools());
		expect(others.all(ROUTES.register)).toHaveLength(1);
		expect(grants(others)).toEqual(["authorization_code"]);
		expect(JSON.stringify(others.received)).not.toContain(tokens);
		expect(grants(servers)).toEqual(["authorization_code"]);
	});

	it.each([
		{ token_type: "DPoP" },
		{ token_type: undefined },
		{ access_token: undefined },
		{ access_token: "two words" },
	])("are bearer tokens: %j", async (more) => {
		const body = { access_token: "a-token", token_type: "Bearer", ...more };
		const servers = await serveOAuth({ replies: { [ROUTES.token]: () => ({ body }) } });
		expect(await failure(connectWith(servers).listTools())).toMatchObject({ code: "token_invalid" });
	});

	it("a store that fails is told as such", async () => {
		const thrown = new Error("The disk is full.");
		const store = { ...createStore(), set: () => Promise.reject(thrown) };
		const error = await failure(connectWith(await serveOAuth(), { store }).listTools());
		expect(error).toMatchObject({ name: "McpOAuthError", code: "authorization_failed", cause: thrown });
	});

	it("are asked for by the other members of a store, too: one for each server", async () => {
		const [servers, others] = [await serveOAuth(), await serveOAuth()];
		const auth = oauth();
		for (const { url } of [servers, others]) await createMcpClient({ url, auth }).listTools();
		expect(servers.all(ROUTES.token)).toHaveLength(1);
		expect(others.all(ROUTES.token)).toHaveLength(1);
	});
});

describe("a call that needs more scopes", () => {
	it("asks for them besides those that were granted, and is sent again", async () => {
		const servers = await serveOAuth({ challengeScope: "read", callScope: "write" });
		const client = connectWith(servers);
		expect((await client.callTool("add")).status).toBe("complete");
		expect(servers.all(ROUTES.authorize).map(({ query }) => query.scope)).toEqual(["read", "read write"]);
		await client.callTool("add");
		expect(servers.all(ROUTES.authorize)).toHaveLength(2);
	});

	it("fails when they were asked for before: nobody is asked in vain", async () => {
		const servers = await serveOAuth({ challengeScope: "read write", callScope: "write" });
		servers.script.current = {
			...servers.script.current,
			replies: {
				[ROUTES.mcp]: ({ body }) =>
					body.method === "tools/call"
						? {
								status: 403,
								headers: { "www-authenticate": 'Bearer error="insufficient_scope", scope="write"' },
							}
						: undefined,
			},
		};
		const error = await failure(connectWith(servers).callTool("add"));
		expect(error).toMatchObject({ name: "PermissionError", code: "insufficient_scope", status: 403 });
		expect(servers.all(ROUTES.authorize)).toHaveLength(1);
	});

	it("gives up on a server that asks for ever more", async () => {
		let scopes = 0;
		const servers = await serveOAuth({
			replies: {
				[ROUTES.mcp]: ({ headers }) => {
					scopes += 1;
					const challenge = `Bearer error="insufficient_scope", scope="s${scopes}"`;
					if (headers.authorization === undefined) return undefined;
					return { status: 403, headers: { "www-authenticate": challenge } };
				},
			},
		});
		expect(await failure(connectWith(servers).callTool("add"))).toMatchObject({ status: 403 });
		expect(servers.all(ROUTES.authorize)).toHaveLength(3);
	});

	it("is refused for another reason without a question", async () => {
		const servers = await serveOAuth({
			replies: { [ROUTES.mcp]: ({ headers }) => (headers.authorization ? { status: 403 } : undefined) },
		});
		expect(await failure(connectWith(servers).callTool("add"))).toMatchObject({ name: "PermissionError" });
		expect(servers.all(ROUTES.authorize)).toHaveLength(1);
	});
});
