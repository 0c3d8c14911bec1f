import type { Role } from "@stemma/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OPERATOR } from "../audit/audit-author";
import { openMemoryDatabase } from "../http/test-support/memory-database";
import type { DeploymentStore } from "../store/deployment-store";
import { type DeploymentTables, deploymentMigrations } from "../store/deployment-tables";
import { createDeploymentStore } from "../store/repositories/deployment/deployment-store";
import { INVITATION_TTL_MS, LOGIN_LINK_TTL_MS, MAX_SESSION_MS, SESSION_IDLE_MS } from "./people-limits";
import { ROLE_SCOPES } from "./roles";
import { createSessions } from "./sessions";
import { signIn } from "./sign-in";
import { createSignInLink } from "./sign-in-links";
import type { StoredSignInLink } from "./stored-people";

const MINUTE_MS = 60_000;

let store: DeploymentStore;
let errors: unknown[];
beforeEach(async () => {
	vi.useFakeTimers({ now: Date.UTC(2026, 0, 31), toFake: ["Date", "performance"] });
	errors = [];
	const database = openMemoryDatabase<DeploymentTables>(deploymentMigrations);
	await database.write.insertInto("workspaces").values({ id: "ws_1", name: "one", created_at: 0 }).execute();
	store = createDeploymentStore(database);
});
afterEach(() => {
	vi.useRealTimers();
});

let links = 0;

/** Stores a link, and returns its token. */
async function addLink(parts: Partial<StoredSignInLink> = {}, ttlMs = INVITATION_TTL_MS): Promise<string> {
	links += 1;
	const { token, link } = createSignInLink({
		...{ id: `inv_${links}`, workspace_id: "ws_1", invited_by: OPERATOR, ttlMs },
		...{ kind: "invitation", email: "ada@example.com", role: "viewer", ...parts },
	});
	await store.signInLinks.insert(link, undefined, () => undefined);
	return token;
}
const redeem = (token: string, email?: string) =>
	signIn(
		{ ...store, ...confirmed },
		{ token, ...(email !== undefined && { email }) },
		{ requestId: "req_1", userAgent: undefined, replacedSecret: undefined },
	);
/** No issuer asks its people to come back. */
const confirmed = { isConfirmed: () => Promise.resolve(true), assertConfirmed: () => Promise.resolve() };
const open = () => createSessions(store, confirmed, (error) => errors.push(error));

describe("a session", () => {
	it("ends 12 hours after its last use", async () => {
		const { secret } = await redeem(await addLink());
		const sessions = open();
		for (let hours = 0; hours < 33; hours += 11) {
			vi.advanceTimersByTime(11 * 60 * MINUTE_MS);
			expect(await sessions.findCaller(secret)).toMatchObject({ kind: "user", role: "viewer" });
		}
		vi.advanceTimersByTime(SESSION_IDLE_MS);
		expect(await sessions.findCaller(secret)).toBeUndefined();
	});

	it("ends 30 days after the sign-in, however often it is used", async () => {
		const { secret, session } = await redeem(await addLink());
		const sessions = open();
		const end = Date.now() + MAX_SESSION_MS;
		while (Date.now() < end) {
			expect(await sessions.findCaller(secret)).toBeDefined();
			vi.advanceTimersByTime(8 * 60 * MINUTE_MS);
		}
		expect(await sessions.findCaller(secret)).toBeUndefined();
		await sessions.sweep();
		expect(await store.sessions.find("ws_1", session.id)).toBeUndefined();
	});

	it("stores its use now and then, and works where that cannot be stored", async () => {
		const { secret, session } = await redeem(await addLink());
		const lastUse = async () => (await store.sessions.find("ws_1", session.id))?.last_used_at;
		vi.advanceTimersByTime(4 * MINUTE_MS);
		await open().findCaller(secret);
		expect(await lastUse()).toBe(session.created_at);
		vi.advanceTimersByTime(4 * MINUTE_MS);
		const full = { ...store.sessions, touch: () => Promise.reject(new Error("The disk is full.")) };
		const sessions = createSessions({ ...store, sessions: full }, confirmed, (error) => errors.push(error));
		expect(await sessions.findCaller(secret)).toBeDefined();
		expect(errors).toHaveLength(1);
		await open().findCaller(secret);
		expect(await lastUse()).toBe(session.created_at + 8 * MINUTE_MS);
	});

	it("has the role of now, and none once its member is removed", async () => {
		const { secret, member } = await redeem(await addLink());
		const update = (role: Role, status: "active" | "removed") =>
			store.members.update("ws_1", member.id, () => ({
				...{ role, status },
				audit: { actor: OPERATOR, action: "member.updated", target: member.id },
			}));
		await update("editor", "active");
		expect(await open().findCaller(secret)).toMatchObject({ role: "editor", scopes: ROLE_SCOPES.editor });
		expect(await open().findMember("ws_1", member.id)).toMatchObject({ role: "editor" });
		await update("editor", "removed");
		expect(await open().findCaller(secret)).toBeUndefined();
		expect(await open().findMember("ws_1", member.id)).toBeUndefined();
	});
});

describe("a sign-in link", () => {
	it.each([
		["invitation", INVITATION_TTL_MS, 7 * 24 * 60],
		["login", LOGIN_LINK_TTL_MS, 15],
	] as const)("of kind %s is good for some time", async (kind, ttlMs, minutes) => {
		const [early, late] = [await addLink({ kind }, ttlMs), await addLink({ kind }, ttlMs)];
		vi.advanceTimersByTime((minutes - 1) * MINUTE_MS);
		expect(await redeem(early)).toBeDefined();
		vi.advanceTimersByTime(MINUTE_MS);
		await expect(redeem(late)).rejects.toMatchObject({ code: "sign_in_link_invalid" });
		await open().sweep();
		expect(await store.signInLinks.listInvitations("ws_1", { limit: 9, after: undefined }, 0)).toEqual([]);
	});

	it("leaves an active member's role, unless the operator raises it", async () => {
		const roleOf = async (parts: Partial<StoredSignInLink>) =>
			(await redeem(await addLink(parts))).member.role;
		expect(await roleOf({ role: "editor" })).toBe("editor");
		expect(await roleOf({ role: "admin" })).toBe("editor");
		expect(await roleOf({ role: "viewer", kind: "login" })).toBe("editor");
		expect(await roleOf({ role: "admin", kind: "login" })).toBe("admin");
	});

	it("of the operator without an address is for whoever has it", async () => {
		const login = { kind: "login", email: null, role: "admin" } as const;
		expect((await redeem(await addLink(login))).member.email).toBe("admin@localhost");
		expect((await redeem(await addLink(login), " Grace@Example.com")).member).toMatchObject({
			email: "grace@example.com",
			name: "grace",
			role: "admin",
		});
	});
});
