import type { AuditRecord } from "@stemma/client";
import type { Kysely, SelectQueryBuilder } from "kysely";
import { type AuditEntry, createAuditRecord } from "../../audit/audit-record";
import type {
	AuditPageRequest,
	AuditRepository,
	DeploymentAuditRepository,
} from "../../audit/audit-repository";
import type { Queries } from "../database";
import type { DeploymentTables } from "../deployment-tables";
import { parseColumn } from "../json-column";
import { AUDIT_COLUMNS, toAuditRow } from "../sqlite/audit-rows";
import type { AuditRow, AuditTables } from "../sqlite/audit-tables";
import type { WorkspaceTables } from "../workspace-tables";

/** Audit log of a workspace. */
export const createAuditRepository = ({ read, write }: Queries<WorkspaceTables>): AuditRepository => ({
	list: (page) => listRecords(read.selectFrom("audit"), page),
	record: (entry) => recordAudit(write, entry),
});

/** Audit log of the deployment. */
export const createDeploymentAuditRepository = ({
	read,
	write,
}: Queries<DeploymentTables>): DeploymentAuditRepository => ({
	list: (workspaceId, page) =>
		listRecords(read.selectFrom("audit").where("workspace_id", "=", workspaceId), page),
	async deleteBefore(time) {
		await write.deleteFrom("audit").where("created_at", "<", time).execute();
	},
});

/** Writes a row into a workspace's file, in the transaction that makes the change. */
export async function recordAudit(
	transaction: Pick<Kysely<WorkspaceTables>, "insertInto">,
	entry: AuditEntry,
): Promise<void> {
	await transaction
		.insertInto("audit")
		.values(toAuditRow(createAuditRecord(entry)))
		.execute();
}

/** Writes a row into the deployment's file, in the transaction that makes the change. */
export async function recordDeploymentAudit(
	transaction: Pick<Kysely<DeploymentTables>, "insertInto">,
	workspaceId: string,
	entry: AuditEntry,
): Promise<void> {
	const row = { ...toAuditRow(createAuditRecord(entry)), workspace_id: workspaceId };
	await transaction.insertInto("audit").values(row).execute();
}

async function listRecords(
	audit: SelectQueryBuilder<AuditTables, "audit", object>,
	{ limit, after, action }: AuditPageRequest,
): Promise<readonly AuditRecord[]> {
	const rows = await audit
		.select(AUDIT_COLUMNS)
		.$if(after !== undefined, (query) => query.where("id", "<", after ?? ""))
		.$if(action !== undefined, (query) => query.where("action", "=", action ?? "client.created"))
		.orderBy("id", "desc")
		.limit(limit + 1)
		.execute();
	return rows.map(toRecord);
}

const toRecord = ({ created_at, details, ...row }: AuditRow): AuditRecord => ({
	id: row.id,
	at: new Date(created_at).toISOString(),
	action: row.action,
	actor: row.actor,
	target: row.target,
	details: parseColumn(details),
	request_id: row.request_id,
});
