import { describe, expect, it } from "vitest";
import type { Fetch } from "../../http/platform";
import { createMcpClient } from "../../mcp";
import type { McpAuthorization } from "../../mcp-oauth";
import { failure } from "../test-support/mcp-server";
import {
	advanceClock,
	approve,
	connectWith,
	createStore,
	grants,
	oauth,
	PAST_MIN_INTERVAL_MS,
	ROUTES,
	serveOAuth,
} from "./test-support/oauth-servers";

/** `fetch` that holds back answers of the token endpoint while it is closed. */
function createGate() {
	let release: () => void = () => undefined;
	let opened: Promise<void> | undefined;
	const fetchThrough: Fetch = async (url, init) => {
		const response = await fetch(url, init as RequestInit);
		if (url.endsWith("/token")) await opened;
		return response;
	};
	return {
		fetch: fetchThrough,
		close() {
			opened = new Promise((resolve) => {
				release = resolve;
			});
		},
		open: () => release(),
	};
}

describe("a call that is cancelled while the token endpoint answers", () => {
	it("loses no refresh token", async () => {
		const servers = await serveOAuth();
		const gate = createGate();
		const client = connectWith(servers, {}, { fetch: gate.fetch });
		await client.callTool("add");
		servers.revokeAccessTokens();
		gate.close();
		const controller = new AbortController();
		const cancelled = failure(client.callTool("add", {}, { signal: controller.signal }));
		await expect.poll(() => servers.all(ROUTES.token)).toHaveLength(2);
		controller.abort(new Error("enough"));
		expect((await cancelled).message).toBe("enough");
		const next = client.callTool("add");
		await expect.poll(() => servers.all(ROUTES.mcp)).toHaveLength(5);
		gate.open();
		expect((await next).status).toBe("complete");
		expect(grants(servers)).toEqual(["authorization_code", "refresh_token"]);
	});

	it("loses no code", async () => {
		const servers = await serveOAuth();
		const gate = createGate();
		gate.close();
		const client = connectWith(servers, {}, { fetch: gate.fetch, protocol: "modern" });
		const controller = new AbortController();
		const cancelled = failure(client.listTools({ signal: controller.signal }));
		await expect.poll(() => servers.all(ROUTES.token)).toHaveLength(1);
		controller.abort(new Error("enough"));
		expect((await cancelled).message).toBe("enough");
		const next = client.listTools();
		await expect.poll(() => servers.all(ROUTES.mcp)).toHaveLength(2);
		gate.open();
		expect((await next).tools).toHaveLength(1);
		expect(servers.all(ROUTES.authorize)).toHaveLength(1);
		expect(grants(servers)).toEqual(["authorization_code"]);
	});
});

describe("tokens that another process stores while a person is asked", () => {
	it("stay when the authorization fails", async () => {
		const servers = await serveOAuth({ redirect: { code: null, error: "access_denied" } });
		const store = createStore();
		const newer = { accessToken: "of-another-process", refreshToken: "of-another-process, too" };
		const authorize: typeof approve = (request) => {
			store.stored.set(servers.url, { ...(store.stored.get(servers.url) as McpAuthorization), ...newer });
			return approve(request);
		};
		expect(await failure(connectWith(servers, { store, authorize }).listTools())).toMatchObject({
			code: "authorization_refused",
		});
		const stored = store.stored.get(servers.url);
		expect(stored).toMatchObject(newer);
		expect(stored?.pending).toBeUndefined();
	});

	it("are replaced as a whole by those of the authorization", async () => {
		const servers = await serveOAuth();
		const store = createStore();
		const client = connectWith(servers, { store });
		await client.listTools();
		servers.revokeAccessTokens();
		servers.revokeRefreshTokens();
		advanceClock(PAST_MIN_INTERVAL_MS);
		servers.script.current = {
			replies: {
				[ROUTES.token]: ({ body }) =>
					body.code ? { body: { access_token: "a-token", token_type: "Bearer" } } : undefined,
			},
		};
		await failure(client.listTools());
		const { accessToken, expiresAt, refreshToken } = store.stored.get(servers.url) as McpAuthorization;
		expect([accessToken, expiresAt, refreshToken]).toEqual(["a-token", undefined, undefined]);
	});
});

it("clients with different `fetch` functions refresh together, each over its own", async () => {
	const servers = await serveOAuth();
	const auth = oauth();
	const requestedUrls: string[][] = [[], []];
	const clients = requestedUrls.map((urls) =>
		createMcpClient({
			url: servers.url,
			auth,
			fetch: (url, init) => {
				urls.push(url);
				return fetch(url, init as RequestInit);
			},
		}),
	);
	for (const client of clients) await client.callTool("add");
	servers.revokeAccessTokens();
	await Promise.all(clients.map((client) => client.callTool("add")));
	expect(grants(servers)).toEqual(["authorization_code", "refresh_token"]);
	expect(requestedUrls.map((urls) => urls.includes(servers.url))).toEqual([true, true]);
});
