import type {
	AuditRecord,
	CreatedInvitation,
	CurrentSession,
	Page,
	Passkey,
	UserSession,
} from "@stemma/client";
import * as built from "@stemma/service";
import { createSoftwareAuthenticator } from "@stemma/simulators/software-authenticator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../authorizations/test-support/app-fixture";
import { addPasskey, signInByPasskey } from "../../people/test-support/passkey-ceremonies";
import {
	ORIGIN,
	type PeopleFixture,
	startPeopleFixture,
	type TestUser,
	toToken,
} from "../../people/test-support/people-fixture";
import { expectApiError } from "../../test-support/expect-error";
import { getBody } from "../../test-support/tenant";

let fixture: PeopleFixture;
let admin: TestUser;
beforeAll(async () => {
	fixture = await startPeopleFixture(built);
	admin = fixture.toUser(
		await fixture.signIn(await fixture.invite("root@example.com", "admin"), { name: "Root" }),
	);
});
afterAll(() => fixture?.close());

/** Opens an invitation that the admin has made. */
async function openInvitation(email: string): Promise<TestUser> {
	const json = { email, role: "editor" };
	const { link } = await getBody<CreatedInvitation>(admin.send("POST", "/v1/invitations", { json }));
	return fixture.toUser(await fixture.signIn(toToken(link)));
}

const listPasskeys = async ({ send }: Pick<TestUser, "send">, query = "") =>
	(await getBody<Page<Passkey>>(send("GET", `/v1/passkeys${query}`))).data;
const newAuthenticator = () => createSoftwareAuthenticator(ORIGIN);

describe("a session by the link of somebody else", () => {
	it("says whose link it was, as does a passkey that is added in it, and the audit", async () => {
		const ada = await openInvitation("ada@example.com");
		const inviter = { id: admin.session.user.id, name: "Root" };
		expect(await getBody<CurrentSession>(ada.send("GET", "/v1/session"))).toMatchObject({
			invited_by: inviter,
		});
		const sessions = await getBody<Page<UserSession>>(ada.send("GET", "/v1/sessions"));
		expect(sessions.data).toMatchObject([{ invited_by: inviter }]);
		const authenticator = newAuthenticator();
		const passkey = await getBody<Passkey>(addPasskey(ada, authenticator));
		expect(passkey.invited_by).toEqual(inviter);
		const { data } = await getBody<Page<AuditRecord>>(admin.send("GET", "/v1/audit?action=passkey.created"));
		expect(data[0]).toMatchObject({ target: passkey.id, details: { invited_by: inviter.id } });
		// By her own passkey she has a session of her own, and it may have more.
		const own = fixture.toUser(await signInByPasskey(fixture.send, authenticator));
		expect(own.session.invited_by).toBeNull();
		expect((await getBody<Passkey>(addPasskey(own, newAuthenticator()))).invited_by).toBeNull();
	});

	it("adds no passkey to an account that has one, and gives no app access to it", async () => {
		const grace = await openInvitation("grace@example.com");
		await getBody(addPasskey(grace, newAuthenticator()));
		const intruder = await openInvitation("grace@example.com");
		expect(intruder.session.user.id).toBe(grace.session.user.id);
		expectApiError(await intruder.send("POST", "/v1/passkeys/options"), 403, "own_sign_in_required");
		const app = await createApp(fixture.send);
		const json = { ...app.request, decision: "allow" };
		expectApiError(await intruder.send("POST", "/v1/authorizations", { json }), 403, "own_sign_in_required");
		expect(await listPasskeys(grace)).toHaveLength(1);
	});

	it("does not add one that was started before the account had another", async () => {
		const alan = await openInvitation("alan@example.com");
		const intruder = await openInvitation("alan@example.com");
		const authenticator = newAuthenticator();
		const started = await intruder.send("POST", "/v1/passkeys/options");
		await getBody(addPasskey(alan, newAuthenticator()));
		const attempt = (started.headers.get("set-cookie") ?? "").split(";")[0];
		const json = { response: authenticator.register(started.body) };
		const headers = { cookie: `${intruder.cookie}; ${attempt}` };
		const refused = await intruder.send("POST", "/v1/passkeys", { json, headers });
		expectApiError(refused, 403, "own_sign_in_required");
	});

	it("is one's own where the person has made the link", async () => {
		const { link } = await getBody<CreatedInvitation>(
			admin.send("POST", "/v1/invitations", { json: { email: "root@example.com", role: "admin" } }),
		);
		const again = fixture.toUser(await fixture.signIn(toToken(link)));
		expect(again.session.invited_by).toBeNull();
	});
});

describe("passkeys of another member", () => {
	it("are listed and deleted by admins and clients, which is recorded", async () => {
		const bob = await openInvitation("bob@example.com");
		const { id: userId } = bob.session.user;
		for (const remover of [admin, fixture.mine]) {
			const authenticator = newAuthenticator();
			const passkey = await getBody<Passkey>(addPasskey(bob, authenticator));
			expect(await listPasskeys(remover, `?user_id=${userId}`)).toEqual([passkey]);
			await getBody(remover.send("DELETE", `/v1/passkeys/${passkey.id}`));
			expect(await listPasskeys(bob)).toEqual([]);
			expectApiError(await signInByPasskey(fixture.send, authenticator), 401, "passkey_invalid");
			const { data } = await getBody<Page<AuditRecord>>(
				admin.send("GET", "/v1/audit?action=passkey.deleted"),
			);
			expect(data[0]).toMatchObject({ target: passkey.id, details: { user_id: userId } });
		}
	});

	it("are not there for others, nor in another workspace", async () => {
		const carol = await openInvitation("carol@example.com");
		const passkey = await getBody<Passkey>(addPasskey(carol, newAuthenticator()));
		const editor = await openInvitation("editor@example.com");
		const query = `?user_id=${carol.session.user.id}`;
		expectApiError(await editor.send("GET", `/v1/passkeys${query}`), 403, "missing_scope");
		expectApiError(await editor.send("DELETE", `/v1/passkeys/${passkey.id}`), 404, "passkey_not_found");
		const json = { name: "x" };
		expectApiError(
			await admin.send("PATCH", `/v1/passkeys/${passkey.id}`, { json }),
			404,
			"passkey_not_found",
		);
		const theirs = await fixture.deployment.addWorkspace("theirs");
		expectApiError(await theirs.send("DELETE", `/v1/passkeys/${passkey.id}`), 404, "passkey_not_found");
		expect(await listPasskeys(theirs, query)).toEqual([]);
		expectApiError(await fixture.mine.send("GET", "/v1/passkeys"), 403, "session_required");
		expect(await listPasskeys(carol)).toEqual([passkey]);
	});
});
