import type { MemberAccess } from "@stemma/client";
import type { AuditEntry } from "../audit/audit-record";

/** Knowledge base or agent that some members may not use. */
export interface HiddenItem {
	readonly kind: "knowledge_base" | "agent";
	readonly id: string;
	readonly slug: string;
}

/** Change of who may use a knowledge base or an agent, with its record. */
export interface AccessChange {
	readonly kind: HiddenItem["kind"];
	readonly id: string;
	readonly access: MemberAccess;
	readonly audit: AuditEntry;
}

/** Access of members to the knowledge bases and agents of one workspace. */
export interface AccessRepository {
	/**
	 * Lists what a member may not use: what is limited to others, and agents whose graph needs some of that, at whatever
	 * depth.
	 */
	listHidden(userId: string): Promise<readonly HiddenItem[]>;
	/** Stores who may use a knowledge base or an agent, and records it, in one transaction. */
	set(change: AccessChange): Promise<void>;
}
