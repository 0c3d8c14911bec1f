import type { Kysely } from "kysely";
import type { DeploymentTables } from "../../deployment-tables";

/** Counts the active members of a workspace. */
export async function countActiveMembers(
	transaction: Kysely<DeploymentTables>,
	workspaceId: string,
): Promise<number> {
	const { count } = await transaction
		.selectFrom("members")
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.where("workspace_id", "=", workspaceId)
		.where("status", "=", "active")
		.executeTakeFirstOrThrow();
	return count;
}

/** Counts the active admins of a workspace besides one user. */
export async function countOtherAdmins(
	transaction: Kysely<DeploymentTables>,
	workspaceId: string,
	userId: string,
): Promise<number> {
	const { count } = await transaction
		.selectFrom("members")
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.where("workspace_id", "=", workspaceId)
		.where("user_id", "!=", userId)
		.where("role", "=", "admin")
		.where("status", "=", "active")
		.executeTakeFirstOrThrow();
	return count;
}
