import type { Kysely } from "kysely";
import type { SessionInsert } from "../../../people/people-repositories";
import type { StoredMember, StoredSession } from "../../../people/stored-people";
import type { DeploymentTables } from "../../deployment-tables";
import { NO_LIMIT } from "../no-limit";

/** Inserts a session of a member, without the one that it replaces and those that are too many. */
export async function insertSession(
	transaction: Kysely<DeploymentTables>,
	{ id: user_id, workspace_id }: StoredMember,
	{ session: { tokenHash, ...session }, invitedBy, replacedTokenHash, maxSessions }: SessionInsert,
): Promise<StoredSession> {
	if (replacedTokenHash !== undefined)
		await transaction.deleteFrom("sessions").where("token_hash", "=", replacedTokenHash).execute();
	const stored = { ...session, invited_by: invitedBy ?? null, user_id, workspace_id };
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
				.limit(NO_LIMIT)
				.offset(maxSessions),
		)
		.execute();
	return stored;
}
