import type { AuditRecord } from "@stemma/client";
import type { AuditPageRequest, AuditRepository, DeploymentAuditRepository } from "./audit-repository";

/** Lists the changes in a workspace from both stores, newest first; one more than `limit`, where there are more. */
export async function listAudit(
	deployment: DeploymentAuditRepository,
	workspace: { readonly id: string; readonly audit: AuditRepository },
	page: AuditPageRequest,
): Promise<readonly AuditRecord[]> {
	const records = await Promise.all([deployment.list(workspace.id, page), workspace.audit.list(page)]);
	return records
		.flat()
		.sort((a, b) => (a.id < b.id ? 1 : -1))
		.slice(0, page.limit + 1);
}
