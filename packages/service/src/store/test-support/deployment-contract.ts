import type { ClientKey } from "@stemma/client";
import { beforeEach, describe, expect, it } from "vitest";
import type { AuditEntry } from "../../audit/audit-record";
import type { StoredClientKey } from "../../auth/client-keys/client-key-repository";
import type { StoredClient } from "../../auth/client-repository";
import type { DeploymentStore } from "../deployment-store";

const CREATED = "2026-01-31T12:00:00.123Z";
const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const page = { limit: 1, after: undefined };
const refuse = (): never => {
	throw new Error("No.");
};

const toEntry = (action: AuditEntry["action"], target: string): AuditEntry => ({
	actor: "cl_0",
	action,
	target,
});

const toClient = (id: string, parts: Partial<StoredClient> = {}): StoredClient => ({
	id,
	name: "server",
	scopes: ["ask", "keys:write"],
	created_at: CREATED,
	secretHash: hash(1),
	...parts,
});

const toKey = (id: string): StoredClientKey => ({
	id,
	name: "page",
	scopes: ["ask"],
	origins: ["https://app.example"],
	native: false,
	agents: null,
	knowledge_base_ids: ["kb_1"],
	requests_per_minute: 60,
	tokens_per_day: 1000,
	models: true,
	expose: "answer",
	created_at: CREATED,
	secretHash: hash(2),
});

const withoutSecret = <Stored extends { readonly secretHash: Uint8Array }>({
	secretHash: _,
	...rest
}: Stored) => rest;

const addWorkspace = (store: DeploymentStore, number: number, name = `workspace ${number}`): Promise<void> =>
	store.workspaces.insert({
		workspace: { id: `ws_${number}`, name, created_at: CREATED },
		client: toClient(`cl_${number}`),
		clientKey: toKey(`ck_${number}`),
		audits: [
			{ workspaceId: `ws_${number}`, entry: toEntry("workspace.created", `ws_${number}`) },
			...(number > 1 ? [{ workspaceId: "ws_1", entry: toEntry("workspace.created", `ws_${number}`) }] : []),
		],
	});

/** Contract that each store of a deployment keeps. @param open - an empty one. */
export function describeDeploymentStore(open: () => DeploymentStore): void {
	let store: DeploymentStore;
	/** Actions and targets of a workspace's audit log, newest first. */
	const listAudit = async (workspaceId = "ws_1") =>
		(await store.audit.list(workspaceId, { limit: 99, after: undefined })).map(
			({ action, target }) => `${action} ${target}`,
		);
	beforeEach(async () => {
		store = open();
		await addWorkspace(store, 1);
		await addWorkspace(store, 2);
	});

	describe("a repository of clients", () => {
		it("finds and lists the clients of one workspace alone, and credentials of all", async () => {
			await store.clients.insert("ws_1", toClient("cl_3"), toEntry("client.created", "cl_3"));
			expect(await store.clients.find("ws_1", "cl_3")).toEqual(withoutSecret(toClient("cl_3")));
			expect(await store.clients.find("ws_1", "cl_2")).toBeUndefined();
			const ids = async (after?: string) =>
				(await store.clients.list("ws_1", { limit: 1, after })).map(({ id }) => id);
			expect([await ids(), await ids("cl_1"), await ids("cl_3")]).toEqual([["cl_1", "cl_3"], ["cl_3"], []]);
			expect(await store.clients.findCredentials("cl_2")).toEqual({
				workspaceId: "ws_2",
				scopes: ["ask", "keys:write"],
				secretHash: hash(1),
			});
			expect(await store.clients.findCredentials("cl_9")).toBeUndefined();
			expect(await listAudit()).toContain("client.created cl_3");
		});

		it("deletes a client with its tokens, and tells who decides the scopes of the others", async () => {
			await store.clients.insert(
				"ws_1",
				toClient("cl_3", { scopes: ["ask"] }),
				toEntry("client.created", "cl_3"),
			);
			const token = { tokenHash: hash(7), clientId: "cl_3", scopes: ["ask"], expiresAt: 5 } as const;
			await store.accessTokens.insert(token, hash(1), 10);
			const decide = (client: object, others: readonly unknown[]): AuditEntry => {
				expect(client).toEqual(withoutSecret(toClient("cl_3", { scopes: ["ask"] })));
				expect(others).toEqual([["ask", "keys:write"]]);
				return toEntry("client.deleted", "cl_3");
			};
			expect(await store.clients.delete("ws_2", "cl_3", refuse)).toBe(false);
			expect(await store.clients.delete("ws_1", "cl_3", decide)).toBe(true);
			expect(await store.accessTokens.find(hash(7))).toBeUndefined();
			expect((await listAudit())[0]).toBe("client.deleted cl_3");
		});

		it("replaces a secret, which ends all tokens", async () => {
			const token = { tokenHash: hash(7), clientId: "cl_1", scopes: ["ask"], expiresAt: 5 } as const;
			await store.accessTokens.insert(token, hash(1), 10);
			const decide = () => toEntry("client.rotated", "cl_1");
			const rotated = await store.clients.replaceSecret("ws_1", "cl_1", hash(9), decide);
			expect(rotated).toEqual(withoutSecret(toClient("cl_1")));
			expect(await store.clients.findCredentials("cl_1")).toMatchObject({ secretHash: hash(9) });
			expect(await store.accessTokens.find(hash(7))).toBeUndefined();
			expect(await store.clients.replaceSecret("ws_1", "cl_2", hash(9), refuse)).toBeUndefined();
		});

		it("changes and records nothing where the change is refused", async () => {
			const before = await listAudit();
			await expect(store.clients.delete("ws_1", "cl_1", refuse)).rejects.toThrow("No.");
			await expect(store.clients.replaceSecret("ws_1", "cl_1", hash(9), refuse)).rejects.toThrow("No.");
			expect(await store.clients.findCredentials("cl_1")).toMatchObject({ secretHash: hash(1) });
			expect(await listAudit()).toEqual(before);
		});
	});

	describe("a repository of client keys", () => {
		it("gives back each field as it was stored, to its workspace alone", async () => {
			const key = {
				...toKey("ck_3"),
				agents: ["desk"],
				knowledge_base_ids: null,
				native: true,
				models: false,
			};
			await store.clientKeys.insert("ws_1", key, toEntry("client_key.created", "ck_3"));
			expect(await store.clientKeys.find("ws_1", "ck_3")).toEqual(withoutSecret(key));
			expect(await store.clientKeys.find("ws_2", "ck_3")).toBeUndefined();
			const listed = await store.clientKeys.list("ws_1", page);
			expect(listed).toEqual([withoutSecret(toKey("ck_1")), withoutSecret(key)]);
			expect(await store.clientKeys.list("ws_1", { limit: 1, after: "ck_1" })).toHaveLength(1);
			expect(await store.clientKeys.findCredentials("ck_2")).toEqual({
				key: withoutSecret(toKey("ck_2")),
				workspaceId: "ws_2",
				secretHash: hash(2),
			});
			expect((await listAudit())[0]).toBe("client_key.created ck_3");
		});

		it("deletes a key where that is allowed, and records it", async () => {
			const decide = (key: ClientKey) => toEntry("client_key.deleted", key.id);
			expect(await store.clientKeys.delete("ws_1", "ck_2", refuse)).toBe(false);
			await expect(store.clientKeys.delete("ws_1", "ck_1", refuse)).rejects.toThrow("No.");
			expect(await store.clientKeys.find("ws_1", "ck_1")).toBeDefined();
			expect(await store.clientKeys.delete("ws_1", "ck_1", decide)).toBe(true);
			expect(await store.clientKeys.findCredentials("ck_1")).toBeUndefined();
			expect((await listAudit())[0]).toBe("client_key.deleted ck_1");
		});
	});

	describe("a repository of access tokens", () => {
		const insert = (byte: number, expiresAt: number, secretHash = hash(1), maxTokens = 10) =>
			store.accessTokens.insert(
				{ tokenHash: hash(byte), clientId: "cl_1", scopes: ["ask"], expiresAt },
				secretHash,
				maxTokens,
			);
		const findAll = async (...bytes: readonly number[]) =>
			Promise.all(bytes.map(async (byte) => (await store.accessTokens.find(hash(byte))) !== undefined));

		it("adds a token for the secret that the client has now, and for no other", async () => {
			expect([await insert(3, 100), await insert(4, 100, hash(8))]).toEqual([true, false]);
			const found = { clientId: "cl_1", workspaceId: "ws_1", scopes: ["ask"], expiresAt: 100 };
			expect(await store.accessTokens.find(hash(3))).toEqual(found);
			expect(await store.accessTokens.find(hash(4))).toBeUndefined();
		});

		it("makes room by those that end first", async () => {
			await insert(3, 300);
			await insert(4, 100);
			await insert(5, 200, hash(1), 2);
			expect(await findAll(3, 4, 5)).toEqual([true, false, true]);
			expect(await store.accessTokens.findLastExpiry()).toBe(300);
		});

		it("deletes those that have expired, or all", async () => {
			expect(await store.accessTokens.findLastExpiry()).toBeUndefined();
			await insert(3, 100);
			await insert(4, 101);
			await store.accessTokens.deleteExpired(100);
			expect(await findAll(3, 4)).toEqual([false, true]);
			await store.accessTokens.deleteAll();
			expect(await findAll(4)).toEqual([false]);
		});
	});

	describe("a repository of token budgets", () => {
		it("has the tokens of each key and day, as long as there is the key", async () => {
			const { tokenBudgets } = store;
			const budget = { clientKeyId: "ck_1", day: "2026-01-31", tokens: 5 };
			expect(await tokenBudgets.readTokens("ck_1", "2026-01-31")).toBe(0);
			for (const tokens of [5, 7]) await tokenBudgets.replace({ ...budget, tokens });
			await tokenBudgets.replace({ ...budget, day: "2026-02-01", tokens: 1 });
			await tokenBudgets.replace({ ...budget, clientKeyId: "ck_9" });
			expect(await tokenBudgets.readTokens("ck_1", "2026-01-31")).toBe(7);
			expect(await tokenBudgets.readTokens("ck_9", "2026-01-31")).toBe(0);
		});
	});

	describe("a repository of workspaces", () => {
		const find = (number: number) => store.workspaces.find(`ws_${number}`);
		const ids = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);

		it("finds and lists workspaces, the oldest first, with their first credentials", async () => {
			expect(await find(1)).toEqual({ id: "ws_1", name: "workspace 1", created_at: CREATED });
			expect(ids(await store.workspaces.list(page))).toEqual(["ws_1", "ws_2"]);
			expect(ids(await store.workspaces.list({ limit: 1, after: "ws_1" }))).toEqual(["ws_2"]);
			expect(ids(await store.workspaces.listAll())).toEqual(["ws_1", "ws_2"]);
			expect(await store.clients.find("ws_2", "cl_2")).toBeDefined();
			expect(await store.clientKeys.find("ws_2", "ck_2")).toBeDefined();
			expect(await listAudit()).toEqual(["workspace.created ws_2", "workspace.created ws_1"]);
		});

		it("tells whether a name is taken, and adds nothing that is refused", async () => {
			expect(await store.workspaces.isNameTaken("workspace 1")).toBe(true);
			expect(await store.workspaces.isNameTaken("workspace 3")).toBe(false);
			const added = store.workspaces.insert(
				{
					workspace: { id: "ws_3", name: "workspace 1", created_at: CREATED },
					client: toClient("cl_3"),
					clientKey: toKey("ck_3"),
					audits: [],
				},
				(isNameTaken) => (isNameTaken ? refuse() : undefined),
			);
			await expect(added).rejects.toThrow("No.");
			expect([await find(3), await store.clients.findCredentials("cl_3")]).toEqual([undefined, undefined]);
		});

		it("renames a workspace, and tells who decides its old name and whether another has the new one", async () => {
			const audits = [{ workspaceId: "ws_2", entry: toEntry("workspace.renamed", "ws_2") }];
			const seen: unknown[] = [];
			const rename = (id: string, name: string) =>
				store.workspaces.rename(id, name, (workspace, isNameTaken) => {
					seen.push([workspace.name, isNameTaken]);
					return isNameTaken ? refuse() : audits;
				});
			await expect(rename("ws_2", "workspace 1")).rejects.toThrow("No.");
			expect(await rename("ws_2", "workspace 2")).toMatchObject({ name: "workspace 2" });
			expect(await rename("ws_2", "second")).toEqual({ id: "ws_2", name: "second", created_at: CREATED });
			expect(await rename("ws_9", "none")).toBeUndefined();
			expect(seen).toEqual([
				["workspace 2", true],
				["workspace 2", false],
				["workspace 2", false],
			]);
			expect((await listAudit("ws_2"))[0]).toBe("workspace.renamed ws_2");
		});

		it("marks a workspace as deleted, whose credentials end, and whose deeds stay known", async () => {
			await addWorkspace(store, 3);
			await store.workspaces.insert({
				workspace: { id: "ws_4", name: "fourth", created_at: CREATED },
				client: toClient("cl_4"),
				clientKey: toKey("ck_4"),
				audits: [{ workspaceId: "ws_3", entry: toEntry("workspace.created", "ws_4") }],
			});
			const deleted = { id: "ws_3", deletedAt: 1, recorderId: "ws_1" };
			const decide = () => toEntry("workspace.deleted", "ws_3");
			expect(await store.workspaces.markDeleted(deleted, decide)).toBe(true);
			expect(await store.workspaces.markDeleted(deleted, refuse)).toBe(false);
			expect([await find(3), await store.workspaces.listDeleted()]).toEqual([undefined, ["ws_3"]]);
			expect(ids(await store.workspaces.listAll())).not.toContain("ws_3");
			expect(await store.workspaces.isNameTaken("workspace 3")).toBe(false);
			expect(await store.clients.findCredentials("cl_3")).toBeUndefined();
			expect(await store.clientKeys.findCredentials("ck_3")).toBeUndefined();
			expect((await listAudit()).slice(0, 2)).toEqual(["workspace.deleted ws_3", "workspace.created ws_4"]);
			await store.workspaces.purge("ws_3");
			expect(await store.workspaces.listDeleted()).toEqual([]);
		});

		it("deletes none whose recorder is not left, and purges none that lives", async () => {
			const deleted = { id: "ws_1", deletedAt: 1, recorderId: "ws_1" };
			const marked = store.workspaces.markDeleted(deleted, (_, isRecorderLeft) =>
				isRecorderLeft ? toEntry("workspace.deleted", "ws_1") : refuse(),
			);
			await expect(marked).rejects.toThrow("No.");
			await store.workspaces.purge("ws_1");
			expect(await find(1)).toBeDefined();
			expect(await store.clients.findCredentials("cl_1")).toBeDefined();
		});
	});

	describe("a store of a deployment", () => {
		it("lists the encryption keys of the last start, in their order", async () => {
			const { encryptionKeys } = store;
			expect(await encryptionKeys.list()).toEqual([]);
			const [one, two] = ["one", "two"].map((id) => ({ id, keyCheck: `check of ${id}` }));
			for (const keys of [[one, two], [two, one], [two], []].map((list) =>
				list.flatMap((key) => key ?? []),
			)) {
				await encryptionKeys.replaceAll(keys);
				expect(await encryptionKeys.list()).toEqual(keys);
			}
		});

		it("makes a secret once", async () => {
			const secret = await store.getOrCreateSecret("one");
			expect(secret).toHaveLength(32);
			expect(await store.getOrCreateSecret("one")).toEqual(secret);
			expect(await store.getOrCreateSecret("two")).not.toEqual(secret);
		});

		it("lets a token be used once, and forgets it once it has expired", async () => {
			const { usedTokens } = store;
			expect(await usedTokens.isUsed("a")).toBe(false);
			const uses = await Promise.all([
				usedTokens.use("a", 10),
				usedTokens.use("a", 10),
				usedTokens.use("b", 20),
			]);
			expect(uses.filter((isFirst) => isFirst)).toHaveLength(2);
			expect(await usedTokens.isUsed("a")).toBe(true);
			await usedTokens.deleteExpired(10);
			expect(await Promise.all([usedTokens.isUsed("a"), usedTokens.isUsed("b")])).toEqual([false, true]);
		});

		it("lists the newest ids, and deletes records of before a time", async () => {
			const newest = await store.listNewestIds();
			expect([...newest].sort()).toEqual([expect.stringMatching(/^aud_/), "ck_2", "cl_2", "ws_2"]);
			await store.audit.deleteBefore(1);
			expect(await listAudit()).toHaveLength(2);
			await store.audit.deleteBefore(Number.MAX_SAFE_INTEGER);
			expect(await listAudit()).toEqual([]);
		});
	});
}
