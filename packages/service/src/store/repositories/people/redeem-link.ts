import type { Kysely } from "kysely";
import type { AuditEntry } from "../../../audit/audit-record";
import type { DecideRedemption, LinkRedemption } from "../../../people/people-repositories";
import type { SessionMember, StoredMember } from "../../../people/stored-people";
import type { DeploymentTables } from "../../deployment-tables";
import { recordDeploymentAudit } from "../audit-repository";
import { insertSession } from "./insert-session";
import { countActiveMembers } from "./member-counts";
import { findMember } from "./member-rows";
import { replaceMember } from "./replace-member";

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
	const { name, session: created } = redemption;
	const createdAt = created.created_at;
	await replaceMember(transaction, { workspaceId: workspace_id, userId, role, name, createdAt });
	const signedIn = await findMember(transaction, workspace_id, userId);
	if (signedIn === undefined) throw new Error("A member was stored and is gone.");
	const invitedBy = link.invited_by === userId ? undefined : link.invited_by;
	const session = await insertSession(transaction, signedIn, { ...redemption, invitedBy });
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
