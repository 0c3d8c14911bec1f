import { randomUUID } from "node:crypto";
import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type McpFixture, startMcpFixture } from "../../mcp/test-support/mcp-fixture";
import { getBody } from "../../test-support/tenant";

const ORIGIN = "http://service.test";

let fixture: McpFixture;
beforeAll(async () => {
	fixture = await startMcpFixture(built);
});
afterAll(() => fixture?.close());

/** Sends a request whose body comes once `release` is called. */
function sendHeld(token: string, path: string, json: object) {
	const asked = Promise.withResolvers<void>();
	const held = Promise.withResolvers<void>();
	const body = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				asked.resolve();
				await held.promise;
				controller.enqueue(new TextEncoder().encode(JSON.stringify(json)));
				controller.close();
			},
		},
		{ highWaterMark: 0 },
	);
	const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
	// Node asks for `duplex` with a stream; the type does not know it.
	const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
	const answer = Promise.resolve(fixture.deployment.service.fetch(new Request(`${ORIGIN}${path}`, init)));
	return { isRead: asked.promise, release: held.resolve, answer };
}

/** Client of the workspace that may do all, and its token. */
async function createClient() {
	const { send } = fixture.mine;
	const json = { name: "worker", scopes: ["knowledge:write", "ask", "agents:run"] };
	const { id: client_id, client_secret } = await getBody<{ id: string; client_secret: string }>(
		send("POST", "/v1/clients", { json }),
	);
	const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
	const { access_token: token } = await getBody<{ access_token: string }>(
		send("POST", "/oauth/token", { token: null, form }),
	);
	return { path: `/v1/clients/${client_id}`, token };
}

async function createKey() {
	const json = { name: "phone", native: true };
	const { id, client_key: token } = await getBody<{ id: string; client_key: string }>(
		fixture.mine.send("POST", "/v1/client-keys", { json }),
	);
	return { path: `/v1/client-keys/${id}`, token };
}

it.each([
	["client", createClient],
	["client key", createKey],
] as const)("a held request does nothing once its %s is deleted", async (_, create) => {
	const { path, token } = await create();
	const title = `Held ${randomUUID()}`;
	const kept = await create();
	const requests = [token, kept.token].map((each) => sendHeld(each, "/v1/threads", { title }));
	await Promise.all(requests.map(({ isRead }) => isRead));
	await getBody(fixture.mine.send("DELETE", path));
	for (const { release } of requests) release();
	const [deleted, stays] = await Promise.all(requests.map(({ answer }) => answer));
	expect([deleted?.status, await deleted?.json()]).toMatchObject([
		401,
		{ error: { code: "invalid_credentials" } },
	]);
	expect(stays?.status).toBe(201);
	const query = `query=${encodeURIComponent(title)}`;
	const { data } = await getBody<{ data: object[] }>(fixture.mine.send("GET", `/v1/threads?${query}`));
	expect(data).toHaveLength(1);
});
