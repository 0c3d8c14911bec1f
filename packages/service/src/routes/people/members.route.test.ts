import type { AuditRecord, CreatedInvitation, Invitation, Member, Page } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PeopleFixture, startPeopleFixture, toToken } from "../../people/test-support/people-fixture";
import { expectApiError } from "../../test-support/expect-error";
import { getBody } from "../../test-support/tenant";
import { fetchToken } from "../../test-support/test-deployment";

let fixture: PeopleFixture;
beforeAll(async () => {
	fixture = await startPeopleFixture(built);
});
afterAll(() => fixture?.close());

let workspaces = 0;
const addWorkspace = () => {
	workspaces += 1;
	return fixture.deployment.addWorkspace(`workspace ${workspaces}`);
};

describe("members", () => {
	it("are listed, get other roles at once, and are removed with their sessions", async () => {
		const workspace = await addWorkspace();
		const admin = await fixture.addUser("admin@example.com", "admin", workspace);
		const viewer = await fixture.addUser("viewer@example.com", "viewer", workspace);
		const list = async (query = "") =>
			(await getBody<Page<Member>>(admin.send("GET", `/v1/members${query}`))).data;
		expect((await list()).map(({ email, role, status }) => [email, role, status])).toEqual([
			["admin@example.com", "admin", "active"],
			["viewer@example.com", "viewer", "active"],
		]);
		const path = `/v1/members/${viewer.session.user.id}`;
		expectApiError(await viewer.send("GET", "/v1/members"), 403, "missing_scope");
		expect(await getBody(admin.send("PATCH", path, { json: { role: "admin" } }))).toMatchObject({
			role: "admin",
		});
		expect((await viewer.send("GET", "/v1/members")).status).toBe(200);
		expect((await admin.send("PATCH", path, { json: { role: "viewer" } })).status).toBe(200);
		expectApiError(await viewer.send("GET", "/v1/members"), 403, "missing_scope");
		expect((await admin.send("DELETE", path)).body).toEqual({ id: viewer.session.user.id, deleted: true });
		expectApiError(await viewer.send("GET", "/v1/session"), 401, "invalid_credentials");
		expectApiError(await admin.send("DELETE", path), 404, "member_not_found");
		expect([await list(), await list("?status=removed")]).toEqual([
			[expect.objectContaining({ email: "admin@example.com" })],
			[expect.objectContaining({ email: "viewer@example.com", status: "removed" })],
		]);
		const records = await getBody<Page<AuditRecord>>(workspace.send("GET", "/v1/audit?limit=4"));
		expect(records.data.map(({ action, actor, target }) => [action, actor, target])).toEqual([
			["member.removed", admin.session.user.id, viewer.session.user.id],
			["member.updated", admin.session.user.id, viewer.session.user.id],
			["member.updated", admin.session.user.id, viewer.session.user.id],
			["member.signed_in", viewer.session.user.id, viewer.session.user.id],
		]);
	});

	it("keep at least one admin, whoever asks", async () => {
		const workspace = await addWorkspace();
		const admin = await fixture.addUser("only@example.com", "admin", workspace);
		const path = `/v1/members/${admin.session.user.id}`;
		for (const send of [admin.send, workspace.send]) {
			expectApiError(await send("DELETE", path), 409, "last_admin");
			expectApiError(await send("PATCH", path, { json: { role: "editor" } }), 409, "last_admin");
		}
		const second = await fixture.addUser("second@example.com", "admin", workspace);
		const remove = ({ session }: typeof admin) => workspace.send("DELETE", `/v1/members/${session.user.id}`);
		const both = await Promise.all([remove(admin), remove(second)]);
		expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
	});

	it("are changed by those alone who could give the role", async () => {
		const workspace = await addWorkspace();
		const admin = await fixture.addUser("boss@example.com", "admin", workspace);
		await fixture.addUser("boss2@example.com", "admin", workspace);
		const viewer = await fixture.addUser("low@example.com", "viewer", workspace);
		const scopes = ["keys:write", "ask", "agents:run", "knowledge:read"];
		const client = await getBody<{ id: string; client_secret: string }>(
			workspace.send("POST", "/v1/clients", { json: { name: "limited", scopes } }),
		);
		const credentials = { client_id: client.id, client_secret: client.client_secret };
		const token = await fetchToken(fixture.send, credentials);
		const send = (method: string, path: string, json?: object) =>
			fixture.send(method, path, { token, ...(json && { json }) });
		const path = `/v1/members/${admin.session.user.id}`;
		expectApiError(await send("DELETE", path), 403, "missing_scope");
		expectApiError(await send("PATCH", path, { role: "viewer" }), 403, "missing_scope");
		const low = `/v1/members/${viewer.session.user.id}`;
		expectApiError(await send("PATCH", low, { role: "admin" }), 403, "missing_scope");
		const invite = (role: string) => send("POST", "/v1/invitations", { email: "x@example.com", role });
		expectApiError(await invite("editor"), 403, "missing_scope");
		expect((await invite("viewer")).status).toBe(201);
		expect((await send("DELETE", low)).status).toBe(200);
	});
});

describe("invitations", () => {
	it("are listed without their links, revoked, and good for one workspace", async () => {
		const workspace = await addWorkspace();
		const admin = await fixture.addUser("host@example.com", "admin", workspace);
		const json = { email: "Guest@Example.com", role: "editor" };
		const created = await getBody<CreatedInvitation>(admin.send("POST", "/v1/invitations", { json }));
		expect(created).toMatchObject({
			...{ id: expect.stringMatching(/^inv_/), email: "guest@example.com", role: "editor" },
			invited_by: admin.session.user.id,
			link: expect.stringMatching(/^http:\/\/localhost:4000\/#sign-in=sl_[\w-]{43}$/),
		});
		const { link, ...invitation } = created;
		const { data } = await getBody<Page<Invitation>>(admin.send("GET", "/v1/invitations"));
		expect(data).toEqual([invitation]);
		const path = `/v1/invitations/${created.id}`;
		expectApiError(await fixture.mine.send("DELETE", path), 404, "invitation_not_found");
		expect((await admin.send("DELETE", path)).status).toBe(200);
		expectApiError(await admin.send("DELETE", path), 404, "invitation_not_found");
		expectApiError(await fixture.signIn(toToken(link)), 401, "sign_in_link_invalid");
	});

	it("show their link once, also to a request that is sent again", async () => {
		const json = { email: "again@example.com", role: "viewer" };
		const headers = { "idempotency-key": "invite-1" };
		const send = () => fixture.mine.send("POST", "/v1/invitations", { json, headers });
		const first = await getBody<CreatedInvitation>(send());
		const second = await send();
		expectApiError(second, 409, "already_created");
		expect(second.text).toContain(first.id);
		expect(second.text).not.toContain(toToken(first.link));
	});

	it("sign in no member with a higher role than theirs", async () => {
		const workspace = await addWorkspace();
		const boss = await fixture.addUser("top@example.com", "admin", workspace);
		const rising = await fixture.addUser("rising@example.com", "viewer", workspace);
		const invite = (email: string, role: string) =>
			workspace.send("POST", "/v1/invitations", { json: { email, role } });
		for (const role of ["viewer", "editor"])
			expectApiError(await invite("TOP@example.com", role), 409, "member_has_higher_role");
		expect((await invite("top@example.com", "admin")).status).toBe(201);
		const early = await fixture.invite("rising@example.com", "viewer", workspace);
		const equal = await fixture.invite("rising@example.com", "editor", workspace);
		const path = `/v1/members/${rising.session.user.id}`;
		expect((await boss.send("PATCH", path, { json: { role: "editor" } })).status).toBe(200);
		expectApiError(await fixture.signIn(early), 401, "sign_in_link_invalid");
		expect((await fixture.signIn(equal)).body).toMatchObject({ role: "editor" });
		// The role of somebody who was removed is of no account.
		expect((await boss.send("DELETE", path)).status).toBe(200);
		expect((await invite("rising@example.com", "viewer")).status).toBe(201);
	});

	it("end with the member they are for, and with the admin who made them", async () => {
		const workspace = await addWorkspace();
		const admin = await fixture.addUser("first@example.com", "admin", workspace);
		const leaving = await fixture.addUser("leaving@example.com", "admin", workspace);
		const back = await fixture.invite("leaving@example.com", "admin", workspace);
		const json = { email: "accomplice@example.com", role: "admin" };
		const { link } = await getBody<CreatedInvitation>(leaving.send("POST", "/v1/invitations", { json }));
		await getBody(admin.send("DELETE", `/v1/members/${leaving.session.user.id}`));
		for (const token of [back, toToken(link)])
			expectApiError(await fixture.signIn(token), 401, "sign_in_link_invalid");
		// A new invitation brings the same person back.
		const again = await fixture.addUser("leaving@example.com", "viewer", workspace);
		expect(again.session).toMatchObject({ role: "viewer", user: { id: leaving.session.user.id } });
	});

	it.each([
		[{ email: "nobody", role: "viewer" }, "email"],
		[{ email: "a@example.com", role: "owner" }, "role"],
		[{ role: "viewer" }, "email"],
	])("refuse %j", async (json, param) => {
		const response = await fixture.mine.send("POST", "/v1/invitations", { json });
		expectApiError(response, 400, "invalid_request");
		expect(response.body).toMatchObject({ error: { param } });
	});
});
