import type { Authorization, AuthorizationPreview, Page } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp, REDIRECT_URI, type TestApp } from "../../authorizations/test-support/app-fixture";
import {
	createPeople,
	ORIGIN,
	PAGE_HEADERS,
	type TestPeople,
	type TestUser,
} from "../../people/test-support/people-fixture";
import { isAboutOneInstance } from "../../test-support/alternating-service";
import { expectApiError } from "../../test-support/expect-error";
import type { TestResponse } from "../../test-support/send-request";
import { getBody, SHARED_WORD } from "../../test-support/tenant";
import { startThreadFixture, type ThreadFixture } from "../../threads/test-support/thread-fixture";

let fixture: ThreadFixture;
let people: TestPeople;
let ada: TestUser;
let admin: TestUser;
let app: TestApp;
beforeAll(async () => {
	fixture = await startThreadFixture(built);
	people = createPeople(fixture.deployment, fixture.mine);
	ada = await people.addUser("ada@example.com");
	admin = await people.addUser("admin@example.com", "admin");
	app = await createApp(people.send);
});
afterAll(() => fixture?.close());

const PATH = "/v1/authorizations";
const MCP_HEADERS = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" };
const callMcp = (token: string, method = "tools/list", params: object = {}) =>
	people.send("POST", "/mcp", {
		token,
		headers: MCP_HEADERS,
		json: { jsonrpc: "2.0", id: 1, method, params },
	});
const callAgent = (token: string, agent = fixture.agent) =>
	people.send("GET", `/a2a/${agent}/.well-known/agent-card.json`, { token });
const list = async ({ send }: TestUser, query = "") =>
	(await getBody<Page<Authorization>>(send("GET", `${PATH}${query}`))).data;
const expectOAuthError = ({ status, body, text }: TestResponse, code: string) =>
	expect([status, (body as { error?: string } | undefined)?.error], text).toEqual([400, code]);
const decide = (user: TestUser, more: object) =>
	user.send("POST", PATH, { json: { ...app.request, decision: "allow", ...more } });

describe("an app", () => {
	it("acts as the person that gave it access, with the scopes that both have", async () => {
		const preview = await getBody<AuthorizationPreview>(
			ada.send("POST", "/v1/authorization-requests", { json: app.request }),
		);
		expect(preview).toMatchObject({
			client: { id: app.id, name: "An App", host: null },
			...{ redirect_host: "app.example", scopes: ["ask", "knowledge:read"], resource: "/mcp" },
			workspace: { id: ada.session.workspace.id },
		});
		const answer = await app.authorize(ada);
		expect([answer.get("state"), answer.get("iss")]).toEqual(["a state", ORIGIN]);
		const response = await app.exchange(answer.get("code") ?? "");
		expect(response.headers.get("cache-control")).toBe("no-store");
		expect(response.body).toMatchObject({
			token_type: "bearer",
			expires_in: 900,
			scope: "ask knowledge:read",
		});
		const { access_token } = response.body as { access_token: string };
		const tools = await callMcp(access_token);
		expect(tools.status, tools.text).toBe(200);
		expect(tools.text).toContain("list_knowledge_bases");
		const [authorization] = await list(ada);
		expect(authorization).toMatchObject({
			...{ user_id: ada.session.user.id, client: { id: app.id, name: "An App" } },
			...{ redirect_host: "app.example", scopes: ["ask", "knowledge:read"], resource: "/mcp" },
		});
		const { data } = await getBody<Page<object>>(admin.send("GET", "/v1/audit?action=authorization.created"));
		expect(data[0]).toMatchObject({ actor: ada.session.user.id, target: authorization?.id });
	});

	it("runs agents by A2A as the person", async () => {
		const resource = `${ORIGIN}/a2a/${fixture.agent}`;
		const { access_token, scope } = await app.connect(ada, { resource });
		expect(scope).toBe("agents:run");
		expect((await callAgent(access_token)).status).toBe(200);
		const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "Open?" }] };
		fixture.reply("Yes.");
		const sent = await people.send("POST", `/a2a/${fixture.agent}/message:send`, {
			...{ token: access_token, json: { message }, headers: { "a2a-version": "1.0" } },
		});
		expect(sent.text).toContain("Yes.");
		const runs = await getBody<Page<{ user_id?: string }>>(ada.send("GET", "/v1/runs"));
		expect(runs.data[0]?.user_id).toBe(ada.session.user.id);
	});

	it("has no more scopes than the role has by now", async () => {
		const eve = await people.addUser("eve@example.com", "editor");
		const scope = "ask agents:run runs:approve";
		const tokens = await app.connect(eve, { scope });
		expect(tokens.scope).toBe("ask agents:run runs:approve");
		const role = { role: "viewer" };
		await getBody(admin.send("PATCH", `/v1/members/${eve.session.user.id}`, { json: role }));
		const { body } = await app.refresh(tokens.refresh_token);
		expect(body).toMatchObject({ scope: "ask agents:run" });
		expectApiError(await decide(eve, { scope: "runs:approve" }), 400, "invalid_authorization_request");
		expectApiError(await decide(eve, { scope: "keys:write" }), 400, "invalid_authorization_request");
	});

	it("gets its access at one resource alone, and none of /v1", async () => {
		const { access_token: token } = await app.connect(admin, { scope: "ask agents:run" });
		expect((await callMcp(token)).status).toBe(200);
		expect((await callAgent(token)).status).toBe(401);
		for (const path of ["/v1/session", "/v1/knowledge-bases", "/v1/members", PATH, "/v1/runs"])
			expectApiError(await people.send("GET", path, { token }), 401, "invalid_credentials");
		expectApiError(
			await people.send("POST", "/v1/ask", { token, json: { question: "?" } }),
			401,
			"invalid_credentials",
		);
		const agentToken = (await app.connect(admin, { resource: `${ORIGIN}/a2a/${fixture.agent}` }))
			.access_token;
		expect((await callMcp(agentToken)).status).toBe(401);
		const challenge = (await callAgent(token)).headers.get("www-authenticate");
		expect(challenge).toContain(`/.well-known/oauth-protected-resource/a2a/${fixture.agent}"`);
	});

	it("loses its access with the membership, and where its person or an admin ends it", async () => {
		const eve = await people.addUser("eva@example.com");
		const tokens = [await app.connect(eve), await app.connect(eve), await app.connect(eve)] as const;
		const [first, second] = await list(eve);
		await getBody(eve.send("DELETE", `${PATH}/${second?.id}`));
		expectApiError(await ada.send("DELETE", `${PATH}/${first?.id}`), 404, "authorization_not_found");
		expectApiError(await ada.send("GET", `${PATH}?user_id=${eve.session.user.id}`), 403, "missing_scope");
		expect(await list(admin, `?user_id=${eve.session.user.id}`)).toHaveLength(2);
		await getBody(admin.send("DELETE", `${PATH}/${first?.id}`));
		expect((await callMcp(tokens[2].access_token)).status).toBe(401);
		expect((await callMcp(tokens[1].access_token)).status).toBe(401);
		expect((await callMcp(tokens[0].access_token)).status).toBe(200);
		await getBody(admin.send("DELETE", `/v1/members/${eve.session.user.id}`));
		expect((await callMcp(tokens[0].access_token)).status).toBe(401);
		expectOAuthError(await app.refresh(tokens[0].refresh_token), "invalid_grant");
		await people.addUser("eva@example.com");
		expect((await callMcp(tokens[0].access_token)).status).toBe(401);
	});

	it("gives its access back with either token", async () => {
		for (const kind of ["access_token", "refresh_token"] as const) {
			const tokens = await app.connect(ada);
			expect((await app.revoke(tokens[kind], "app_other")).status).toBe(200);
			expect((await callMcp(tokens.access_token)).status).toBe(200);
			expect((await app.revoke(tokens[kind])).status).toBe(200);
			expect((await callMcp(tokens.access_token)).status).toBe(401);
			expectOAuthError(await app.refresh(tokens.refresh_token), "invalid_grant");
		}
	});
});

describe("a code", () => {
	it("is good for once: used again, it ends what it was used for", async () => {
		const code = (await app.authorize(ada)).get("code") ?? "";
		const { access_token } = await getBody<{ access_token: string }>(app.exchange(code));
		expect((await callMcp(access_token)).status).toBe(200);
		expectOAuthError(await app.exchange(code), "invalid_grant");
		expect((await callMcp(access_token)).status).toBe(401);
	});

	it("is no use to another app, for another address, or without its verifier", async () => {
		const other = await createApp(people.send);
		const code = (await app.authorize(ada)).get("code") ?? "";
		// Injection: the code of one person in the session of another has another challenge.
		expectOAuthError(await other.exchange(code), "invalid_grant");
		expectOAuthError(await other.exchange(code, { client_id: app.id }), "invalid_grant");
		const wrong = { redirect_uri: "https://app.example/other" };
		expectOAuthError(await app.exchange(code, wrong), "invalid_grant");
		const plain = { code_verifier: app.request.code_challenge };
		expectOAuthError(await app.exchange(code, plain), "invalid_grant");
		expectOAuthError(await app.exchange(code, { code_verifier: "" }), "invalid_request");
		expectOAuthError(await app.exchange(code, { resource: `${ORIGIN}/a2a/x` }), "invalid_target");
		expect((await app.exchange(code, { client_secret: "x" })).status).toBe(401);
		expect((await app.exchange(code, { resource: `${ORIGIN}/mcp` })).status).toBe(200);
	});
});

describe("a refresh token", () => {
	it("is replaced: used again, it ends all that came of it", async () => {
		const first = await app.connect(ada);
		const other = await createApp(people.send);
		expectOAuthError(await other.refresh(first.refresh_token, { client_id: other.id }), "invalid_grant");
		const second = await getBody<typeof first>(app.refresh(first.refresh_token));
		expect((await callMcp(first.access_token)).status).toBe(401);
		expect((await callMcp(second.access_token)).status).toBe(200);
		expectOAuthError(await app.refresh(first.refresh_token), "invalid_grant");
		expect((await callMcp(second.access_token)).status).toBe(401);
		expectOAuthError(await app.refresh(second.refresh_token), "invalid_grant");
	});

	it("is no access token, and an access token is no refresh token", async () => {
		const tokens = await app.connect(ada);
		expect((await callMcp(tokens.refresh_token)).status).toBe(401);
		expectOAuthError(await app.refresh(tokens.access_token), "invalid_grant");
	});
});

describe("nobody is sent anywhere", () => {
	it.each([
		["an address that is not registered", { redirect_uri: "https://evil.example/callback" }],
		["more behind the address", { redirect_uri: `${REDIRECT_URI}/../evil` }],
		["a script", { redirect_uri: "javascript:alert(1)" }],
		["an app that is not there", { client_id: "app_unknown" }],
		["an app of a network within", { client_id: "https://169.254.169.254/client.json" }],
		["no code", { response_type: "token" }],
		["PKCE without a hash", { code_challenge_method: "plain" }],
		["a challenge that is none", { code_challenge: "short" }],
		["a resource of another service", { resource: "https://evil.example/mcp" }],
		["a resource that is none", { resource: `${ORIGIN}/v1/ask` }],
		["the issuer of another service", { issuer: "https://evil.example" }],
	])("for %s", async (_, more) => {
		for (const decision of ["allow", "deny"]) {
			const response = await decide(ada, { ...more, decision });
			expectApiError(response, 400, "invalid_authorization_request");
		}
	});

	it("for an agent of another workspace, or one that the person may not use", async () => {
		const resource = `${ORIGIN}/a2a/${fixture.theirs.agent}`;
		expectApiError(await decide(ada, { resource }), 404, "agent_not_found");
	});

	it("by a request of another page, or without a session", async () => {
		const json = { ...app.request, decision: "allow" };
		const headers = { cookie: ada.cookie, ...PAGE_HEADERS };
		const send = (more: Readonly<Record<string, string>>) =>
			people.send("POST", PATH, { json, headers: { ...headers, ...more } });
		expectApiError(await send({ origin: "https://evil.example" }), 403, "origin_not_allowed");
		expectApiError(await send({ "sec-fetch-site": "cross-site" }), 403, "origin_not_allowed");
		expectApiError(await send({ "stemma-csrf": "" }), 403, "csrf_header_missing");
		expectApiError(await people.send("POST", PATH, { json }), 401, "missing_credentials");
		const token = fixture.mine.token;
		expectApiError(await people.send("POST", PATH, { json, token }), 403, "session_required");
	});

	it("by the address itself, which leads to a page of the service", async () => {
		const query = new URLSearchParams({ ...app.request, redirect_uri: "https://evil.example/" });
		const { status, headers } = await people.send("GET", `/oauth/authorize?${query}`);
		expect([status, headers.get("location")?.startsWith("/#/authorize?")]).toEqual([302, true]);
		const twice = await people.send("GET", "/oauth/authorize?client_id=a&client_id=b");
		expect(twice.status).toBe(400);
	});
});

it("sends a person who denies back without a code, and to the issuer that the app knows", async () => {
	const issuer = "http://127.0.0.1:4000";
	const { redirect_to } = await getBody<{ redirect_to: string }>(decide(ada, { decision: "deny", issuer }));
	expect(redirect_to.startsWith(`${REDIRECT_URI}?`)).toBe(true);
	expect(Object.fromEntries(new URL(redirect_to).searchParams)).toEqual({
		...{ error: "access_denied", state: "a state", iss: issuer },
	});
});

const register = (json: object) => people.send("POST", "/oauth/register", { json });
const APP = { token_endpoint_auth_method: "client_secret_post", redirect_uris: [REDIRECT_URI] };

it("registers apps with addresses of theirs alone", async () => {
	expectOAuthError(await register({ redirect_uris: ["http://app.example/"] }), "invalid_redirect_uri");
	expectOAuthError(await register({ redirect_uris: [] }), "invalid_client_metadata");
	expectOAuthError(await register({}), "invalid_client_metadata");
	const { body } = await register(APP);
	expect(body).toMatchObject({ token_endpoint_auth_method: "none", redirect_uris: [REDIRECT_URI] });
	expect(body).not.toHaveProperty("client_secret");
});

it.skipIf(isAboutOneInstance("rates are exchanged after a moment"))(
	"registers not too many apps",
	async () => {
		const statuses = new Set<number>();
		for (let request = 0; request < 61; request++) statuses.add((await register(APP)).status);
		expect([...statuses]).toEqual([201, 429]);
	},
);

it("ends a call that is under way once the access is taken away", async () => {
	const { access_token } = await app.connect(ada);
	const requestCount = fixture.vendor.requests.length;
	fixture.vendor.enqueue({ kind: "reply", text: "It opens at nine", fault: { kind: "stall", after: 2 } });
	const question = `When does the ${SHARED_WORD} open?`;
	const call = callMcp(access_token, "tools/call", { name: "ask", arguments: { question } });
	const last = () => fixture.vendor.requests.at(-1);
	await expect
		.poll(
			() =>
				fixture.vendor.requests.length > requestCount &&
				JSON.stringify(last()?.body).includes("Set the number"),
		)
		.toBe(true);
	const [authorization] = await list(ada);
	await getBody(admin.send("DELETE", `${PATH}/${authorization?.id}`));
	const { text } = await call;
	expect(text).toContain("The access has ended");
	expect(text).not.toContain("nine");
	await expect.poll(() => last()?.isAborted).toBe(true);
});
