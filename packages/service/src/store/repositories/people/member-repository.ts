import type { Kysely } from "kysely";
import type { MemberChange, MemberRepository } from "../../../people/people-repositories";
import type { StoredMember } from "../../../people/stored-people";
import type { Queries } from "../../database";
import type { DeploymentTables } from "../../deployment-tables";
import { recordDeploymentAudit } from "../audit-repository";
import { countOtherAdmins } from "./member-counts";
import { findMember, selectMembers } from "./member-rows";
import { replaceMember } from "./replace-member";

/** Members of the deployment, in its tables. */
export const createMemberRepository = ({ read, write }: Queries<DeploymentTables>): MemberRepository => ({
	find: (workspaceId, userId) => findMember(read, workspaceId, userId),
	listOfUser: (userId) =>
		selectMembers(read)
			.where("members.user_id", "=", userId)
			.where("members.status", "=", "active")
			.orderBy("members.workspace_id")
			.execute(),
	insert: ({ id: userId, workspace_id: workspaceId, ...member }, audit) =>
		write.transaction().execute(async (transaction) => {
			await replaceMember(transaction, { userId, workspaceId, ...member });
			await recordDeploymentAudit(transaction, workspaceId, audit);
		}),
	list: (workspaceId, { limit, after = "", status }) =>
		selectMembers(read)
			.where("members.workspace_id", "=", workspaceId)
			.where("members.user_id", ">", after)
			.where("members.status", "=", status)
			.orderBy("members.user_id")
			.limit(limit + 1)
			.execute(),
	update: (workspaceId, userId, decide) =>
		write.transaction().execute(async (transaction) => {
			const member = await findMember(transaction, workspaceId, userId);
			if (member?.status !== "active") return undefined;
			const change = decide(member, await countOtherAdmins(transaction, workspaceId, userId));
			await updateMember(transaction, member, change);
			await recordDeploymentAudit(transaction, workspaceId, change.audit);
			return { ...member, role: change.role, status: change.status };
		}),
	erase: (workspaceId, userId, audit) =>
		write.transaction().execute(async (transaction) => {
			const { numDeletedRows } = await transaction
				.deleteFrom("members")
				.where("workspace_id", "=", workspaceId)
				.where("user_id", "=", userId)
				.where("status", "=", "removed")
				.executeTakeFirst();
			if (numDeletedRows === 0n) return;
			await transaction
				.deleteFrom("users")
				.where("id", "=", userId)
				.where("id", "not in", (members) => members.selectFrom("members").select("user_id"))
				.execute();
			await recordDeploymentAudit(transaction, workspaceId, audit);
		}),
});

async function updateMember(
	transaction: Kysely<DeploymentTables>,
	{ id, email, workspace_id }: StoredMember,
	{ role, status }: MemberChange,
): Promise<void> {
	await transaction
		.updateTable("members")
		.set({ role, status })
		.where("workspace_id", "=", workspace_id)
		.where("user_id", "=", id)
		.execute();
	const links = transaction.deleteFrom("sign_in_links").where("workspace_id", "=", workspace_id);
	if (role !== "admin" || status === "removed") await links.where("invited_by", "=", id).execute();
	if (status === "active") return;
	await links.where("email", "=", email).execute();
	for (const table of ["sessions", "passkeys", "authorizations"] as const)
		await transaction
			.deleteFrom(table)
			.where("workspace_id", "=", workspace_id)
			.where("user_id", "=", id)
			.execute();
	await transaction
		.deleteFrom("run_shares")
		.where("workspace_id", "=", workspace_id)
		.where("created_by", "=", id)
		.execute();
}
