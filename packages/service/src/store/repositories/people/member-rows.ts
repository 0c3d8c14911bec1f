import type { Kysely } from "kysely";
import type { StoredMember, StoredSignInLink } from "../../../people/stored-people";
import type { DeploymentTables } from "../../deployment-tables";

/** Selects members with their addresses. */
export const selectMembers = (queries: Kysely<DeploymentTables>) =>
	queries
		.selectFrom("members")
		.innerJoin("users", "users.id", "members.user_id")
		.select([
			"users.id",
			"users.email",
			"members.name",
			"members.status",
			"members.workspace_id",
			"members.role",
			"members.created_at",
		]);

export const findMember = (
	queries: Kysely<DeploymentTables>,
	workspaceId: string,
	userId: string,
): Promise<StoredMember | undefined> =>
	selectMembers(queries)
		.where("members.workspace_id", "=", workspaceId)
		.where("members.user_id", "=", userId)
		.executeTakeFirst();

/** Finds the member of an address; `undefined` for a link without one. */
export const findMemberByEmail = async (
	queries: Kysely<DeploymentTables>,
	{ workspace_id, email }: Pick<StoredSignInLink, "workspace_id" | "email">,
): Promise<StoredMember | undefined> =>
	email === null
		? undefined
		: selectMembers(queries)
				.where("members.workspace_id", "=", workspace_id)
				.where("users.email", "=", email)
				.executeTakeFirst();
