import { getRandomValues } from "node:crypto";
import type { AuditAction, AuditRecord } from "@stemma/client";
import type { JsonObject } from "@stemma/core";
import { clock, createId } from "@stemma/core/internal";
import type { Kysely, SelectQueryBuilder } from "kysely";
import type { PageRequest } from "../pagination";
import type { Database } from "../store/database";
import type { DeploymentDatabase } from "../store/deployment-database";
import type { DeploymentTables } from "../store/deployment-tables";
import { parseColumn } from "../store/json-column";
import type { WorkspaceTables } from "../store/workspace-tables";
import type { AuditAuthor } from "./audit-author";
import type { AuditRow, AuditTables } from "./audit-tables";

/** A change, as it is told. */
export interface AuditEntry extends AuditAuthor {
	readonly action: AuditAction;
	readonly target: string;
	/** Names each field that may be told: nothing secret, so never an object as it came. */
	readonly details?: JsonObject;
}

/** Writes a row into a workspace's file, in the transaction that makes the change. */
export async function recordAudit(
	transaction: Kysely<WorkspaceTables>,
	entry: AuditEntry,
	now = clock.now(),
): Promise<void> {
	await transaction.insertInto("audit").values(toRow(entry, now)).execute();
}

/** Writes a row into the deployment's file, in the transaction that makes the change. */
export async function recordDeploymentAudit(
	transaction: Kysely<DeploymentTables>,
	workspaceId: string,
	entry: AuditEntry,
	now = clock.now(),
): Promise<void> {
	const row = { ...toRow(entry, now), workspace_id: workspaceId };
	await transaction.insertInto("audit").values(row).execute();
}

const toRow = (
	{ action, actor, target, details = {}, requestId = null }: AuditEntry,
	now: number,
): AuditRow => ({
	id: createAuditId(now),
	created_at: now,
	action,
	actor,
	target,
	details: JSON.stringify(details),
	request_id: requestId,
});

/** Page and filter of a request for the audit log. */
export interface AuditPageRequest extends PageRequest {
	readonly action?: AuditAction | undefined;
}

/** Lists the changes in a workspace from both files, newest first; one more than `limit`, where there are more. */
export async function listAudit(
	deployment: Pick<DeploymentDatabase, "read">,
	workspace: { readonly id: string; readonly database: Pick<Database<WorkspaceTables>, "read"> },
	page: AuditPageRequest,
): Promise<readonly AuditRecord[]> {
	const shared = deployment.read.selectFrom("audit").where("workspace_id", "=", workspace.id);
	const own = workspace.database.read.selectFrom("audit");
	const rows = await Promise.all([readRows(shared, page), readRows(own, page)]);
	return rows
		.flat()
		.sort((a, b) => (a.id < b.id ? 1 : -1))
		.slice(0, page.limit + 1)
		.map(toRecord);
}

const COLUMNS = ["id", "created_at", "action", "actor", "target", "details", "request_id"] as const;

function readRows(
	rows: SelectQueryBuilder<AuditTables, "audit", object>,
	{ limit, after, action }: AuditPageRequest,
): Promise<AuditRow[]> {
	return rows
		.select(COLUMNS)
		.$if(after !== undefined, (query) => query.where("id", "<", after ?? ""))
		.$if(action !== undefined, (query) => query.where("action", "=", action ?? "client.created"))
		.orderBy("id", "desc")
		.limit(limit + 1)
		.execute();
}

const toRecord = (row: AuditRow): AuditRecord => ({
	id: row.id,
	at: new Date(row.created_at).toISOString(),
	action: row.action,
	actor: row.actor,
	target: row.target,
	details: parseColumn(row.details),
	request_id: row.request_id,
});

let lastTime = 0;

/** `aud_…`. Each sorts after the one before, also within a millisecond and when the clock is set back. */
function createAuditId(now: number): string {
	lastTime = Math.max(now, lastTime + 1);
	return createId("aud", lastTime, getRandomValues(new Uint8Array(10)));
}
