import type { CurrentSession, Page, Passkey } from "@stemma/client";
import * as built from "@stemma/service";
import {
	type CeremonyChanges,
	createSoftwareAuthenticator,
	type SoftwareAuthenticator,
} from "@stemma/simulators/software-authenticator";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { MAX_PASSKEYS_PER_USER, MAX_SIGN_INS_PER_MINUTE } from "../../people/people-limits";
import { addPasskey, beginCeremony, signInByPasskey } from "../../people/test-support/passkey-ceremonies";
import {
	ORIGIN,
	PAGE_HEADERS,
	type PeopleFixture,
	startPeopleFixture,
	type TestUser,
} from "../../people/test-support/people-fixture";
import { expectApiError } from "../../test-support/expect-error";
import { sendTo, type TestResponse } from "../../test-support/send-request";
import { getBody } from "../../test-support/tenant";

let fixture: PeopleFixture;
beforeAll(async () => {
	fixture = await startPeopleFixture(built);
});
afterAll(() => fixture?.close());
afterEach(() => {
	vi.useRealTimers();
});

const begin = beginCeremony;
const add = addPasskey;
/** Signs in as a page without a session does. */
const signIn = (
	authenticator: SoftwareAuthenticator,
	changes: CeremonyChanges = {},
	headers: Record<string, string> = {},
	send = fixture.send,
): Promise<TestResponse> => signInByPasskey(send, authenticator, changes, headers);

async function addOwner(email: string) {
	const user = await fixture.addUser(email, "editor");
	const authenticator = createSoftwareAuthenticator(ORIGIN);
	const passkey = await getBody<Passkey>(add(user, authenticator, {}, { name: "Laptop" }));
	return { user, authenticator, passkey };
}

describe("a passkey", () => {
	it("is added by a person, who lists, renames and removes it", async () => {
		const { user, passkey } = await addOwner("ada@example.com");
		expect(passkey).toEqual({
			id: expect.stringMatching(/^pk_/),
			user_id: user.session.user.id,
			name: "Laptop",
			synced: false,
			invited_by: { id: expect.stringMatching(/^cl_/), name: null },
			created_at: expect.any(String),
			last_used_at: null,
		});
		const list = () => getBody<Page<Passkey>>(user.send("GET", "/v1/passkeys"));
		expect((await list()).data).toEqual([passkey]);
		const path = `/v1/passkeys/${passkey.id}`;
		expect(await getBody(user.send("PATCH", path, { json: { name: "Old laptop" } }))).toEqual({
			...passkey,
			name: "Old laptop",
		});
		const other = await fixture.addUser("other@example.com", "editor");
		expect((await getBody<Page<Passkey>>(other.send("GET", "/v1/passkeys"))).data).toEqual([]);
		expectApiError(await other.send("DELETE", path), 404, "passkey_not_found");
		expectApiError(await other.send("PATCH", path, { json: { name: "x" } }), 404, "passkey_not_found");
		expect(await getBody(user.send("DELETE", path))).toEqual({ id: passkey.id, deleted: true });
		expect((await list()).data).toEqual([]);
		const { data } = await getBody<Page<{ action: string; target: string; actor: string }>>(
			fixture.mine.send("GET", "/v1/audit"),
		);
		const { id: actor } = user.session.user;
		for (const action of ["passkey.created", "passkey.renamed", "passkey.deleted"])
			expect(data).toContainEqual(expect.objectContaining({ action, actor, target: passkey.id }));
	});

	it("signs in without an address, with another session each time", async () => {
		const { user, authenticator, passkey } = await addOwner("grace@example.com");
		const mallory = await fixture.addUser("mallory@example.com");
		const response = await signIn(authenticator, {}, { cookie: mallory.cookie });
		expect(response.status, response.text).toBe(201);
		expect(response.body).toMatchObject({ user: { id: user.session.user.id }, role: "editor" });
		const { cookie } = fixture.toUser(response);
		expect([mallory.cookie, user.cookie]).not.toContain(cookie);
		const isSignedIn = async (value: string) =>
			(await fixture.send("GET", "/v1/session", { headers: { cookie: value } })).status === 200;
		expect([await isSignedIn(cookie), await isSignedIn(user.cookie)]).toEqual([true, true]);
		expect(await isSignedIn(mallory.cookie)).toBe(false);
		const { data } = await getBody<Page<Passkey>>(user.send("GET", "/v1/passkeys"));
		expect(data[0]?.last_used_at).not.toBeNull();
		const audit = await getBody<Page<{ action: string; details: object }>>(
			fixture.mine.send("GET", "/v1/audit"),
		);
		expect(audit.data).toContainEqual(
			expect.objectContaining({
				action: "member.signed_in",
				details: { role: "editor", passkey: passkey.id },
			}),
		);
	});

	it.each<readonly [string, CeremonyChanges]>([
		["another origin", { origin: "https://evil.example" }],
		["another port", { origin: "http://localhost:3000" }],
		["another party", { partyId: "evil.example" }],
		["another challenge", { challenge: "A".repeat(43) }],
		["nobody verified", { flags: 1 }],
		["another person", { userHandle: "A".repeat(43) }],
		["a counter that went back", { counter: 3 }],
		["a counter that stood still", { counter: 5 }],
	])("signs nobody in with %s", async (_, changes) => {
		const { authenticator } = await addOwner(`${crypto.randomUUID()}@example.com`);
		expect((await signIn(authenticator, { counter: 5 })).status).toBe(201);
		const refused = await signIn(authenticator, { counter: 6, ...changes });
		expectApiError(refused, 401, "passkey_invalid");
		expect(refused.headers.get("set-cookie")).toBeNull();
		expect((await signIn(authenticator, { counter: 7 })).status).toBe(201);
	});

	it.each<readonly [string, CeremonyChanges]>([
		["another origin", { origin: "https://evil.example" }],
		["another party", { partyId: "evil.example" }],
		["another challenge", { challenge: "A".repeat(43) }],
		["nobody verified", { flags: 1 }],
	])("is not added with %s", async (_, changes) => {
		const user = await fixture.addUser("builder@example.com");
		const refused = await add(user, createSoftwareAuthenticator(ORIGIN), changes);
		expectApiError(refused, 422, "passkey_not_created");
	});

	it("takes a challenge once, for a while, and in the browser that asked", async () => {
		const { authenticator } = await addOwner("once@example.com");
		const { options, attempt } = await begin(fixture.send, "/v1/session/passkey/options");
		const json = { response: authenticator.authenticate(options) };
		const send = (cookie?: string) =>
			fixture.send("POST", "/v1/session/passkey", {
				json,
				headers: { ...PAGE_HEADERS, ...(cookie !== undefined && { cookie }) },
			});
		const other = await begin(fixture.send, "/v1/session/passkey/options");
		for (const cookie of [undefined, other.attempt, `${attempt}x`])
			expectApiError(await send(cookie), 401, "passkey_invalid");
		const both = await Promise.all([send(attempt), send(attempt)]);
		expect(both.map(({ status }) => status).sort()).toEqual([201, 401]);
		expectApiError(await send(attempt), 401, "passkey_invalid");

		const late = await begin(fixture.send, "/v1/session/passkey/options");
		vi.useFakeTimers({ toFake: ["Date", "performance"] });
		vi.setSystemTime(Date.now() + 5 * 60 * 1000);
		const response = await fixture.send("POST", "/v1/session/passkey", {
			json: { response: authenticator.authenticate(late.options) },
			headers: { ...PAGE_HEADERS, cookie: late.attempt },
		});
		expectApiError(response, 401, "passkey_invalid");
	});

	it("is added in the session that asked for it alone, and not twice", async () => {
		const ada = await fixture.addUser("ada2@example.com");
		const eve = await fixture.addUser("eve2@example.com");
		const authenticator = createSoftwareAuthenticator(ORIGIN);
		const { options, attempt } = await begin(ada.send, "/v1/passkeys/options");
		const json = { response: authenticator.register(options) };
		const send = (user: TestUser) =>
			user.send("POST", "/v1/passkeys", { json, headers: { cookie: `${user.cookie}; ${attempt}` } });
		expectApiError(await send(eve), 422, "passkey_not_created");
		expect((await send(ada)).status).toBe(201);
		expectApiError(await send(ada), 422, "passkey_not_created");
		const { send: sendAgain } = fixture.toUser(await signIn(authenticator));
		expectApiError(await add(eve, authenticator), 422, "passkey_not_created");
		const again = await begin(sendAgain, "/v1/passkeys/options");
		expect(again.options).toMatchObject({
			rp: { id: "localhost", name: "Stemma" },
			excludeCredentials: [{ id: authenticator.credentialId, type: "public-key" }],
			authenticatorSelection: { residentKey: "required", userVerification: "required" },
			attestation: "none",
		});
		expect(JSON.stringify(again.options)).not.toContain(ada.session.user.id);
	});

	it("ends with its member, who is invited again without it", async () => {
		const { user, authenticator } = await addOwner("removed@example.com");
		const admin = await fixture.addUser("boss@example.com", "admin");
		await getBody(admin.send("DELETE", `/v1/members/${user.session.user.id}`));
		expectApiError(await signIn(authenticator), 401, "passkey_invalid");
		const back = await fixture.addUser("removed@example.com");
		expect(back.session.user.id).toBe(user.session.user.id);
		expectApiError(await signIn(authenticator), 401, "passkey_invalid");
		expect((await getBody<Page<Passkey>>(back.send("GET", "/v1/passkeys"))).data).toEqual([]);
	});

	it("is one workspace's alone, also of a person who is in two", async () => {
		const other = await fixture.deployment.addWorkspace("other");
		const { authenticator } = await addOwner("both@example.com");
		const there = await fixture.addUser("both@example.com", "admin", other);
		expect((await getBody<Page<Passkey>>(there.send("GET", "/v1/passkeys"))).data).toEqual([]);
		const { workspace } = await getBody<CurrentSession>(signIn(authenticator));
		expect(workspace.name).toBe("mine");
	});

	it("is one of so many", async () => {
		const { authenticator } = await addOwner("many@example.com");
		const user = fixture.toUser(await signIn(authenticator));
		for (let count = 1; count < MAX_PASSKEYS_PER_USER; count++)
			expect((await add(user, createSoftwareAuthenticator(ORIGIN))).status).toBe(201);
		expectApiError(await add(user, createSoftwareAuthenticator(ORIGIN)), 422, "too_many_passkeys");
	});

	it("needs a page of the service, and a session to be added", async () => {
		for (const path of ["/v1/session/passkey/options", "/v1/session/passkey"])
			for (const headers of [{ ...PAGE_HEADERS, origin: "https://evil.example" }, { origin: ORIGIN }])
				expect((await fixture.send("POST", path, { json: {}, headers })).status).toBe(403);
		expectApiError(
			await fixture.send("POST", "/v1/passkeys/options", { headers: PAGE_HEADERS }),
			401,
			"missing_credentials",
		);
		expectApiError(await fixture.mine.send("POST", "/v1/passkeys/options"), 403, "session_required");
	});

	it("needs an address by name", async () => {
		const { fetch } = fixture.deployment.service;
		const send = sendTo(fetch, undefined, "http://kb.example");
		const headers = { ...PAGE_HEADERS, origin: "https://kb.example", "x-forwarded-proto": "https" };
		const response = await send("POST", "/v1/session/passkey/options", { headers });
		expectApiError(response, 422, "passkeys_unavailable");
	});
});

describe("attempts to sign in", () => {
	it("are so many of an address in a minute, whether they succeed or not", async () => {
		vi.useFakeTimers({ toFake: ["Date", "performance"] });
		const { authenticator } = await addOwner("busy@example.com");
		const { fetch } = fixture.deployment.service;
		const send = sendTo((request) => fetch(request, { address: "203.0.113.77" }), undefined, ORIGIN);
		const statuses: number[] = [];
		for (let count = 0; count < MAX_SIGN_INS_PER_MINUTE + 3; count++)
			statuses.push((await signIn(authenticator, {}, {}, send)).status);
		expect(statuses.filter((status) => status === 201)).toHaveLength(MAX_SIGN_INS_PER_MINUTE);
		expect(statuses.slice(-3)).toEqual([429, 429, 429]);
		const json = { token: await fixture.invite("link@example.com") };
		const refused = await send("POST", "/v1/session", { json, headers: PAGE_HEADERS });
		expectApiError(refused, 429, "rate_limited");
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
		expect((await fixture.signIn(json.token)).status).toBe(201);
	});
});

describe("a public address", () => {
	it("of 127.0.0.1 takes pages of localhost, where passkeys work", async () => {
		const local = await startPeopleFixture(built, {
			listen: { port: 0, public_url: "http://127.0.0.1:4000" },
		});
		try {
			const user = await local.addUser("ada@example.com");
			const { options } = await begin(user.send, "/v1/passkeys/options");
			expect(options).toMatchObject({ rp: { id: "localhost" } });
		} finally {
			await local.close();
		}
	});

	it("by name is the party, and is what others are sent to", async () => {
		const named = await startPeopleFixture(built, {
			listen: { port: 0, public_url: "https://kb.example" },
		});
		try {
			const headers = { ...PAGE_HEADERS, origin: "https://kb.example" };
			const { options } = await begin(named.send, "/v1/session/passkey/options", headers);
			expect(options).toMatchObject({ rpId: "kb.example", userVerification: "required" });
			const response = await named.send("POST", "/v1/session/passkey/options", { headers: PAGE_HEADERS });
			expectApiError(response, 403, "origin_not_allowed");
			expect(response.text).toContain("Open the page at https://kb.example");
		} finally {
			await named.close();
		}
	});
});
