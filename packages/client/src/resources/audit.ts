import type { StemmaClient } from "../client";
import type { CallOptions } from "../options/call-options";
import type { AuditAction, AuditRecord } from "../types/audit";
import type { PageOptions } from "../types/page";
import { createPaginatedList, type PaginatedList } from "./paginated-list";

/** Options of a list of audit records: who changed what. */
export interface AuditListOptions extends PageOptions {
	/** Action to filter by. */
	readonly action?: AuditAction;
}

/** Audit log of a workspace: who changed what. */
export interface Audit {
	/** The newest first. */
	list(filter?: AuditListOptions, options?: CallOptions): PaginatedList<AuditRecord>;
}

export function audit(client: StemmaClient): Audit {
	return {
		list: (filter, options) => createPaginatedList(client, "/v1/audit", filter, options),
	};
}
