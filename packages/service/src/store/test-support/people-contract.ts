import { beforeEach, describe, expect, it } from "vitest";
import type { AuditEntry } from "../../audit/audit-record";
import type { DecideRedemption, LinkFacts, LinkRedemption } from "../../people/people-repositories";
import type { NewSignInLink, StoredMember } from "../../people/stored-people";
import type { DeploymentStore } from "../deployment-store";

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const page = { limit: 9, after: undefined };
const refuse = (): never => {
	throw new Error("No.");
};
const toEntry = (action: AuditEntry["action"], target: string): AuditEntry => ({
	actor: "cl_1",
	action,
	target,
});

const toLink = (number: number, parts: Partial<NewSignInLink> = {}): NewSignInLink => ({
	id: `inv_${number}`,
	workspace_id: "ws_1",
	kind: "invitation",
	email: "ada@example.com",
	role: "viewer",
	invited_by: "cl_1",
	created_at: 10,
	expires_at: 100,
	reach: "workspace",
	tokenHash: hash(number),
	...parts,
});

const toRedemption = (number: number, parts: Partial<LinkRedemption> = {}): LinkRedemption => ({
	tokenHash: hash(number),
	email: "ada@example.com",
	name: "Ada",
	newUserId: `usr_${number}`,
	session: {
		id: `ses_${number}`,
		tokenHash: hash(100 + number),
		user_agent: null,
		created_at: 20,
		last_used_at: 20,
		reach: "workspace",
	},
	replacedTokenHash: undefined,
	maxSessions: 2,
	...parts,
});

const keepRole: DecideRedemption = ({ link, member }) => member?.role ?? link.role;
const signedIn = ({ id }: StoredMember) => toEntry("member.signed_in", id);

/** Contract that each store of people keeps. @param open - an empty store of a deployment. */
export function describePeopleRepositories(open: () => DeploymentStore): void {
	let store: DeploymentStore;
	const addWorkspace = (id: string): Promise<void> =>
		store.workspaces.insert({
			workspace: { id, name: id, created_at: "2026-01-31T12:00:00.123Z" },
			client: {
				...{ id: `cl_${id}`, name: "", scopes: [], created_at: "2026-01-31T12:00:00.123Z" },
				secretHash: hash(0),
			},
			clientKey: {
				...{ id: `ck_${id}`, name: "", scopes: [], origins: [], native: true, agents: null },
				...{ knowledge_base_ids: null, requests_per_minute: 1, tokens_per_day: 1, models: false },
				...{ expose: "answer", created_at: "2026-01-31T12:00:00.123Z", secretHash: hash(0) },
			},
			audits: [],
		});
	const insert = (link: NewSignInLink) => store.signInLinks.insert(link, undefined, () => undefined);
	/** Invites a person, and signs them in. */
	async function signIn(number: number, email: string, link: Partial<NewSignInLink> = {}): Promise<void> {
		await insert(toLink(number, { email, ...link }));
		await store.signInLinks.redeem(toRedemption(number, { email }), keepRole, signedIn);
	}
	const listAudit = async () =>
		(await store.audit.list("ws_1", { limit: 99, after: undefined })).map(
			({ action, target }) => `${action} ${target}`,
		);
	const listLive = async (workspaceId: string, userId: string) =>
		(await store.sessions.list(workspaceId, userId, page)).map(({ id }) => id);
	beforeEach(async () => {
		store = open();
		for (const id of ["ws_1", "ws_2"]) await addWorkspace(id);
	});

	describe("a repository of sign-in links", () => {
		it("lists, finds and deletes the invitations of one workspace that have not expired", async () => {
			const { signInLinks } = store;
			await insert(toLink(1));
			await insert(toLink(2, { workspace_id: "ws_2" }));
			await insert(toLink(3, { kind: "login", email: null }));
			await insert(toLink(4, { expires_at: 50 }));
			const { tokenHash: _, ...first } = toLink(1);
			expect(await signInLinks.listInvitations("ws_1", page, 50)).toEqual([first]);
			expect(await signInLinks.find("ws_1", "inv_1")).toEqual(first);
			expect([await signInLinks.find("ws_2", "inv_1"), await signInLinks.find("ws_1", "inv_3")]).toEqual([
				undefined,
				undefined,
			]);
			const { tokenHash: __, ...login } = toLink(3, { kind: "login", email: null });
			expect(await signInLinks.findByToken(hash(3))).toEqual(login);
			const decide = () => toEntry("invitation.revoked", "inv_1");
			await expect(signInLinks.deleteInvitation("ws_1", "inv_1", refuse)).rejects.toThrow("No.");
			expect(await signInLinks.deleteInvitation("ws_2", "inv_1", refuse)).toBe(false);
			expect(await signInLinks.deleteInvitation("ws_1", "inv_3", refuse)).toBe(false);
			expect(await signInLinks.deleteInvitation("ws_1", "inv_1", decide)).toBe(true);
			expect(await signInLinks.findByToken(hash(1))).toBeUndefined();
			expect(await listAudit()).toEqual(["invitation.revoked inv_1"]);
			await signInLinks.deleteExpired(50);
			expect(await signInLinks.findByToken(hash(4))).toBeUndefined();
			expect(await signInLinks.findByToken(hash(2))).toBeDefined();
		});

		it("tells how many invitations and which member there are, and adds and records nothing that is refused", async () => {
			const facts: LinkFacts[] = [];
			const add = (number: number, check = (given: LinkFacts) => void facts.push(given)) =>
				store.signInLinks.insert(toLink(number), toEntry("invitation.created", `inv_${number}`), check);
			await add(1);
			await add(2);
			await expect(add(3, refuse)).rejects.toThrow("No.");
			expect(facts.map(({ invitations }) => invitations)).toEqual([0, 1]);
			expect(facts.map(({ member }) => member)).toEqual([undefined, undefined]);
			expect(await listAudit()).toEqual(["invitation.created inv_2", "invitation.created inv_1"]);
			await signIn(4, "ada@example.com", { role: "editor" });
			await signIn(5, "ada@example.com", { role: "admin", workspace_id: "ws_2" });
			await add(6);
			expect(facts.at(-1)?.member).toMatchObject({ workspace_id: "ws_1", role: "editor" });
		});

		it("ends those that a client has made with the client, and with its secret", async () => {
			for (const number of [1, 2]) await insert(toLink(number, { invited_by: `cl_${number}` }));
			await insert(toLink(3, { invited_by: "cl_ws_1" }));
			const findLive = async () =>
				(await store.signInLinks.listInvitations("ws_1", page, 50)).map(({ id }) => id);
			const decide = () => toEntry("client.rotated", "cl_ws_1");
			await expect(store.clients.delete("ws_1", "cl_ws_1", refuse)).rejects.toThrow("No.");
			expect(await findLive()).toEqual(["inv_1", "inv_2", "inv_3"]);
			await store.clients.replaceSecret("ws_1", "cl_ws_1", hash(9), decide);
			expect(await findLive()).toEqual(["inv_1", "inv_2"]);
			await insert(toLink(4, { invited_by: "cl_ws_1" }));
			await store.clients.delete("ws_1", "cl_ws_1", decide);
			expect(await findLive()).toEqual(["inv_1", "inv_2"]);
		});

		it("makes user, member and session of a link, once", async () => {
			await insert(toLink(1, { role: "editor" }));
			const redeem = (decide = keepRole) => store.signInLinks.redeem(toRedemption(1), decide, signedIn);
			await expect(redeem(refuse)).rejects.toThrow("No.");
			const member = {
				...{ id: "usr_1", email: "ada@example.com", name: "Ada", status: "active" },
				...{ workspace_id: "ws_1", role: "editor", created_at: 20 },
			};
			const session = {
				...{ id: "ses_1", user_id: "usr_1", workspace_id: "ws_1", user_agent: null },
				...{ invited_by: "cl_1", created_at: 20, last_used_at: 20, reach: "workspace" },
			};
			expect(await redeem()).toEqual({ member, session });
			expect(await redeem(refuse)).toBeUndefined();
			expect(await store.sessions.findByToken(hash(101))).toEqual({ member, session });
			expect(await listAudit()).toEqual(["member.signed_in usr_1"]);
		});

		it("keeps who made the link with the session, unless it is the person", async () => {
			await insert(toLink(1, { invited_by: "usr_9" }));
			await insert(toLink(2, { invited_by: "usr_1" }));
			const redeem = (number: number) =>
				store.signInLinks.redeem(toRedemption(number, { newUserId: "usr_1" }), keepRole, signedIn);
			expect(await redeem(1)).toMatchObject({ session: { invited_by: "usr_9" } });
			expect(await redeem(2)).toMatchObject({ session: { invited_by: null } });
		});

		it("signs a member in again: the same user, by the name of before, in another session", async () => {
			await signIn(1, "ada@example.com");
			await insert(toLink(2, { role: "admin" }));
			const redemption = toRedemption(2, { name: "Eve", replacedTokenHash: hash(101) });
			const facts: unknown[] = [];
			const found = await store.signInLinks.redeem(
				redemption,
				(given) => {
					facts.push([given.member?.id, given.activeMembers]);
					return keepRole(given);
				},
				signedIn,
			);
			expect(found?.member).toMatchObject({ id: "usr_1", name: "Ada", role: "viewer" });
			expect(facts).toEqual([["usr_1", 1]]);
			expect(await store.sessions.findByToken(hash(101))).toBeUndefined();
			for (const number of [3, 4]) await signIn(number, "ada@example.com");
			expect(await listLive("ws_1", "usr_1")).toEqual(["ses_4", "ses_3"]);
			await signIn(5, "ada@example.com", { workspace_id: "ws_2" });
			expect(await listLive("ws_2", "usr_1")).toEqual(["ses_5"]);
			expect(await listLive("ws_1", "usr_1")).toHaveLength(2);
		});
	});

	describe("a repository of members", () => {
		const list = async (status: "active" | "removed", workspaceId = "ws_1") =>
			(await store.members.list(workspaceId, { ...page, status })).map(({ id, role }) => `${id} ${role}`);

		it("changes the role of an active member, and tells how many other admins there are", async () => {
			await signIn(1, "ada@example.com", { role: "admin" });
			await signIn(2, "bob@example.com");
			await insert(toLink(3, { invited_by: "usr_1", email: "eve@example.com" }));
			const update = (id: string, role: "viewer" | "admin", others: number, workspaceId = "ws_1") =>
				store.members.update(workspaceId, id, (_, otherAdmins) => {
					expect(otherAdmins).toBe(others);
					return { role, status: "active", audit: toEntry("member.updated", id) };
				});
			expect(await update("usr_2", "admin", 1)).toMatchObject({ role: "admin", email: "bob@example.com" });
			expect(await store.signInLinks.find("ws_1", "inv_3")).toBeDefined();
			expect(await update("usr_1", "viewer", 1)).toMatchObject({ role: "viewer" });
			// An invitation of who is no admin any more is none.
			expect(await store.signInLinks.find("ws_1", "inv_3")).toBeUndefined();
			await expect(store.members.update("ws_1", "usr_2", refuse)).rejects.toThrow("No.");
			expect(await store.members.update("ws_2", "usr_2", refuse)).toBeUndefined();
			expect([await list("active"), await list("active", "ws_2")]).toEqual([
				["usr_1 viewer", "usr_2 admin"],
				[],
			]);
			expect((await listAudit()).slice(0, 2)).toEqual(["member.updated usr_1", "member.updated usr_2"]);
		});

		it("removes a member with sessions and links, in one workspace, until the next invitation", async () => {
			await signIn(1, "ada@example.com");
			await signIn(2, "ada@example.com", { workspace_id: "ws_2" });
			await insert(toLink(3));
			await insert(toLink(4, { email: "bob@example.com" }));
			const audit = toEntry("member.removed", "usr_1");
			const remove = () =>
				store.members.update("ws_1", "usr_1", ({ role }) => ({ role, status: "removed", audit }));
			expect(await remove()).toMatchObject({ status: "removed", name: "Ada" });
			expect(await remove()).toBeUndefined();
			expect([await list("active"), await list("removed")]).toEqual([[], ["usr_1 viewer"]]);
			expect(await store.sessions.findByToken(hash(101))).toBeUndefined();
			expect(await store.sessions.findByToken(hash(102))).toBeDefined();
			expect(await store.signInLinks.find("ws_1", "inv_3")).toBeUndefined();
			expect(await store.signInLinks.find("ws_1", "inv_4")).toBeDefined();
			await signIn(5, "ada@example.com", { role: "editor" });
			expect(await store.members.find("ws_1", "usr_1")).toMatchObject({ status: "active" });
		});
	});

	describe("a repository of sessions", () => {
		beforeEach(async () => {
			await signIn(1, "ada@example.com");
			await signIn(2, "ada@example.com");
			await signIn(3, "bob@example.com");
		});
		const audit = toEntry("session.ended", "ses_1");

		it("finds, uses and ends sessions of one workspace", async () => {
			const { sessions } = store;
			expect(await sessions.find("ws_1", "ses_1")).toMatchObject({ user_id: "usr_1" });
			expect(await sessions.find("ws_2", "ses_1")).toBeUndefined();
			await sessions.touch("ses_1", 30);
			expect(await sessions.find("ws_1", "ses_1")).toMatchObject({ last_used_at: 30, created_at: 20 });
			expect(await sessions.delete("ws_2", "ses_1", audit)).toBe(false);
			expect(await sessions.delete("ws_1", "ses_1", audit)).toBe(true);
			expect((await sessions.listByIds(["ses_1", "ses_3", "ses_9"])).map(({ id }) => id)).toEqual(["ses_3"]);
			await signIn(4, "ada@example.com");
			await sessions.deleteAll("ws_1", "usr_1", audit);
			expect([await listLive("ws_1", "usr_1"), await listLive("ws_1", "usr_3")]).toEqual([[], ["ses_3"]]);
			expect((await listAudit()).filter((entry) => entry.startsWith("session.ended"))).toHaveLength(2);
		});

		it("deletes those that were made, or used, long ago", async () => {
			const { sessions } = store;
			await sessions.touch("ses_2", 40);
			await sessions.deleteExpired(5, 30);
			expect([await listLive("ws_1", "usr_1"), await listLive("ws_1", "usr_3")]).toEqual([["ses_2"], []]);
			await sessions.deleteExpired(20, 0);
			expect(await listLive("ws_1", "usr_1")).toEqual([]);
		});

		it("goes with the workspace, as do members, links and users who are in no other", async () => {
			await signIn(4, "ada@example.com", { workspace_id: "ws_2" });
			const deleted = { id: "ws_1", deletedAt: 1, recorderId: "ws_2" };
			await insert(toLink(5));
			await store.workspaces.markDeleted(deleted, () => toEntry("workspace.deleted", "ws_1"));
			expect(await store.sessions.listByIds(["ses_1", "ses_2", "ses_3"])).toEqual([]);
			expect(await store.signInLinks.findByToken(hash(5))).toBeUndefined();
			expect(await store.members.find("ws_1", "usr_1")).toBeUndefined();
			expect(await store.sessions.findByToken(hash(104))).toBeDefined();
			// Bob is forgotten, and comes back as somebody new.
			await signIn(6, "bob@example.com", { workspace_id: "ws_2" });
			expect(await store.members.find("ws_2", "usr_6")).toMatchObject({ email: "bob@example.com" });
		});
	});
}
