import type { Role } from "@stemma/client";
import type { Kysely } from "kysely";
import type { DeploymentTables } from "../../deployment-tables";

/** Member to be stored. */
export interface MemberInsert {
	readonly workspaceId: string;
	readonly userId: string;
	readonly role: Role;
	/** Name of a new member. */
	readonly name: string;
	readonly createdAt: number;
}

/** Adds a member, or makes one who was there active. A name that is there stays. */
export async function replaceMember(
	transaction: Kysely<DeploymentTables>,
	{ workspaceId, userId, role, name, createdAt }: MemberInsert,
): Promise<void> {
	const ids = { workspace_id: workspaceId, user_id: userId };
	await transaction
		.insertInto("members")
		.values({ ...ids, name, role, status: "active", created_at: createdAt })
		.onConflict((conflict) =>
			conflict.columns(["workspace_id", "user_id"]).doUpdateSet({ role, status: "active" }),
		)
		.execute();
}
