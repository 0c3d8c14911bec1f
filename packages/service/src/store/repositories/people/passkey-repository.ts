import type { Kysely, Transaction } from "kysely";
import type { PageRequest } from "../../../pagination";
import type { PasskeyOwner, PasskeyRepository } from "../../../people/passkeys/passkey-repository";
import type { StoredPasskey } from "../../../people/passkeys/stored-passkey";
import type { Queries } from "../../database";
import type { DeploymentTables } from "../../deployment-tables";
import { recordDeploymentAudit } from "../audit-repository";
import { insertSession } from "./insert-session";
import { findMember } from "./member-rows";

/** Passkeys of the deployment, in its tables. */
export const createPasskeyRepository = ({ read, write }: Queries<DeploymentTables>): PasskeyRepository => ({
	insert: (passkey, audit, check) =>
		write.transaction().execute(async (transaction) => {
			const member = await findMember(transaction, passkey.workspace_id, passkey.user_id);
			if (member?.status !== "active") return false;
			check(await countPasskeys(transaction, passkey));
			if (!(await insertPasskey(transaction, passkey))) return false;
			await recordDeploymentAudit(transaction, passkey.workspace_id, audit);
			return true;
		}),
	list: (owner, page) => selectPage(read, owner, page).execute(),
	find: (workspaceId, id) =>
		read
			.selectFrom("passkeys")
			.selectAll()
			.where("workspace_id", "=", workspaceId)
			.where("id", "=", id)
			.executeTakeFirst(),
	findByCredential: (credentialId) => findByCredential(read, credentialId),
	rename: ({ workspace_id, user_id }, id, name, audit) =>
		write.transaction().execute(async (transaction) => {
			const renamed = await transaction
				.updateTable("passkeys")
				.set({ name })
				.where("id", "=", id)
				.where("workspace_id", "=", workspace_id)
				.where("user_id", "=", user_id)
				.returningAll()
				.executeTakeFirst();
			if (renamed !== undefined) await recordDeploymentAudit(transaction, workspace_id, audit);
			return renamed;
		}),
	delete: ({ workspace_id, user_id }, id, audit) =>
		write.transaction().execute(async (transaction) => {
			const { numDeletedRows } = await transaction
				.deleteFrom("passkeys")
				.where("id", "=", id)
				.where("workspace_id", "=", workspace_id)
				.where("user_id", "=", user_id)
				.executeTakeFirst();
			if (numDeletedRows === 0n) return false;
			await recordDeploymentAudit(transaction, workspace_id, audit);
			return true;
		}),
	signIn: (id, use, toAudit) =>
		write.transaction().execute((transaction) => signIn(transaction, id, use, toAudit)),
});

/** Uses a passkey of an active member: stores its counter, a session, and the record of the sign-in. */
async function signIn(
	transaction: Transaction<DeploymentTables>,
	...[id, { previousCounter, counter, usedAt, ...insert }, toAudit]: Parameters<PasskeyRepository["signIn"]>
): ReturnType<PasskeyRepository["signIn"]> {
	const passkey = await transaction
		.updateTable("passkeys")
		.set({ counter, last_used_at: usedAt })
		.where("id", "=", id)
		.where("counter", "=", previousCounter)
		.returningAll()
		.executeTakeFirst();
	if (passkey === undefined) return undefined;
	const member = await findMember(transaction, passkey.workspace_id, passkey.user_id);
	if (member?.status !== "active") return undefined;
	const session = await insertSession(transaction, member, insert);
	await recordDeploymentAudit(transaction, member.workspace_id, toAudit(member));
	return { session, member };
}

/** Finds the passkey of an active member. */
async function findByCredential(
	read: Kysely<DeploymentTables>,
	credentialId: string,
): ReturnType<PasskeyRepository["findByCredential"]> {
	const passkey = await read
		.selectFrom("passkeys")
		.selectAll()
		.where("credential_id", "=", credentialId)
		.executeTakeFirst();
	if (passkey === undefined) return undefined;
	const member = await findMember(read, passkey.workspace_id, passkey.user_id);
	return member?.status === "active" ? { passkey, member } : undefined;
}

const selectPage = (
	read: Kysely<DeploymentTables>,
	{ workspace_id, user_id }: PasskeyOwner,
	{ limit, after }: PageRequest,
) =>
	read
		.selectFrom("passkeys")
		.selectAll()
		.where("workspace_id", "=", workspace_id)
		.where("user_id", "=", user_id)
		.$if(after !== undefined, (query) => query.where("id", "<", after ?? ""))
		.orderBy("id", "desc")
		.limit(limit + 1);

/** Inserts a passkey; returns whether its credential was new. */
async function insertPasskey(
	transaction: Kysely<DeploymentTables>,
	passkey: StoredPasskey,
): Promise<boolean> {
	const { numInsertedOrUpdatedRows } = await transaction
		.insertInto("passkeys")
		.values(passkey)
		.onConflict((conflict) => conflict.column("credential_id").doNothing())
		.executeTakeFirstOrThrow();
	return numInsertedOrUpdatedRows !== 0n;
}

async function countPasskeys(
	transaction: Kysely<DeploymentTables>,
	{ workspace_id, user_id }: PasskeyOwner,
): Promise<number> {
	const { count } = await transaction
		.selectFrom("passkeys")
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.where("workspace_id", "=", workspace_id)
		.where("user_id", "=", user_id)
		.executeTakeFirstOrThrow();
	return count;
}
