import * as built from "@stemma/service";
import { createSoftwareAuthenticator } from "@stemma/simulators/software-authenticator";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createApp } from "../../authorizations/test-support/app-fixture";
import {
	ISSUER_KEY,
	OIDC_CLIENT_ID,
	type OidcFixture,
	startOidcFixture,
} from "../../people/test-support/oidc-fixture";
import { addPasskey, signInByPasskey } from "../../people/test-support/passkey-ceremonies";
import { ORIGIN, PAGE_HEADERS, type TestUser } from "../../people/test-support/people-fixture";
import { expectApiError } from "../../test-support/expect-error";
import { getBody } from "../../test-support/tenant";

const HOUR_MS = 3_600_000;
const MAX_AGE_HOURS = 8;

let fixture: OidcFixture;
beforeAll(async () => {
	fixture = await startOidcFixture(built, {
		users: "verified_email",
		groups: [{ group: "staff", role: "editor" }],
		max_age_hours: MAX_AGE_HOURS,
	});
	await fixture.addUser("root@example.com", "admin");
});
afterAll(() => fixture?.close());
beforeEach(() => {
	vi.useFakeTimers({ toFake: ["Date", "performance"] });
});
afterEach(() => {
	vi.useRealTimers();
});

/** Signs a person in at the issuer, and returns what their page has. */
async function signInThere(): Promise<TestUser> {
	const browser = fixture.browser();
	const response = await fixture.signInThere(browser);
	expect(response.status, response.text).toBe(303);
	const cookie = browser.cookies();
	const send: TestUser["send"] = (method, path, request = {}) =>
		fixture.send(method, path, { ...request, headers: { cookie, ...PAGE_HEADERS, ...request.headers } });
	return { cookie, send, session: await getBody(send("GET", "/v1/session")) };
}

let count = 0;
/** A person of the issuer with a passkey, and an app that has access. */
async function addPerson() {
	count += 1;
	const email = `person${count}@example.com`;
	fixture.issuer.account = { sub: `sub-${count}`, email, email_verified: true, groups: ["staff"] };
	const user = await signInThere();
	const authenticator = createSoftwareAuthenticator(ORIGIN);
	await getBody(addPasskey(user, authenticator));
	const app = await createApp(fixture.send);
	// Made now, as the client that invites has a token for 15 minutes.
	const link = await fixture.invite(email, "editor");
	return { link, user, authenticator, app, tokens: await app.connect(user) };
}

type Person = Awaited<ReturnType<typeof addPerson>>;

const callMcp = ({ access_token: token }: { readonly access_token: string }) =>
	fixture.send("POST", "/mcp", {
		...{ token, headers: { accept: "application/json, text/event-stream" } },
		json: { jsonrpc: "2.0", id: 1, method: "tools/list" },
	});

async function expectAllWorks({ user, authenticator, app, tokens }: Person): Promise<void> {
	expect((await user.send("GET", "/v1/session")).status).toBe(200);
	expect((await signInByPasskey(fixture.send, authenticator)).status).toBe(201);
	tokens = await getBody(app.refresh(tokens.refresh_token));
	expect((await callMcp(tokens)).status).not.toBe(401);
}

async function expectNothingWorks({ link, user, authenticator, app, tokens }: Person): Promise<void> {
	expectApiError(await user.send("GET", "/v1/session"), 401, "invalid_credentials");
	const passkey = await signInByPasskey(fixture.send, authenticator);
	expectApiError(passkey, 403, "issuer_sign_in_required");
	expect(passkey.text).toContain("Sign in with Company");
	expect((await callMcp(tokens)).status).toBe(401);
	expect(await app.refresh(tokens.refresh_token)).toMatchObject({
		...{ status: 400, body: { error: "invalid_grant" } },
	});
	expectApiError(await fixture.signIn(link), 403, "issuer_sign_in_required");
}

describe("a person of an issuer with max_age_hours", () => {
	it("signs in there again after that time, and has sessions, passkeys and apps again", async () => {
		const person = await addPerson();
		await expectAllWorks(person);
		const later = await addPerson();
		vi.setSystemTime(Date.now() + MAX_AGE_HOURS * HOUR_MS);
		await expectNothingWorks(later);
		// The refresh token was kept, and the passkey, too.
		const user = await signInThere();
		expect((await user.send("GET", "/v1/session")).status).toBe(200);
		expect((await signInByPasskey(fixture.send, later.authenticator)).status).toBe(201);
		expect((await callMcp(await getBody(later.app.refresh(later.tokens.refresh_token)))).status).not.toBe(
			401,
		);
	});

	it("has nothing left once the issuer has signed them out", async () => {
		const person = await addPerson();
		const token = await fixture.issuer.sign(
			{
				...{ aud: OIDC_CLIENT_ID, sub: `sub-${count}`, jti: crypto.randomUUID() },
				...{ iat: Math.floor(Date.now() / 1000), exp: Math.floor(Date.now() / 1000) + 60 },
				events: { "http://schemas.openid.net/event/backchannel-logout": {} },
			},
			{ typ: "logout+jwt" },
		);
		const form = new URLSearchParams({ logout_token: token });
		expect((await fixture.send("POST", `/v1/sign-in/${ISSUER_KEY}/logout`, { form })).status).toBe(200);
		await expectNothingWorks(person);
	});

	it("has nothing left once the issuer's groups give them no access", async () => {
		const person = await addPerson();
		fixture.issuer.account = { ...fixture.issuer.account, groups: [] };
		expect((await fixture.signInThere()).status).toBe(403);
		await expectNothingWorks(person);
	});
});

it("asks nobody else to come back", async () => {
	const user = await fixture.addUser("grace@example.com", "editor");
	vi.setSystemTime(Date.now() + (MAX_AGE_HOURS + 1) * HOUR_MS);
	expect((await user.send("GET", "/v1/session")).status).toBe(200);
});
