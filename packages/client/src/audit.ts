import type { CallOptions } from "./call-options";
import type { StemmaClient } from "./client";
import { createListing, type Listing } from "./listing";
import type { AuditAction, AuditRecord } from "./types/audit";
import type { PageOptions } from "./types/page";

export interface AuditListOptions extends PageOptions {
	/** Of this kind alone. */
	readonly action?: AuditAction;
}

/** Who changed what in a workspace. */
export interface Audit {
	/** The newest first. */
	list(filter?: AuditListOptions, options?: CallOptions): Listing<AuditRecord>;
}

export function audit(client: StemmaClient): Audit {
	return {
		list: (filter = {}, options) => createListing(client, "/v1/audit", { ...filter }, options),
	};
}
