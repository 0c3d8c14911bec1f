import type { SignInLinkRepository } from "../../../people/people-repositories";
import type { Queries } from "../../database";
import type { DeploymentTables } from "../../deployment-tables";
import { recordDeploymentAudit } from "../audit-repository";
import { findMemberByEmail } from "./member-rows";
import { redeemLink } from "./redeem-link";

/** Columns of a link, without the hash of its token. */
export const LINK_COLUMNS = [
	"id",
	"workspace_id",
	"kind",
	"email",
	"role",
	"invited_by",
	"created_at",
	"expires_at",
	"reach",
] as const;

/** Sign-in links of the deployment, in its tables. */
export const createSignInLinkRepository = ({
	read,
	write,
}: Queries<DeploymentTables>): SignInLinkRepository => {
	const selectInvitations = (workspaceId: string) =>
		read
			.selectFrom("sign_in_links")
			.select(LINK_COLUMNS)
			.where("workspace_id", "=", workspaceId)
			.where("kind", "=", "invitation");
	return {
		insert: ({ tokenHash, ...link }, audit, check) =>
			write.transaction().execute(async (transaction) => {
				const { count } = await transaction
					.selectFrom("sign_in_links")
					.select(({ fn }) => fn.countAll<number>().as("count"))
					.where("workspace_id", "=", link.workspace_id)
					.where("kind", "=", "invitation")
					.where("expires_at", ">", link.created_at)
					.executeTakeFirstOrThrow();
				check({ invitations: count, member: await findMemberByEmail(transaction, link) });
				await transaction
					.insertInto("sign_in_links")
					.values({ ...link, token_hash: tokenHash })
					.execute();
				if (audit !== undefined) await recordDeploymentAudit(transaction, link.workspace_id, audit);
			}),
		findByToken: (tokenHash) =>
			read
				.selectFrom("sign_in_links")
				.select(LINK_COLUMNS)
				.where("token_hash", "=", tokenHash)
				.executeTakeFirst(),
		find: (workspaceId, id) => selectInvitations(workspaceId).where("id", "=", id).executeTakeFirst(),
		listInvitations: (workspaceId, { limit, after = "" }, now) =>
			selectInvitations(workspaceId)
				.where("id", ">", after)
				.where("expires_at", ">", now)
				.orderBy("id")
				.limit(limit + 1)
				.execute(),
		deleteInvitation: (workspaceId, id, decide) =>
			write.transaction().execute(async (transaction) => {
				const link = await transaction
					.selectFrom("sign_in_links")
					.select(LINK_COLUMNS)
					.where("workspace_id", "=", workspaceId)
					.where("kind", "=", "invitation")
					.where("id", "=", id)
					.executeTakeFirst();
				if (link === undefined) return false;
				const audit = decide(link);
				await transaction.deleteFrom("sign_in_links").where("id", "=", id).execute();
				await recordDeploymentAudit(transaction, workspaceId, audit);
				return true;
			}),
		redeem: (redemption, decide, toAudit) =>
			write.transaction().execute((transaction) => redeemLink(transaction, redemption, decide, toAudit)),
		async deleteExpired(now) {
			await write.deleteFrom("sign_in_links").where("expires_at", "<=", now).execute();
		},
	};
};
