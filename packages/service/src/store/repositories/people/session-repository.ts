import type { Kysely } from "kysely";
import type { SessionRepository } from "../../../people/people-repositories";
import type { Queries } from "../../database";
import type { DeploymentTables } from "../../deployment-tables";
import { recordDeploymentAudit } from "../audit-repository";
import { findMember } from "./member-rows";
import { switchSession } from "./switch-session";

/** Columns of a session, without the hash of its secret. */
export const SESSION_COLUMNS = [
	"id",
	"user_id",
	"workspace_id",
	"user_agent",
	"invited_by",
	"created_at",
	"last_used_at",
	"reach",
] as const;

/** Sessions of the deployment, in its tables. */
export const createSessionRepository = ({ read, write }: Queries<DeploymentTables>): SessionRepository => ({
	findByToken: (tokenHash) => findByToken(read, tokenHash),
	find: (workspaceId, id) =>
		read
			.selectFrom("sessions")
			.select(SESSION_COLUMNS)
			.where("id", "=", id)
			.where("workspace_id", "=", workspaceId)
			.executeTakeFirst(),
	listByIds: (ids) => read.selectFrom("sessions").select(SESSION_COLUMNS).where("id", "in", ids).execute(),
	list: (workspaceId, userId, { limit, after }) =>
		read
			.selectFrom("sessions")
			.select(SESSION_COLUMNS)
			.where("workspace_id", "=", workspaceId)
			.where("user_id", "=", userId)
			.$if(after !== undefined, (query) => query.where("id", "<", after ?? ""))
			.orderBy("id", "desc")
			.limit(limit + 1)
			.execute(),
	async touch(id, now) {
		await write.updateTable("sessions").set({ last_used_at: now }).where("id", "=", id).execute();
	},
	delete: (workspaceId, id, audit) =>
		write.transaction().execute(async (transaction) => {
			const { numDeletedRows } = await transaction
				.deleteFrom("sessions")
				.where("id", "=", id)
				.where("workspace_id", "=", workspaceId)
				.executeTakeFirst();
			if (numDeletedRows === 0n) return false;
			await recordDeploymentAudit(transaction, workspaceId, audit);
			return true;
		}),
	deleteAll: (workspaceId, userId, audit) =>
		write.transaction().execute(async (transaction) => {
			await transaction
				.deleteFrom("sessions")
				.where("workspace_id", "=", workspaceId)
				.where("user_id", "=", userId)
				.execute();
			await recordDeploymentAudit(transaction, workspaceId, audit);
		}),
	switch: (session, insert, toAudits) =>
		write.transaction().execute((transaction) => switchSession(transaction, session, insert, toAudits)),
	async deleteExpired(createdBefore, usedBefore) {
		await write
			.deleteFrom("sessions")
			.where(({ eb, or }) =>
				or([eb("created_at", "<=", createdBefore), eb("last_used_at", "<=", usedBefore)]),
			)
			.execute();
	},
});

/** Finds the session of an active member. */
async function findByToken(
	read: Kysely<DeploymentTables>,
	tokenHash: Parameters<SessionRepository["findByToken"]>[0],
): ReturnType<SessionRepository["findByToken"]> {
	const session = await read
		.selectFrom("sessions")
		.select(SESSION_COLUMNS)
		.where("token_hash", "=", tokenHash)
		.executeTakeFirst();
	if (session === undefined) return undefined;
	const member = await findMember(read, session.workspace_id, session.user_id);
	return member?.status === "active" ? { session, member } : undefined;
}
