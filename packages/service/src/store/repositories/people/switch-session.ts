import type { Kysely } from "kysely";
import type { SessionInsert, SessionSwitch } from "../../../people/people-repositories";
import type { SessionMember, StoredSession } from "../../../people/stored-people";
import type { DeploymentTables } from "../../deployment-tables";
import { recordDeploymentAudit } from "../audit-repository";
import { insertSession } from "./insert-session";
import { findMember } from "./member-rows";

/** Replaces a session by one of the same person in another workspace, with the issuer that began it. */
export async function switchSession(
	transaction: Kysely<DeploymentTables>,
	{ id, user_id, workspace_id }: StoredSession,
	insert: SessionInsert,
	{ workspaceId, toAudits }: SessionSwitch,
): Promise<SessionMember | undefined> {
	const member = await findMember(transaction, workspaceId, user_id);
	if (member?.status !== "active") return undefined;
	const identity = await transaction
		.selectFrom("session_identities")
		.selectAll()
		.where("session_id", "=", id)
		.executeTakeFirst();
	const { numDeletedRows } = await transaction.deleteFrom("sessions").where("id", "=", id).executeTakeFirst();
	if (numDeletedRows === 0n) return undefined;
	const session = await insertSession(transaction, member, insert);
	if (identity !== undefined)
		await transaction
			.insertInto("session_identities")
			.values({ ...identity, session_id: session.id })
			.execute();
	const { ended, signedIn } = toAudits(member);
	await recordDeploymentAudit(transaction, workspace_id, ended);
	await recordDeploymentAudit(transaction, workspaceId, signedIn);
	return { session, member };
}
