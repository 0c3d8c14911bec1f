import type { Kysely } from "kysely";
import type { RunShareRepository, StoredRunShare } from "../../../run-shares/run-share-repository";
import type { Queries } from "../../database";
import type { DeploymentTables } from "../../deployment-tables";
import { parseColumn } from "../../json-column";
import type { RunShareRow } from "../../sqlite/run-shares/run-share-tables";
import { recordDeploymentAudit } from "../audit-repository";

/** Columns of a link, without the hash of its token. */
const COLUMNS = [
	"id",
	"workspace_id",
	"run_id",
	"fields",
	"created_by",
	"created_at",
	"expires_at",
	"views",
] as const;

/** Links to runs of the deployment, in its tables. */
export const createRunShareRepository = ({ read, write }: Queries<DeploymentTables>): RunShareRepository => ({
	insert: ({ tokenHash, fields, ...share }, audit, check) =>
		write.transaction().execute(async (transaction) => {
			check(await countShares(transaction, share));
			await transaction
				.insertInto("run_shares")
				.values({ ...share, fields: JSON.stringify(fields), token_hash: tokenHash })
				.execute();
			await recordDeploymentAudit(transaction, share.workspace_id, audit);
		}),
	async find(workspaceId, id) {
		const row = await read
			.selectFrom("run_shares")
			.select(COLUMNS)
			.where("workspace_id", "=", workspaceId)
			.where("id", "=", id)
			.executeTakeFirst();
		return row && toStoredShare(row);
	},
	async findByToken(tokenHash) {
		const row = await read
			.selectFrom("run_shares")
			.select(COLUMNS)
			.where("token_hash", "=", tokenHash)
			.executeTakeFirst();
		return row && toStoredShare(row);
	},
	list: (workspaceId, filter) => listShares(read, workspaceId, filter),
	delete: (workspaceId, id, audit) =>
		write.transaction().execute(async (transaction) => {
			const { numDeletedRows } = await transaction
				.deleteFrom("run_shares")
				.where("workspace_id", "=", workspaceId)
				.where("id", "=", id)
				.executeTakeFirst();
			if (numDeletedRows === 0n) return false;
			await recordDeploymentAudit(transaction, workspaceId, audit);
			return true;
		}),
	async countView(id) {
		await write
			.updateTable("run_shares")
			.set(({ eb }) => ({ views: eb("views", "+", 1) }))
			.where("id", "=", id)
			.execute();
	},
	async deleteOfRuns(workspaceId, runIds) {
		await write
			.deleteFrom("run_shares")
			.where("workspace_id", "=", workspaceId)
			.where("run_id", "in", runIds)
			.execute();
	},
	async deleteExpired(now) {
		await write.deleteFrom("run_shares").where("expires_at", "<=", now).execute();
	},
});

/** Lists the links that are valid, newest first. */
async function listShares(
	read: Kysely<DeploymentTables>,
	workspaceId: string,
	{ limit, after, runId, createdBy, now }: Parameters<RunShareRepository["list"]>[1],
): Promise<StoredRunShare[]> {
	const rows = await read
		.selectFrom("run_shares")
		.select(COLUMNS)
		.where("workspace_id", "=", workspaceId)
		.where("expires_at", ">", now)
		.$if(runId !== undefined, (query) => query.where("run_id", "=", runId ?? ""))
		.$if(createdBy !== undefined, (query) => query.where("created_by", "=", createdBy ?? ""))
		.$if(after !== undefined, (query) => query.where("id", "<", after ?? ""))
		.orderBy("id", "desc")
		.limit(limit + 1)
		.execute();
	return rows.map(toStoredShare);
}

/** Counts the links to a run that are valid when a further one is made. */
async function countShares(
	transaction: Kysely<DeploymentTables>,
	{ workspace_id, run_id, created_at }: Pick<StoredRunShare, "workspace_id" | "run_id" | "created_at">,
): Promise<number> {
	const { count } = await transaction
		.selectFrom("run_shares")
		.select(({ fn }) => fn.countAll<number>().as("count"))
		.where("workspace_id", "=", workspace_id)
		.where("run_id", "=", run_id)
		.where("expires_at", ">", created_at)
		.executeTakeFirstOrThrow();
	return count;
}

const toStoredShare = ({ fields, ...row }: Omit<RunShareRow, "token_hash">): StoredRunShare => ({
	...row,
	fields: parseColumn(fields),
});
