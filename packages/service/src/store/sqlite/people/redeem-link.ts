import type { Role } from "@stemma/client";
import type { Kysely } from "kysely";
import type { AuditEntry } from "../../../audit/audit-record";
import type { DecideRedemption, LinkRedemption } from "../../../people/people-repositories";
import type { SessionMember, StoredMember, StoredSession } from "../../../people/stored-people";
import type { DeploymentTables } from "../../deployment-tables";
import { recordDeploymentAudit } from "../audit-repository";
import { findMember } from "./member-rows";

type Transaction = Kysely<DeploymentTables>;

/** Redeems a link, in the transaction that makes it useless. `undefined` where it is gone. */
export async function redeemLink(
	transaction: Transaction,
	redemption: LinkRedemption,
	decide: DecideRedemption,
	toAudit: (member: StoredMember) => AuditEntry,
): Promise<SessionMember | undefined> {
	const deleted = await transaction
		.deleteFrom("sign_in_links")
		.where("token_hash", "=", redemption.tokenHash)
		.returningAll()
		.executeTakeFirst();
	if (deleted === undefined) return undefined;
	const { token_hash: _, ...link } = deleted;
	const { workspace_id } = link;
	const userId = await findOrAddUser(transaction, redemption);
	const member = await findMember(transaction, workspace_id, userId);
	const activeMembers = await countActiveMembers(transaction, workspace_id);
	const role = decide({ link, member, activeMembers });
	await replaceMember(transaction, { workspaceId: workspace_id, userId, role }, redemption);
	const signedIn = await findMember(transaction, workspace_id, userId);
	if (signedIn === undefined) throw new Error("A member was stored and is gone.");
	const session = await insertSession(transaction, signedIn, redemption);
	await recordDeploymentAudit(transaction, workspace_id, toAudit(signedIn));
	return { session, member: signedIn };
}

async function findOrAddUser(
	transaction: Transaction,
	{ email, newUserId, session }: LinkRedemption,
): Promise<string> {
	await transaction
		.insertInto("users")
		.values({ id: newUserId, email, created_at: session.created_at })
		.onConflict((conflict) => conflict.doNothing())
		.execute();
	const { id } = await transaction
		.selectFrom("users")
		.select("id")
		.where("email", "=", email)
		.executeTakeFirstOrThrow();
	return id;
}

async function countActiveMembers(transaction: Transaction, workspaceId: string): Promise<number> {
	const { count } = await transaction
		.selectFrom("members")
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.where("workspace_id", "=", workspaceId)
		.where("status", "=", "active")
		.executeTakeFirstOrThrow();
	return count;
}

/** Adds a member, or makes one who was there active. A name that is there stays. */
async function replaceMember(
	transaction: Transaction,
	{ workspaceId, userId, role }: { workspaceId: string; userId: string; role: Role },
	{ name, session }: LinkRedemption,
): Promise<void> {
	const ids = { workspace_id: workspaceId, user_id: userId };
	await transaction
		.insertInto("members")
		.values({ ...ids, name, role, status: "active", created_at: session.created_at })
		.onConflict((conflict) =>
			conflict.columns(["workspace_id", "user_id"]).doUpdateSet({ role, status: "active" }),
		)
		.execute();
}

/** Inserts the session, without the one that it replaces and those that are too many. */
async function insertSession(
	transaction: Transaction,
	{ id: user_id, workspace_id }: StoredMember,
	{ session: { tokenHash, ...session }, replacedTokenHash, maxSessions }: LinkRedemption,
): Promise<StoredSession> {
	if (replacedTokenHash !== undefined)
		await transaction.deleteFrom("sessions").where("token_hash", "=", replacedTokenHash).execute();
	const stored = { ...session, user_id, workspace_id };
	await transaction
		.insertInto("sessions")
		.values({ ...stored, token_hash: tokenHash })
		.execute();
	await transaction
		.deleteFrom("sessions")
		.where("id", "in", (query) =>
			query
				.selectFrom("sessions")
				.select("id")
				.where("workspace_id", "=", workspace_id)
				.where("user_id", "=", user_id)
				.orderBy("id", "desc")
				.limit(-1)
				.offset(maxSessions),
		)
		.execute();
	return stored;
}
