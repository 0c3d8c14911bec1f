import { createHmac } from "node:crypto";
import type { Page } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { MAX_SIGN_INS_PER_MINUTE } from "../../people/people-limits";
import {
	ISSUER_KEY,
	OIDC_CLIENT_ID,
	type OidcFixture,
	startOidcFixture,
	type TestBrowser,
} from "../../people/test-support/oidc-fixture";
import { ORIGIN, PAGE_HEADERS } from "../../people/test-support/people-fixture";
import { expectApiError } from "../../test-support/expect-error";
import { sendTo, type TestResponse } from "../../test-support/send-request";
import { getBody } from "../../test-support/tenant";

let fixture: OidcFixture;
beforeAll(async () => {
	const rules: Parameters<typeof startOidcFixture>[1] = {
		users: "verified_email",
		groups: [
			{ group: "admins", role: "admin" },
			{ group: "staff", role: "editor" },
			{ group: "guests", role: "viewer", workspace: "second" },
		],
	};
	// Nobody answers there.
	const other = { issuer: "http://localhost:9", client_id: OIDC_CLIENT_ID };
	fixture = await startOidcFixture(built, rules, { other });
	await fixture.deployment.addWorkspace("second");
	// Admins who stay.
	await fixture.addUser("root@example.com", "admin");
});
afterAll(() => fixture?.close());
afterEach(() => {
	vi.useRealTimers();
	fixture.intercept(undefined);
});

let count = 0;
/** Lets another person sit at the issuer. */
function seat(more: object = {}): string {
	count += 1;
	const email = `person${count}@example.com`;
	fixture.issuer.account = {
		...{ sub: `sub-${count}`, email, email_verified: true, name: `Person ${count}`, groups: ["staff"] },
		...more,
	};
	return email;
}

const getSession = (browser: TestBrowser) =>
	fixture.send("GET", "/v1/session", { headers: { cookie: browser.cookies() } });

/** A page in plain words, with its code, and no session. */
function expectErrorPage(response: TestResponse, status: number, code: string): void {
	expect(response, `${response.status} ${response.text.slice(0, 600)}`).toMatchObject({ status });
	expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
	expect(response.text).toContain(`<code>${code}</code>`);
	expect(response.text).toContain("You are not signed in");
	expect(response.headers.getSetCookie().filter((cookie) => /=st_/.test(cookie))).toEqual([]);
}

/** Changes the ID token that the issuer sends. */
function forge(toToken: (claims: Record<string, unknown>) => Promise<string> | string): void {
	fixture.intercept(async (url, response) => {
		if (!url.endsWith("/token")) return response;
		const body = await response.json();
		const [, payload = ""] = String(body.id_token).split(".");
		const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
		return Response.json({ ...body, id_token: await toToken(claims) });
	});
}

describe("a sign-in by an issuer", () => {
	it("is listed, and makes a user of a verified address with the role of the groups", async () => {
		expect(await getBody(fixture.send("GET", "/v1/sign-in"))).toEqual({
			issuers: [
				{ id: ISSUER_KEY, name: "Company" },
				{ id: "other", name: "other" },
			],
		});
		const email = seat();
		const browser = fixture.browser();
		const response = await fixture.signInThere(browser);
		expect(response.status, response.text).toBe(303);
		expect(response.headers.get("location")).toBe("/");
		expect((await getSession(browser)).body).toMatchObject({
			user: { email, name: `Person ${count}`, status: "active" },
			workspace: { name: "mine" },
			role: "editor",
		});
		const { data } = await getBody<Page<{ action: string; details: object }>>(
			fixture.mine.send("GET", "/v1/audit"),
		);
		expect(data[0]).toMatchObject({
			action: "member.signed_in",
			details: { role: "editor", issuer: ISSUER_KEY, subject: `sub-${count}` },
		});
	});

	it("asks with PKCE, state and nonce, and tells nobody where the browser came from", async () => {
		const response = await fixture
			.browser()
			.open(`${ORIGIN}/v1/sign-in/${ISSUER_KEY}`, { "sec-fetch-site": "same-origin" });
		expect(response.status).toBe(302);
		expect(response.headers.get("referrer-policy")).toBe("no-referrer");
		const { searchParams } = new URL(response.headers.get("location") ?? "");
		expect(Object.fromEntries(searchParams)).toMatchObject({
			...{ response_type: "code", client_id: OIDC_CLIENT_ID, code_challenge_method: "S256" },
			redirect_uri: `${ORIGIN}/v1/sign-in/${ISSUER_KEY}/callback`,
			state: expect.stringMatching(/^[\w-]{43}$/),
			nonce: expect.stringMatching(/^[\w-]{43}$/),
			code_challenge: expect.stringMatching(/^[\w-]{43}$/),
		});
		expect(response.headers.get("set-cookie")).toMatch(/^stemma-attempt-.*HttpOnly; SameSite=Lax$/);
	});

	it("follows the groups at each sign-in, in each workspace of the rules", async () => {
		seat({ groups: ["admins", "guests"] });
		const { account } = fixture.issuer;
		const roleOf = async () => {
			const browser = fixture.browser();
			await fixture.signInThere(browser);
			return ((await getSession(browser)).body as { readonly role: string }).role;
		};
		expect(await roleOf()).toBe("admin");
		fixture.issuer.account = { ...account, groups: ["staff"] };
		expect(await roleOf()).toBe("editor");
		fixture.issuer.account = { ...account, groups: ["guests"] };
		const browser = fixture.browser();
		await fixture.signInThere(browser);
		expect((await getSession(browser)).body).toMatchObject({ role: "viewer", workspace: { name: "second" } });
		fixture.issuer.account = { ...account, groups: ["others"] };
		expectErrorPage(await fixture.signInThere(), 403, "sign_in_not_allowed");
	});

	it("finds the same person by the id of the issuer, whatever the address becomes", async () => {
		seat();
		const browsers = [fixture.browser(), fixture.browser()] as const;
		await fixture.signInThere(browsers[0]);
		fixture.issuer.account = { ...fixture.issuer.account, email: "renamed@example.com" };
		await fixture.signInThere(browsers[1]);
		const { body } = await getSession(browsers[0]);
		expect((await getSession(browsers[1])).body).toMatchObject({ user: (body as { user: object }).user });
	});

	it("takes no address that the issuer has not verified", async () => {
		const { session } = await fixture.addUser("victim@example.com", "admin");
		seat({ email: "victim@example.com", email_verified: false });
		expectErrorPage(await fixture.signInThere(), 403, "sign_in_not_allowed");
		seat({ email: "victim@example.com" });
		const browser = fixture.browser();
		await fixture.signInThere(browser);
		expect((await getSession(browser)).body).toMatchObject({ user: { id: session.user.id } });
	});

	it("lets no removed member in, whatever the groups say", async () => {
		const email = seat();
		const browser = fixture.browser();
		await fixture.signInThere(browser);
		const { user } = (await getSession(browser)).body as { readonly user: { readonly id: string } };
		await getBody(fixture.mine.send("DELETE", `/v1/members/${user.id}`));
		expect((await getSession(browser)).status).toBe(401);
		expectErrorPage(await fixture.signInThere(), 403, "sign_in_not_allowed");
		await fixture.addUser(email, "viewer");
		const back = fixture.browser();
		await fixture.signInThere(back);
		expect((await getSession(back)).status).toBe(200);
	});

	it("makes another session, and ends the one that the browser had", async () => {
		const mallory = await fixture.addUser("mallory@example.com");
		seat();
		const browser = fixture.browser();
		const callback = await fixture.begin(browser);
		const cookie = `${mallory.cookie}; ${browser.cookies()}`;
		const response = await fixture.send("GET", callback.slice(ORIGIN.length), {
			headers: { cookie, accept: "text/html" },
		});
		expect(response.status).toBe(303);
		const sessions = response.headers.getSetCookie().filter((one) => /=st_/.test(one));
		expect(sessions).toHaveLength(1);
		expect(sessions[0]).not.toContain(mallory.cookie);
		expect((await mallory.send("GET", "/v1/session")).status).toBe(401);
	});
});

describe("a callback", () => {
	it("is good in the browser that began, once, for ten minutes", async () => {
		seat();
		const browser = fixture.browser();
		const callback = await fixture.begin(browser);
		// The browser of somebody else, who was sent there: with no attempt, and with one of its own.
		expectErrorPage(await fixture.browser().open(callback), 401, "sign_in_failed");
		const other = fixture.browser();
		await fixture.begin(other);
		expectErrorPage(await other.open(callback), 401, "sign_in_failed");
		const cookie = browser.cookies();
		expect((await browser.open(callback)).status).toBe(303);
		expectErrorPage(await browser.open(callback), 401, "sign_in_failed");
		const replayed = await fixture.send("GET", callback.slice(ORIGIN.length), {
			headers: { cookie, accept: "text/html" },
		});
		expectErrorPage(replayed, 401, "sign_in_failed");
		const late = fixture.browser();
		const lateCallback = await fixture.begin(late);
		vi.useFakeTimers({ toFake: ["Date", "performance"] });
		vi.setSystemTime(Date.now() + 10 * 60 * 1000);
		expectErrorPage(await late.open(lateCallback), 401, "sign_in_failed");
	});

	it.each<readonly [string, (url: URL) => void, number, string]>([
		["another state", (url) => url.searchParams.set("state", "A".repeat(43)), 401, "sign_in_failed"],
		["no state", (url) => url.searchParams.delete("state"), 401, "sign_in_failed"],
		["another issuer", (url) => url.searchParams.set("iss", "https://evil.example"), 401, "sign_in_failed"],
		["no issuer", (url) => url.searchParams.delete("iss"), 401, "sign_in_failed"],
		["another code", (url) => url.searchParams.set("code", "A".repeat(43)), 401, "sign_in_failed"],
		[
			"an error of the issuer",
			(url) => {
				url.searchParams.delete("code");
				url.searchParams.set("error", "access_denied");
				url.searchParams.set("error_description", "<script>alert(1)</script>");
			},
			403,
			"sign_in_refused",
		],
	])("signs nobody in with %s", async (_, change, status, code) => {
		seat();
		const browser = fixture.browser();
		const url = new URL(await fixture.begin(browser));
		change(url);
		const response = await browser.open(url.href);
		expectErrorPage(response, status, code);
		expect(response.text).not.toContain("<script");
	});

	it("is of the issuer that it was begun at", async () => {
		seat();
		const browser = fixture.browser();
		const callback = await fixture.begin(browser);
		const toOther = (key: string) => callback.replace(`/${ISSUER_KEY}/`, `/${key}/`);
		expectErrorPage(await browser.open(toOther("other")), 401, "sign_in_failed");
		expectErrorPage(await browser.open(toOther("unknown")), 404, "issuer_not_found");
		expect((await browser.open(callback)).status).toBe(303);
	});

	it.each<readonly [string, (claims: Record<string, unknown>) => Promise<string> | string]>([
		["for another audience", (claims) => fixture.issuer.sign({ ...claims, aud: "another" })],
		["of another issuer", (claims) => fixture.issuer.sign({ ...claims, iss: "https://evil.example" })],
		[
			"that has expired",
			(claims) => fixture.issuer.sign({ ...claims, exp: Math.floor(Date.now() / 1000) - 900 }),
		],
		["with another nonce", (claims) => fixture.issuer.sign({ ...claims, nonce: "another" })],
		["without a nonce", ({ nonce: _, ...claims }) => fixture.issuer.sign(claims)],
		["without a signature", (claims) => `${encode({ alg: "none" })}.${encode(claims)}.`],
		[
			"with a signature that was changed",
			async (claims) => changeSignature(await fixture.issuer.sign(claims)),
		],
		["signed with a shared secret", (claims) => signWithSecret(claims)],
	])("signs nobody in with an ID token %s", async (_, toToken) => {
		seat();
		forge(toToken);
		expectErrorPage(await fixture.signInThere(), 401, "sign_in_failed");
	});

	it("signs in with an ID token that was signed anew", async () => {
		seat();
		forge((claims) => fixture.issuer.sign(claims));
		expect((await fixture.signInThere()).status).toBe(303);
	});

	it("that belongs to no attempt uses up none of the address", async () => {
		vi.useFakeTimers({ toFake: ["Date", "performance"] });
		const { fetch } = fixture.deployment.service;
		const send = sendTo((request) => fetch(request, { address: "203.0.113.5" }), undefined, ORIGIN);
		const statuses: number[] = [];
		for (let index = 0; index < MAX_SIGN_INS_PER_MINUTE + 1; index++)
			statuses.push((await send("GET", `/v1/sign-in/${ISSUER_KEY}/callback?state=x&code=y`)).status);
		expect(new Set(statuses)).toEqual(new Set([401]));
	});
});

describe("an address that the issuer gave to another person", () => {
	it("does not lead to the first one's account", async () => {
		seat();
		const first = fixture.browser();
		expect((await fixture.signInThere(first)).status).toBe(303);
		fixture.issuer.account = { ...fixture.issuer.account, sub: `${fixture.issuer.account.sub}-next` };
		const next = fixture.browser();
		expect((await fixture.signInThere(next)).status).toBe(403);
		expect((await getSession(next)).status).toBe(401);
		expect((await getSession(first)).status).toBe(200);
	});
});

describe("a start", () => {
	it("is of a page of the service, or typed", async () => {
		const path = `/v1/sign-in/${ISSUER_KEY}`;
		for (const site of ["cross-site", "same-site"])
			expectApiError(
				await fixture.send("GET", path, { headers: { "sec-fetch-site": site } }),
				403,
				"origin_not_allowed",
			);
		expect((await fixture.send("GET", path, { headers: { "sec-fetch-site": "none" } })).status).toBe(302);
		expectApiError(await fixture.send("GET", "/v1/sign-in/unknown"), 404, "issuer_not_found");
	});

	it("says that an issuer is down, and works once it is back", async () => {
		const local = await startOidcFixture(built);
		try {
			local.intercept(async () => {
				throw new TypeError("fetch failed");
			});
			const path = `/v1/sign-in/${ISSUER_KEY}`;
			expectApiError(await local.send("GET", path), 502, "issuer_unavailable");
			const page = await local.send("GET", path, { headers: { accept: "text/html" } });
			expectErrorPage(page, 502, "issuer_unavailable");
			expect(page.text).toContain("Company does not answer at the moment");
			local.intercept(undefined);
			expect((await local.send("GET", path)).status).toBe(302);
			// … or went down meanwhile.
			local.issuer.account = { sub: "a", email: "a@example.com", email_verified: true };
			const browser = local.browser();
			const callback = await local.begin(browser);
			await local.issuer.close();
			expectErrorPage(await browser.open(callback), 502, "issuer_unavailable");
		} finally {
			await local.deployment.close();
		}
	});
});

describe("an issuer for members alone", () => {
	it("signs in who was invited, with the role that they have", async () => {
		const local = await startOidcFixture(built);
		try {
			await local.addUser("ada@example.com", "admin");
			local.issuer.account = { sub: "ada", email: "ada@example.com", email_verified: true };
			const browser = local.browser();
			await local.signInThere(browser);
			const session = await local.send("GET", "/v1/session", { headers: { cookie: browser.cookies() } });
			expect(session.body).toMatchObject({ role: "admin" });
			local.issuer.account = { sub: "eve", email: "eve@example.com", email_verified: true };
			expectErrorPage(await local.signInThere(), 403, "sign_in_not_allowed");
		} finally {
			await local.close();
		}
	});
});

describe("an issuer whose ids alone count", () => {
	it("takes nobody for a user with the same address", async () => {
		const local = await startOidcFixture(built, { users: "subject", role: "viewer" });
		try {
			const { session } = await local.addUser("ada@example.com", "admin");
			local.issuer.account = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada" };
			const browser = local.browser();
			await local.signInThere(browser);
			const found = await local.send("GET", "/v1/session", { headers: { cookie: browser.cookies() } });
			expect(found.body).toMatchObject({
				role: "viewer",
				user: { name: "Ada", email: expect.stringMatching(/^[0-9a-f]{16}@company\.invalid$/) },
			});
			expect(found.body).not.toMatchObject({ user: { id: session.user.id } });
		} finally {
			await local.close();
		}
	});
});

describe("signing out", () => {
	it("leads to the issuer, too, for those whom it has signed in", async () => {
		seat();
		const browser = fixture.browser();
		await fixture.signInThere(browser);
		const headers = { ...PAGE_HEADERS, cookie: browser.cookies() };
		const { end_session_url = "" } = await getBody<{ end_session_url?: string }>(
			fixture.send("DELETE", "/v1/session", { headers }),
		);
		const url = new URL(end_session_url);
		expect(url.origin).toBe(fixture.issuer.issuer);
		expect(Object.fromEntries(url.searchParams)).toEqual({
			client_id: OIDC_CLIENT_ID,
			post_logout_redirect_uri: `${ORIGIN}/`,
		});
		const user = await fixture.addUser("link@example.com");
		expect(await getBody(user.send("DELETE", "/v1/session"))).toEqual({ signed_out: true });
	});

	const LOGOUT_EVENT = { "http://schemas.openid.net/event/backchannel-logout": {} };
	const post = (token: string) =>
		fixture.send("POST", `/v1/sign-in/${ISSUER_KEY}/logout`, {
			form: new URLSearchParams({ logout_token: token }),
			headers: { "content-type": "application/x-www-form-urlencoded" },
		});
	const seconds = () => Math.floor(Date.now() / 1000);
	const toClaims = () => ({
		...{ aud: OIDC_CLIENT_ID, sub: fixture.issuer.account.sub, events: LOGOUT_EVENT },
		...{ iat: seconds(), exp: seconds() + 120 },
	});

	it("at the issuer ends all sessions of the person here", async () => {
		seat();
		const browsers = [fixture.browser(), fixture.browser()];
		for (const browser of browsers) await fixture.signInThere(browser);
		const { sub } = fixture.issuer.account;
		seat();
		const other = fixture.browser();
		await fixture.signInThere(other);
		const token = await fixture.issuer.sign({ ...toClaims(), sub }, { typ: "logout+jwt" });
		const response = await post(token);
		expect(response.status, response.text).toBe(200);
		expect(response.headers.get("cache-control")).toBe("no-store");
		for (const browser of browsers) expect((await getSession(browser)).status).toBe(401);
		expect((await getSession(other)).status).toBe(200);
		// The token is good once.
		expect((await post(token)).status).toBe(400);
	});

	it("at the issuer ends the sessions by links, too", async () => {
		seat();
		const { sub, email } = fixture.issuer.account;
		await fixture.signInThere();
		const byLink = await fixture.addUser(String(email), "editor");
		expect((await byLink.send("GET", "/v1/session")).status).toBe(200);
		expect(
			(await post(await fixture.issuer.sign({ ...toClaims(), sub }, { typ: "logout+jwt" }))).status,
		).toBe(200);
		expect((await byLink.send("GET", "/v1/session")).status).toBe(401);
	});

	it.each<readonly [string, () => Record<string, unknown>]>([
		["for another audience", () => ({ aud: "another" })],
		["of another issuer", () => ({ iss: "https://evil.example" })],
		["with a nonce", () => ({ nonce: "n" })],
		["without events", () => ({ events: undefined })],
		["with other events", () => ({ events: { "http://schemas.openid.net/event/other": {} } })],
		["with an event that is none", () => ({ events: { [Object.keys(LOGOUT_EVENT)[0] ?? ""]: "yes" } })],
		["of nobody", () => ({ sub: undefined })],
		["without an id", () => ({ jti: undefined })],
		["that has expired", () => ({ exp: seconds() - 120 })],
		["that is old", () => ({ iat: seconds() - 3600 })],
	])("does not end with a token %s", async (_, change) => {
		seat();
		const browser = fixture.browser();
		await fixture.signInThere(browser);
		const response = await post(await fixture.issuer.sign({ ...toClaims(), ...change() }));
		expect(response.status).toBe(400);
		expect(response.body).toMatchObject({ error: "invalid_request" });
		expect((await getSession(browser)).status).toBe(200);
	});

	it("does not end with a token that nobody signed", async () => {
		seat();
		const browser = fixture.browser();
		await fixture.signInThere(browser);
		const claims = { iss: fixture.issuer.issuer, jti: "1", ...toClaims() };
		for (const token of [`${encode({ alg: "none" })}.${encode(claims)}.`, signWithSecret(claims), "x", ""])
			expect((await post(token)).status).toBe(400);
		expect((await getSession(browser)).status).toBe(200);
	});
});

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

function changeSignature(token: string): string {
	const [header = "", payload = "", signature = ""] = token.split(".");
	return [header, payload, `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`].join(".");
}

/** Signs with the client's secret, which the issuer knows as well. */
function signWithSecret(claims: object): string {
	const input = `${encode({ alg: "HS256" })}.${encode(claims)}`;
	return `${input}.${createHmac("sha256", "simulated-secret").update(input).digest("base64url")}`;
}
