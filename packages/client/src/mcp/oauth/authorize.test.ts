import { describe, expect, it } from "vitest";
import { createMcpClient } from "../../mcp";
import type { McpAuthorizationRequest, McpAuthorizationResponse } from "../../mcp-oauth";
import { failure } from "../test-support/mcp-server";
import {
	advanceClock,
	approve,
	connectWith,
	createStore,
	oauth,
	PAST_MIN_INTERVAL_MS,
	REDIRECT_URI,
	ROUTES,
	serveOAuth,
} from "./test-support/oauth-servers";

describe("a server that asks for OAuth", () => {
	it("gets a token that was asked for with PKCE, state and resource", async () => {
		const servers = await serveOAuth();
		const { tools } = await connectWith(servers).listTools();
		expect(tools).toHaveLength(1);
		const { query } = servers.last(ROUTES.authorize);
		expect(query).toEqual({
			response_type: "code",
			client_id: "client-1",
			redirect_uri: REDIRECT_URI,
			state: expect.stringMatching(/^[\w-]{43}$/),
			code_challenge: expect.stringMatching(/^[\w-]{43}$/),
			code_challenge_method: "S256",
			resource: servers.url,
		});
		expect(servers.last(ROUTES.token).body).toEqual({
			grant_type: "authorization_code",
			code: expect.stringMatching(/^code-/),
			redirect_uri: REDIRECT_URI,
			code_verifier: expect.stringMatching(/^[\w-]{43}$/),
			client_id: "client-1",
			resource: servers.url,
		});
		expect(servers.all(ROUTES.mcp).map(({ headers }) => headers.authorization)).toEqual([
			undefined,
			expect.stringMatching(/^Bearer access-/),
		]);
	});

	it("is authorized once for all calls of all clients with the same `auth`", async () => {
		const servers = await serveOAuth();
		const auth = oauth();
		const clients = [1, 2, 3].map(() => createMcpClient({ url: servers.url, auth }));
		await Promise.all(clients.flatMap((client) => [client.callTool("add"), client.listTools()]));
		await clients[0]?.callTool("add");
		expect(servers.all(ROUTES.authorize)).toHaveLength(1);
		expect(servers.all(ROUTES.token)).toHaveLength(1);
	});

	it("shares a refusal, too: nobody is asked twice", async () => {
		const servers = await serveOAuth({ redirect: { error: "access_denied" } });
		const client = connectWith(servers);
		const failures = await Promise.all([1, 2, 3].map(() => failure(client.callTool("add"))));
		expect(failures.map(({ code }) => code)).toEqual(Array(3).fill("authorization_refused"));
		expect(servers.all(ROUTES.authorize)).toHaveLength(1);
	});

	it("takes the parameters of the redirect, or any part of its address from the query on", async () => {
		const servers = await serveOAuth();
		const readParameters = async (request: McpAuthorizationRequest): Promise<McpAuthorizationResponse> =>
			Object.fromEntries(new URL(await approve(request)).searchParams);
		const readQuery = async (request: McpAuthorizationRequest): Promise<string> =>
			`/callback${new URL(await approve(request)).search}#fragment`;
		for (const authorize of [readParameters, readQuery])
			await connectWith(servers, { authorize }).listTools();
		expect(servers.all(ROUTES.token)).toHaveLength(2);
	});

	it("that refuses a token which was just issued is not asked again", async () => {
		const servers = await serveOAuth({ replies: { [ROUTES.mcp]: () => ({ status: 401 }) } });
		expect(await failure(connectWith(servers).listTools())).toMatchObject({ name: "AuthenticationError" });
		expect(servers.all(ROUTES.authorize)).toHaveLength(1);
		expect(servers.all(ROUTES.mcp)).toHaveLength(2);
	});

	it("that refuses all fresh tokens is asked once in a while, not by each call", async () => {
		const servers = await serveOAuth({ replies: { [ROUTES.mcp]: () => ({ status: 401 }) } });
		const client = connectWith(servers, {}, { protocol: "modern" });
		const call = async () =>
			expect(await failure(client.listTools())).toMatchObject({ name: "AuthenticationError" });
		for (const revoke of [() => undefined, () => undefined, servers.revokeRefreshTokens, () => undefined]) {
			revoke();
			await call();
		}
		expect(servers.all(ROUTES.authorize)).toHaveLength(1);
		advanceClock(PAST_MIN_INTERVAL_MS);
		await call();
		expect(servers.all(ROUTES.authorize)).toHaveLength(2);
	});

	it("asks for another token at once when the app has deleted the last", async () => {
		const servers = await serveOAuth();
		const store = createStore();
		const client = connectWith(servers, { store });
		await client.listTools();
		await store.delete(servers.url);
		await client.listTools();
		expect(servers.all(ROUTES.authorize)).toHaveLength(2);
	});
});

describe("an authorization that does not come about", () => {
	it("is an error with the server's own code", async () => {
		const servers = await serveOAuth({
			redirect: { code: null, error: "access_denied", error_description: "The person said no." },
		});
		const error = await failure(connectWith(servers).listTools());
		expect(error).toMatchObject({
			name: "McpOAuthError",
			code: "authorization_refused",
			oauthError: "access_denied",
		});
		expect(error.message).toContain("The person said no.");
	});

	it("is an error when the callback fails, with what it threw", async () => {
		const thrown = new Error("The browser is missing.");
		const authorize = () => Promise.reject(thrown);
		const error = await failure(connectWith(await serveOAuth(), { authorize }).listTools());
		expect(error).toMatchObject({ name: "McpOAuthError", code: "authorization_failed", cause: thrown });
	});

	it("ends after a time, and tells the callback", async () => {
		const signals: AbortSignal[] = [];
		const authorize = ({ signal }: McpAuthorizationRequest) => {
			signals.push(signal);
			return new Promise<string>(() => undefined);
		};
		const error = await failure(connectWith(await serveOAuth(), { authorize, timeoutMs: 20 }).listTools());
		expect(error).toMatchObject({ name: "McpOAuthError", code: "authorization_timeout" });
		expect(signals[0]?.aborted).toBe(true);
	});

	it("outlasts the deadline of an answer: people are slow", async () => {
		const servers = await serveOAuth();
		const authorize = async (request: McpAuthorizationRequest) => {
			await new Promise((resolve) => setTimeout(resolve, 1500));
			return approve(request);
		};
		const client = connectWith(servers, { authorize }, { timeouts: { headersTimeoutMs: 1000 } });
		expect((await client.listTools()).tools).toHaveLength(1);
	});

	it("is left when no call waits for it any more, and begun again by the next", async () => {
		const servers = await serveOAuth();
		const requestedUrls: McpAuthorizationRequest[] = [];
		const authorize = (request: McpAuthorizationRequest) => {
			requestedUrls.push(request);
			return requestedUrls.length === 1 ? new Promise<string>(() => undefined) : approve(request);
		};
		const client = connectWith(servers, { authorize }, { protocol: "modern" });
		const controllers = [new AbortController(), new AbortController()];
		const calls = controllers.map(({ signal }) => failure(client.listTools({ signal })));
		await expect.poll(() => servers.all(ROUTES.mcp)).toHaveLength(2);
		await expect.poll(() => requestedUrls).toHaveLength(1);
		controllers[0]?.abort(new Error("enough"));
		expect((await calls[0])?.message).toBe("enough");
		expect(requestedUrls[0]?.signal.aborted).toBe(false);
		controllers[1]?.abort(new Error("enough, too"));
		await calls[1];
		await expect.poll(() => requestedUrls[0]?.signal.aborted).toBe(true);
		expect((await client.listTools()).tools).toHaveLength(1);
		expect(requestedUrls).toHaveLength(2);
	});
});

describe("a page that is left for the authorization server", () => {
	it("goes on with the same request when it is loaded anew", async () => {
		const servers = await serveOAuth();
		const stored = new Map<string, string>();
		const store = {
			get: (server: string) => JSON.parse(stored.get(server) ?? "null") ?? undefined,
			set: (server: string, authorization: object) => void stored.set(server, JSON.stringify(authorization)),
			delete: (server: string) => void stored.delete(server),
		};
		let address = "https://app.example/";
		const authorize = async (request: McpAuthorizationRequest) => {
			if (new URL(address).searchParams.get("state") === request.state) return address;
			address = await approve(request);
			return new Promise<string>(() => undefined);
		};
		const redirectUri = "https://app.example/callback";
		const load = () => connectWith(servers, { authorize, redirectUri, store });
		load()
			.listTools()
			.catch(() => undefined);
		await expect.poll(() => address).toContain("code=");
		expect((await load().listTools()).tools).toHaveLength(1);
		expect(servers.all(ROUTES.authorize)).toHaveLength(1);
		expect(servers.all(ROUTES.register)).toHaveLength(1);
		expect([...stored.values()].join()).not.toContain("codeVerifier");
	});
});
