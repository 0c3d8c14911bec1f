import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CurrentSession, Page, UserSession } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
	ORIGIN,
	PAGE_HEADERS,
	type PeopleFixture,
	readCookie,
	startPeopleFixture,
	toToken,
} from "../../people/test-support/people-fixture";
import { expectApiError } from "../../test-support/expect-error";
import { sendTo, type TestRequest } from "../../test-support/send-request";
import { getBody } from "../../test-support/tenant";

let fixture: PeopleFixture;
beforeAll(async () => {
	fixture = await startPeopleFixture(built);
});
afterAll(() => fixture?.close());
afterEach(() => {
	vi.useRealTimers();
});

const isSignedIn = async (cookie: string) =>
	(await fixture.send("GET", "/v1/session", { headers: { cookie } })).status === 200;

describe("a sign-in", () => {
	it("makes a session of an invitation, in a cookie that no script can read", async () => {
		const token = await fixture.invite("Ada@Example.COM ", "editor");
		const response = await fixture.signIn(token, { email: " ada@example.com", name: "Ada" });
		expect(response.status).toBe(201);
		expect(response.body).toMatchObject({
			user: { id: expect.stringMatching(/^usr_/), email: "ada@example.com", name: "Ada", status: "active" },
			workspace: { id: fixture.mine.credentials.workspace_id, name: "mine" },
			role: "editor",
			scopes: expect.arrayContaining(["ask", "knowledge:write"]),
		});
		const [value, ...attributes] = (response.headers.get("set-cookie") ?? "").split("; ");
		expect(value).toMatch(/^stemma-[\w-]{12}=st_[\w-]{43}$/);
		expect(attributes).toEqual(["Path=/", "Max-Age=2592000", "HttpOnly", "SameSite=Lax"]);
		expect(response.headers.get("cache-control")).toBe("no-store");
		const { send, session } = fixture.toUser(response);
		expect(await getBody(send("GET", "/v1/session"))).toEqual({ ...session, expires_at: expect.any(String) });
	});

	it("takes a link once, also of two requests at the same time", async () => {
		const token = await fixture.invite("once@example.com");
		const both = await Promise.all([fixture.signIn(token), fixture.signIn(token)]);
		expect(both.map(({ status }) => status).sort()).toEqual([201, 401]);
		expectApiError(await fixture.signIn(token), 401, "sign_in_link_invalid");
	});

	it("refuses links that are not there, and those for another address, which stay good", async () => {
		for (const token of ["x", `sl_${"a".repeat(43)}`, `st_${"a".repeat(43)}`])
			expectApiError(await fixture.signIn(token), 401, "sign_in_link_invalid");
		const token = await fixture.invite("grace@example.com");
		const refused = await fixture.signIn(token, { email: "eve@example.com" });
		expectApiError(refused, 403, "link_for_another_email");
		expect(refused.headers.get("set-cookie")).toBeNull();
		expect((await fixture.signIn(token)).body).toMatchObject({ user: { name: "grace" } });
	});

	it("makes another session each time, and ends the one that the browser had", async () => {
		const mallory = await fixture.addUser("mallory@example.com");
		const token = await fixture.invite("victim@example.com");
		const victim = fixture.toUser(await fixture.signIn(token, {}, { cookie: mallory.cookie }));
		expect(victim.cookie).not.toBe(mallory.cookie);
		expect(await isSignedIn(mallory.cookie)).toBe(false);
		expect(await isSignedIn(victim.cookie)).toBe(true);
		const known = `${mallory.cookie.split("=")[0]}=st_${"a".repeat(43)}`;
		const fixed = await fixture.signIn(await fixture.invite("victim@example.com"), {}, { cookie: known });
		expect(readCookie(fixed)).not.toBe(known);
		expect(await isSignedIn(known)).toBe(false);
	});

	it("needs a page of the service", async () => {
		const token = await fixture.invite("page@example.com");
		const json = { token };
		const attempts: readonly (readonly [Record<string, string>, string])[] = [
			[{ ...PAGE_HEADERS, origin: "https://evil.example" }, "origin_not_allowed"],
			[{ ...PAGE_HEADERS, origin: "http://localhost:3000" }, "origin_not_allowed"],
			[{ ...PAGE_HEADERS, "sec-fetch-site": "cross-site" }, "origin_not_allowed"],
			[{ ...PAGE_HEADERS, "sec-fetch-site": "same-site" }, "origin_not_allowed"],
			[{ "stemma-csrf": "1" }, "origin_not_allowed"],
			[{ origin: ORIGIN }, "csrf_header_missing"],
		];
		for (const [headers, code] of attempts)
			expectApiError(await fixture.send("POST", "/v1/session", { json, headers }), 403, code);
		expect((await fixture.signIn(token)).status).toBe(201);
	});

	it("is refused over plain HTTP from elsewhere, and has a secure cookie over HTTPS", async () => {
		const token = await fixture.invite("tls@example.com");
		const at = (url: string) => sendTo(fixture.deployment.service.fetch, undefined, url);
		const headers = (origin: string) => ({ ...PAGE_HEADERS, origin });
		const plain = "http://192.168.1.5:4000";
		expectApiError(
			await at(plain)("POST", "/v1/session", { json: { token }, headers: headers(plain) }),
			403,
			"https_required",
		);
		const secure = await at("http://kb.example")("POST", "/v1/session", {
			json: { token },
			headers: { ...headers("https://kb.example"), "x-forwarded-proto": "https" },
		});
		expect(secure.status).toBe(201);
		expect(secure.headers.get("set-cookie")).toMatch(
			/^__Host-stemma=st_[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
		);
		// The cookie of one address is none at another.
		const cookie = readCookie(secure);
		expect((await fixture.send("GET", "/v1/session", { headers: { cookie } })).status).toBe(401);
		const https = { cookie, "x-forwarded-proto": "https" };
		expect((await at("http://kb.example")("GET", "/v1/session", { headers: https })).status).toBe(200);
	});

	it("slows down those who try links or sessions", async () => {
		// All of it within a minute, however slow the machine is.
		vi.useFakeTimers({ toFake: ["Date", "performance"] });
		const { fetch } = fixture.deployment.service;
		const from = (address: string) => sendTo((request) => fetch(request, { address }), undefined, ORIGIN);
		const json = { token: `sl_${"b".repeat(43)}` };
		const untilRefused = async (method: string, request: TestRequest): Promise<number> => {
			let status = 401;
			for (let count = 0; status === 401 && count < 400; count++)
				status = (await from("203.0.113.9")(method, "/v1/session", request)).status;
			return status;
		};
		expect(await untilRefused("POST", { json, headers: PAGE_HEADERS })).toBe(429);
		const { cookie } = await fixture.addUser("slow@example.com");
		const wrong = { cookie: `${cookie.split("=")[0]}=st_${"c".repeat(43)}` };
		expect(await untilRefused("GET", { headers: wrong })).toBe(429);
		expectApiError(await from("203.0.113.9")("GET", "/v1/session", { headers: wrong }), 429, "rate_limited");
		expectApiError(
			await from("203.0.113.8")("GET", "/v1/session", { headers: wrong }),
			401,
			"invalid_credentials",
		);
		// What is right is never slowed.
		expect((await from("203.0.113.9")("GET", "/v1/session", { headers: { cookie } })).status).toBe(200);
	});
});

describe("a session", () => {
	it("changes something for pages of the service alone", async () => {
		const { cookie } = await fixture.addUser("csrf@example.com", "editor");
		const create = (headers: Record<string, string>, body = '{"name": "forged"}') =>
			fixture.send("POST", "/v1/knowledge-bases", { body, headers: { cookie, ...headers } });
		const json = { "content-type": "application/json" };
		const form = { "content-type": "application/x-www-form-urlencoded" };
		const text = { "content-type": "text/plain" };
		for (const type of [json, form, text, {}]) {
			expectApiError(await create({ ...type, origin: "https://evil.example" }), 403, "origin_not_allowed");
			expectApiError(
				await create({ ...type, origin: "null", "sec-fetch-site": "cross-site" }),
				403,
				"origin_not_allowed",
			);
			expectApiError(await create(type), 403, "origin_not_allowed");
			expectApiError(await create({ ...type, origin: ORIGIN }), 403, "csrf_header_missing");
		}
		expectApiError(
			await create({ ...json, ...PAGE_HEADERS, "stemma-csrf": "0" }),
			403,
			"csrf_header_missing",
		);
		expectApiError(await create({ ...text, ...PAGE_HEADERS }), 415, "unsupported_media_type");
		expect((await create({ ...json, origin: ORIGIN, "stemma-csrf": "1" })).status).toBe(201);
	});

	it("is read by pages of the service alone, and no other origin is let in", async () => {
		const { cookie } = await fixture.addUser("read@example.com");
		const read = (headers: Record<string, string>) =>
			fixture.send("GET", "/v1/models", { headers: { cookie, ...headers } });
		for (const site of ["cross-site", "same-site"])
			expectApiError(await read({ "sec-fetch-site": site }), 403, "origin_not_allowed");
		const other = await read({ origin: "http://localhost:3000" });
		expectApiError(other, 403, "origin_not_allowed");
		expect(other.headers.get("access-control-allow-credentials")).toBeNull();
		const preflight = await fixture.send("OPTIONS", "/v1/models", {
			headers: { origin: "https://evil.example", "access-control-request-method": "GET" },
		});
		expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
		expect(preflight.headers.get("access-control-allow-headers")).not.toContain("stemma-csrf");
		for (const site of ["same-origin", "none"])
			expect((await read({ "sec-fetch-site": site })).status).toBe(200);
	});

	it("does not go with another credential, nor twice", async () => {
		const { cookie } = await fixture.addUser("both@example.com");
		const both = { cookie, authorization: `Bearer ${fixture.mine.token}` };
		expectApiError(await fixture.send("GET", "/v1/models", { headers: both }), 400, "credential_conflict");
		const twice = { cookie: `${cookie}; other=1; ${cookie}` };
		expectApiError(await fixture.send("GET", "/v1/models", { headers: twice }), 401, "invalid_credentials");
		// Other cookies of the host are none of ours.
		const foreign = { cookie: `stemma-other=st_${"d".repeat(43)}`, authorization: both.authorization };
		expect((await fixture.send("GET", "/v1/models", { headers: foreign })).status).toBe(200);
		const mcp = await fixture.send("POST", "/mcp", { json: {}, headers: { cookie, ...PAGE_HEADERS } });
		expect(mcp.status).toBe(401);
	});

	it("ends by signing out, one by one and everywhere", async () => {
		const first = await fixture.addUser("many@example.com");
		const again = async () =>
			fixture.toUser(
				await fixture.signIn(await fixture.invite("many@example.com"), {}, { "user-agent": "Test/1" }),
			);
		const [second, third] = [await again(), await again()];
		const { data } = await getBody<Page<UserSession>>(third.send("GET", "/v1/sessions"));
		expect(data.map(({ id, current, user_agent }) => [id, current, user_agent])).toEqual([
			[third.session.id, true, "Test/1"],
			[second.session.id, false, "Test/1"],
			[first.session.id, false, null],
		]);
		expect((await third.send("DELETE", `/v1/sessions/${first.session.id}`)).status).toBe(200);
		expect(await isSignedIn(first.cookie)).toBe(false);
		const out = await second.send("DELETE", "/v1/session");
		expect(out.headers.get("set-cookie")).toContain("Max-Age=0");
		expect(await isSignedIn(second.cookie)).toBe(false);
		const fourth = await again();
		expect((await fourth.send("DELETE", "/v1/sessions")).body).toEqual({ signed_out: true });
		expect([await isSignedIn(third.cookie), await isSignedIn(fourth.cookie)]).toEqual([false, false]);
		expectApiError(await fourth.send("GET", "/v1/session"), 401, "invalid_credentials");
	});

	it("belongs to its user and to admins of the workspace", async () => {
		const viewer = await fixture.addUser("one@example.com");
		const other = await fixture.addUser("two@example.com", "editor");
		const admin = await fixture.addUser("three@example.com", "admin");
		const theirs = await fixture.deployment.addWorkspace(`other ${Math.random()}`);
		const stranger = await fixture.addUser("one@example.com", "admin", theirs);
		const path = `/v1/sessions/${viewer.session.id}`;
		for (const { send } of [other, stranger])
			expectApiError(await send("DELETE", path), 404, "session_not_found");
		const query = `/v1/sessions?user_id=${viewer.session.user.id}`;
		expectApiError(await other.send("GET", query), 403, "missing_scope");
		expect((await getBody<Page<UserSession>>(stranger.send("GET", query))).data.map(({ id }) => id)).toEqual([
			stranger.session.id,
		]);
		// The same person in another workspace: signing out there ends nothing here.
		await getBody(stranger.send("DELETE", "/v1/sessions"));
		expect((await getBody<Page<UserSession>>(admin.send("GET", query))).data).toHaveLength(1);
		expect((await admin.send("DELETE", path)).status).toBe(200);
		expect(await isSignedIn(viewer.cookie)).toBe(false);
	});

	it("is not for clients", async () => {
		const { token } = fixture.mine;
		for (const [method, path] of [
			["GET", "/v1/session"],
			["DELETE", "/v1/session"],
			["GET", "/v1/sessions"],
			["DELETE", "/v1/sessions"],
			["DELETE", "/v1/sessions/ses_1"],
		] as const)
			expectApiError(await fixture.send(method, path, { token }), 403, "session_required");
		expectApiError(await fixture.send("GET", "/v1/session"), 401, "missing_credentials");
	});
});

describe("the operator's link", () => {
	it("makes the first admin beside a running service, and leaves no secret behind", async () => {
		const { folder } = fixture.deployment;
		const url = "http://127.0.0.1:4000";
		const created = await built.createLoginLink({ data: folder }, { url, workspace: "mine" });
		expect(created.link).toMatch(/^http:\/\/localhost:4000\/#sign-in=sl_[\w-]{43}$/);
		const signedIn = await fixture.signIn(toToken(created.link));
		expect(signedIn.body).toMatchObject({ role: "admin", user: { email: "admin@localhost", name: "admin" } });
		const viewer = await fixture.addUser("raised@example.com", "viewer");
		const raise = { url, workspace: "mine", email: "Raised@example.com", role: "editor" } as const;
		const raised = await fixture.signIn(toToken((await built.createLoginLink({ data: folder }, raise)).link));
		expect((raised.body as CurrentSession).role).toBe("editor");
		const text = await readFile(join(folder, "deployment.sqlite"), "latin1");
		const log = await readFile(join(folder, "deployment.sqlite-wal"), "latin1").catch(() => "");
		for (const secret of [toToken(created.link), viewer.cookie.split("=")[1] ?? "?"])
			expect(`${text}${log}`).not.toContain(secret);
	});

	it("is for people of that workspace alone, and for addresses that can be some", async () => {
		const { folder } = fixture.deployment;
		const url = "https://kb.example/";
		const link = built.createLoginLink({ data: folder }, { url, email: "nobody" });
		await expect(link).rejects.toMatchObject({ code: "invalid_email" });
		const unknown = built.createLoginLink({ data: folder }, { url, workspace: "none" });
		await expect(unknown).rejects.toMatchObject({ code: "workspace_not_found" });
	});
});
