import type { AuditRecord } from "@stemma/client";
import type { JobFile } from "../job-file";
import type { AuditRow } from "./audit-tables";

/** Columns of an audit record, in a workspace's file and in the deployment's. */
export const AUDIT_COLUMNS = [
	"id",
	"created_at",
	"action",
	"actor",
	"target",
	"details",
	"request_id",
] as const;

export const toAuditRow = ({ at, details, ...record }: AuditRecord): AuditRow => ({
	...record,
	created_at: Date.parse(at),
	details: JSON.stringify(details),
});

/** Writes a row into a workspace's file, in the transaction of a job. */
export function insertAudit(file: JobFile, record: AuditRecord): void {
	const row = toAuditRow(record);
	file
		.prepare(`INSERT INTO audit (${AUDIT_COLUMNS.join(", ")}) VALUES (?, ?, ?, ?, ?, ?, ?)`)
		.run(...AUDIT_COLUMNS.map((column) => row[column]));
}
