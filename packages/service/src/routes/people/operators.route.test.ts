import type { AuditRecord, CreatedWorkspace, Page, UserWorkspaces, Workspace } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
/** Person who signed in with a link of the operator. */
let operator: TestUser;
beforeAll(async () => {
	fixture = await startPeopleFixture(built);
	operator = await signIn({ email: "olga@example.com", operator: true });
});
afterAll(() => fixture?.close());

/** Signs in with a link that was made in the data folder. */
async function signIn(options: Omit<built.LoginLinkOptions, "url">): Promise<TestUser> {
	const { link } = await built.createLoginLink(fixture.deployment.configuration, { ...options, url: ORIGIN });
	return fixture.toUser(await fixture.signIn(toToken(link)));
}

const create = (name: string, { send } = operator): Promise<CreatedWorkspace> =>
	getBody(send("POST", "/v1/workspaces", { json: { name } }));

const listWorkspaces = async ({ send }: TestUser) =>
	(await getBody<UserWorkspaces>(send("GET", "/v1/session/workspaces"))).data;

const switchTo = ({ send }: TestUser, id: string) =>
	send("POST", "/v1/session/workspace", { json: { workspace_id: id } });

describe("an operator", () => {
	it("creates, renames and deletes workspaces, and is admin of those that they created", async () => {
		expect(operator.session.scopes).toContain("deployment:write");
		const made = await create("Billing");
		expect(await listWorkspaces(operator)).toMatchObject([
			{ current: true, role: "admin" },
			{ id: made.id, name: "Billing", current: false, role: "admin" },
		]);
		await getBody(operator.send("PATCH", `/v1/workspaces/${made.id}`, { json: { name: "Accounting" } }));
		const { data } = await getBody<Page<Workspace>>(operator.send("GET", "/v1/workspaces"));
		expect(data.map(({ name }) => name)).toContain("Accounting");
		await getBody(operator.send("DELETE", `/v1/workspaces/${made.id}`));
		expect(await listWorkspaces(operator)).toHaveLength(1);
		const audit = await getBody<Page<AuditRecord>>(operator.send("GET", "/v1/audit"));
		expect(
			audit.data.filter(({ target }) => target === made.id).map(({ action, actor }) => [action, actor]),
		).toEqual(
			["workspace.deleted", "workspace.renamed", "workspace.created"].map((action) => [
				action,
				operator.session.user.id,
			]),
		);
	});

	it("cannot delete the workspace that they use", async () => {
		expectApiError(
			await operator.send("DELETE", `/v1/workspaces/${operator.session.workspace.id}`),
			409,
			"last_workspace",
			"workspace_in_use",
		);
	});

	it("is one by the link of the data folder alone: not by one without it, and not by an invitation", async () => {
		const email = "olga@example.com";
		const others = [
			await signIn({ email }),
			fixture.toUser(await fixture.signIn(await fixture.invite(email, "admin"))),
		];
		for (const other of others) {
			expect(other.session.user.id).toBe(operator.session.user.id);
			expect(other.session.scopes).not.toContain("deployment:write");
			expectApiError(await other.send("GET", "/v1/workspaces"), 403, "missing_scope");
		}
	});

	it("is none any more once they are removed", async () => {
		const leaver = await signIn({ email: "leaver@example.com", operator: true });
		await getBody(operator.send("DELETE", `/v1/members/${leaver.session.user.id}`));
		expectApiError(await leaver.send("GET", "/v1/workspaces"), 401, "invalid_credentials");
	});
});

describe("another workspace", () => {
	it("is where the person goes on, with another session that ends when the first would have", async () => {
		const person = await signIn({ email: "olga@example.com", operator: true });
		const { id } = await create("Elsewhere");
		const there = fixture.toUser(await switchTo(person, id));
		expect(there.session).toMatchObject({ workspace: { id, name: "Elsewhere" }, role: "admin" });
		expect(there.cookie).not.toBe(person.cookie);
		expectApiError(await person.send("GET", "/v1/session"), 401, "invalid_credentials");
		expect((await listWorkspaces(there)).find(({ current }) => current)).toMatchObject({ id });
		const back = fixture.toUser(await switchTo(there, person.session.workspace.id));
		expect(back.session.workspace).toEqual(person.session.workspace);
		expect(back.session.scopes).toContain("deployment:write");
		const audit = await getBody<Page<AuditRecord>>(back.send("GET", "/v1/audit"));
		expect(JSON.stringify(audit.data.filter(({ action }) => action === "member.signed_in"))).not.toContain(
			id,
		);
	});

	it("is not reached by an invitation, as its author has the link as well", async () => {
		const other = await create("Other tenant");
		const token = await fixture.invite("olga@example.com", "admin");
		const impostor = fixture.toUser(await fixture.signIn(token));
		expect(impostor.session.user.id).toBe(operator.session.user.id);
		expect(await listWorkspaces(impostor)).toMatchObject([{ current: true }]);
		expectApiError(await switchTo(impostor, other.id), 404, "workspace_not_found");
		expectApiError(await switchTo(impostor, impostor.session.workspace.id), 404, "workspace_not_found");
	});

	it("is reached by a link that the operator made for the person, not by one for whoever opens it", async () => {
		const { id } = await create("Third");
		const known = await signIn({ email: "olga@example.com" });
		expect(fixture.toUser(await switchTo(known, id)).session.workspace.id).toBe(id);
		const { link } = await built.createLoginLink(fixture.deployment.configuration, { url: ORIGIN });
		const claimed = fixture.toUser(await fixture.signIn(toToken(link), { email: "olga@example.com" }));
		expectApiError(await switchTo(claimed, id), 404, "workspace_not_found");
	});

	it("is not there for who is no member of it, or none any more", async () => {
		const person = await signIn({ email: "eve@example.com" });
		const { id } = await create("Closed");
		for (const unknown of [id, "ws_unknown"])
			expectApiError(await switchTo(person, unknown), 404, "workspace_not_found");
		expect(await listWorkspaces(person)).toHaveLength(1);
	});

	it("is for people who are signed in alone", async () => {
		const { send } = fixture.mine;
		expectApiError(await send("GET", "/v1/session/workspaces"), 403, "session_required");
	});
});
