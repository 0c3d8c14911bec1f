import type { Kysely } from "kysely";
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
}: Queries<DeploymentTables>): SignInLinkRepository => ({
	insert: ({ tokenHash, ...link }, audit, check) =>
		write.transaction().execute(async (transaction) => {
			const invitations = await countInvitations(transaction, link.workspace_id, link.created_at);
			check({ invitations, member: await findMemberByEmail(transaction, link) });
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
	find: (workspaceId, id) => selectInvitations(read, workspaceId).where("id", "=", id).executeTakeFirst(),
	listInvitations: (workspaceId, { limit, after = "" }, now) =>
		selectInvitations(read, workspaceId)
			.where("id", ">", after)
			.where("expires_at", ">", now)
			.orderBy("id")
			.limit(limit + 1)
			.execute(),
	deleteInvitation: (workspaceId, id, decide) =>
		write.transaction().execute(async (transaction) => {
			const link = await selectInvitations(transaction, workspaceId).where("id", "=", id).executeTakeFirst();
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
});

const selectInvitations = (queries: Kysely<DeploymentTables>, workspaceId: string) =>
	queries
		.selectFrom("sign_in_links")
		.select(LINK_COLUMNS)
		.where("workspace_id", "=", workspaceId)
		.where("kind", "=", "invitation");

/** Number of invitations to a workspace that are still valid. */
async function countInvitations(
	queries: Kysely<DeploymentTables>,
	workspaceId: string,
	now: number,
): Promise<number> {
	const { count } = await queries
		.selectFrom("sign_in_links")
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.where("workspace_id", "=", workspaceId)
		.where("kind", "=", "invitation")
		.where("expires_at", ">", now)
		.executeTakeFirstOrThrow();
	return count;
}
