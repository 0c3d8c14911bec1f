import type { JsonObject } from "@stemma/core";

/** Name of an audited action. More names of this form may be added. */
export type AuditAction =
	| "llm_settings.set"
	| "llm_settings.tested"
	| "llm_settings.cleared"
	| "secret.set"
	| "secret.deleted"
	| "client.created"
	| "client.rotated"
	| "client.deleted"
	| "client_key.created"
	| "client_key.deleted"
	| "member.signed_in"
	| "member.updated"
	| "member.removed"
	| "member.exported"
	| "member.erased"
	| "invitation.created"
	| "invitation.revoked"
	| "session.ended"
	| "passkey.created"
	| "passkey.renamed"
	| "passkey.deleted"
	| "authorization.created"
	| "authorization.ended"
	| "run_share.created"
	| "run_share.revoked"
	| "workspace.created"
	| "workspace.renamed"
	| "workspace.deleted"
	| "knowledge_base.models_changed"
	| "knowledge_base.access_changed"
	| "agent.access_changed"
	| "knowledge_base.reindex_started"
	| "knowledge_base.reindex_completed"
	| "knowledge_base.reindex_dropped"
	| "source.created"
	| "source.updated"
	| "source.deleted"
	| "approval.approved"
	| "approval.denied"
	| "credentials.resealed"
	| "credentials.abandoned";

/** Record of who changed what, and when; never contains a secret. */
export interface AuditRecord {
	/** `aud_…`, sortable by time. */
	readonly id: string;
	/** RFC 3339. */
	readonly at: string;
	readonly action: AuditAction;
	/** `cl_…`, `usr_…`, or `operator` for what was done on the machine itself. */
	readonly actor: string;
	/** Target of the action: `cl_…`, `ck_…`, `kb_…`, `ag_…`, `src_…`, `run_…`, `ws_…`, `usr_…`, `inv_…`, `ses_…`, `pk_…`, `aut_…`, `shr_…`, the name of a secret, `llm_settings`. */
	readonly target: string;
	/** Values that were set, without secrets. */
	readonly details: JsonObject;
	/** Id of the request; `null` where there was none. */
	readonly request_id: string | null;
}
