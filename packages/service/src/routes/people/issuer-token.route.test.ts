import { createHmac } from "node:crypto";
import type { Page } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	API_AUDIENCE,
	OIDC_CLIENT_ID,
	type OidcFixture,
	startOidcFixture,
} from "../../people/test-support/oidc-fixture";
import { PAGE_HEADERS, type TestUser } from "../../people/test-support/people-fixture";
import { expectApiError } from "../../test-support/expect-error";
import { getBody } from "../../test-support/tenant";

let fixture: OidcFixture;
let ada: TestUser;
beforeAll(async () => {
	fixture = await startOidcFixture(built);
	ada = await fixture.addUser("ada@example.com", "editor");
	fixture.issuer.account = { sub: "ada", email: "ada@example.com", email_verified: true };
	await fixture.signInThere();
});
afterAll(() => fixture?.close());

const seconds = () => Math.floor(Date.now() / 1000);
const toClaims = (more: object = {}) => ({
	...{ aud: API_AUDIENCE, sub: "ada", iat: seconds(), exp: seconds() + 300 },
	...more,
});
const sign = (more: object = {}, header = {}) => fixture.issuer.sign(toClaims(more), header);
const send = (method: string, path: string, token: string, more: object = {}) =>
	fixture.send(method, path, { token, ...more });
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("an access token of an issuer", () => {
	it("acts as its person, with the role that they have, without a page", async () => {
		const token = await sign();
		const created = await send("POST", "/v1/knowledge-bases", token, { json: { name: "books" } });
		expect(created.status, created.text).toBe(201);
		expect(created.headers.get("set-cookie")).toBeNull();
		expectApiError(await send("GET", "/v1/members", token), 403, "missing_scope");
		const thread = await getBody<{ id: string }>(send("POST", "/v1/threads", token, { json: {} }));
		// The person sees it in the page, too.
		const { data } = await getBody<Page<{ id: string }>>(ada.send("GET", "/v1/threads"));
		expect(data.map(({ id }) => id)).toContain(thread.id);
	});

	it("finds a member by a verified address, who has not signed in there yet", async () => {
		await fixture.addUser("grace@example.com", "viewer");
		const grace = { sub: "grace", email: "grace@example.com" };
		const token = await sign({ ...grace, email_verified: true });
		expect((await send("GET", "/v1/knowledge-bases", token)).status).toBe(200);
		expectApiError(await send("GET", "/v1/knowledge-bases", await sign(grace)), 401, "token_user_unknown");
	});

	it("has no session", async () => {
		const token = await sign();
		expectApiError(await send("GET", "/v1/session", token), 403, "session_required");
		expectApiError(await send("GET", "/v1/passkeys", token), 403, "session_required");
		const headers = { ...PAGE_HEADERS, cookie: ada.cookie };
		expectApiError(await send("GET", "/v1/knowledge-bases", token, { headers }), 400, "credential_conflict");
	});

	it.each<readonly [string, object, string]>([
		["for another audience", { aud: "https://another.example" }, "invalid_token"],
		["for the client, as ID tokens are", { aud: OIDC_CLIENT_ID }, "invalid_token"],
		["that has expired", { exp: 1 }, "token_expired"],
		["that never expires", { exp: undefined }, "invalid_token"],
		["that is not valid yet", { nbf: 4_000_000_000 }, "invalid_token"],
		["of nobody", { sub: undefined }, "invalid_token"],
		["that is an ID token", { nonce: "n" }, "invalid_token"],
		["that is a logout token", { events: {} }, "invalid_token"],
		["of a stranger", { sub: "stranger" }, "token_user_unknown"],
		["of another issuer", { iss: "https://evil.example" }, "invalid_credentials"],
	])("is refused %s", async (_, more, code) => {
		expectApiError(await send("GET", "/v1/knowledge-bases", await sign(more)), 401, code);
	});

	it("gives no role that the groups in it do not give", async () => {
		const groups = [
			{ group: "staff", role: "editor" as const },
			{ group: "guests", role: "viewer" as const },
		];
		const local = await startOidcFixture(built, { users: "verified_email", groups });
		try {
			const eve = { sub: "eve", email: "eve@example.com", email_verified: true };
			local.issuer.account = { ...eve, groups: ["staff"] };
			await local.signInThere();
			const read = async (more: object) =>
				local.send("GET", "/v1/knowledge-bases", {
					token: await local.issuer.sign(toClaims({ sub: "eve", ...more })),
				});
			for (const more of [{}, { groups: ["staff"] }, { groups: ["guests", "staff"] }])
				expect((await read(more)).status).toBe(200);
			for (const more of [{ groups: ["guests"] }, { groups: [] }])
				expectApiError(await read(more), 401, "token_user_unknown");
		} finally {
			await local.close();
		}
	});

	it("is refused without a signature, with a changed or a shared one", async () => {
		const claims = { iss: fixture.issuer.issuer, ...toClaims() };
		const input = `${encode({ alg: "HS256" })}.${encode(claims)}`;
		const mac = createHmac("sha256", "simulated-secret").update(input).digest("base64url");
		const [header = "", , signature = ""] = (await sign()).split(".");
		const changed = `${header}.${encode({ ...claims, sub: "root" })}.${signature}`;
		for (const token of [`${input}.${mac}`, changed, `${encode({ alg: "none" })}.${encode(claims)}.AA`])
			expectApiError(await send("GET", "/v1/knowledge-bases", token), 401, "invalid_token");
	});

	it("asks for keys seldom, however many tokens name one that is not there", async () => {
		const before = fixture.issuer.countKeyRequests();
		for (let count = 0; count < 20; count++)
			expectApiError(
				await send("GET", "/v1/knowledge-bases", await sign({}, { kid: `key-${count}` })),
				401,
				"invalid_token",
			);
		expect(fixture.issuer.countKeyRequests() - before).toBeLessThanOrEqual(1);
	});

	it("is not blamed for an issuer that is down", async () => {
		const local = await startOidcFixture(built);
		try {
			const token = await local.issuer.sign(toClaims());
			const read = () => local.send("GET", "/v1/knowledge-bases", { token });
			local.intercept(async (url, response) => {
				if (url.endsWith("/jwks")) throw new TypeError("fetch failed");
				return response;
			});
			expectApiError(await read(), 502, "issuer_unavailable");
			local.intercept(undefined);
			expectApiError(await read(), 401, "token_user_unknown");
		} finally {
			await local.close();
		}
	});

	it("is none at routes that take no people", async () => {
		const token = await sign();
		expect([401, 403]).toContain((await send("POST", "/mcp", token, { json: {} })).status);
	});

	it("ends with its member", async () => {
		const user = await fixture.addUser("gone@example.com", "viewer");
		const token = await sign({ sub: "gone", email: "gone@example.com", email_verified: true });
		expect((await send("GET", "/v1/knowledge-bases", token)).status).toBe(200);
		await getBody(fixture.mine.send("DELETE", `/v1/members/${user.session.user.id}`));
		expectApiError(await send("GET", "/v1/knowledge-bases", token), 401, "token_user_unknown");
	});
});
