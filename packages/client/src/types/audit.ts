import type { JsonObject } from "@stemma/core";

/** What was done; a name of this form, and more may come. */
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
	| "workspace.created"
	| "workspace.renamed"
	| "workspace.deleted"
	| "knowledge_base.models_changed"
	| "approval.approved"
	| "approval.denied"
	| "credentials.resealed"
	| "credentials.abandoned";

/** Who changed what, and when; never a secret. */
export interface AuditRecord {
	/** `aud_…`, sortable by time. */
	readonly id: string;
	/** RFC 3339. */
	readonly at: string;
	readonly action: AuditAction;
	/** `cl_…`, or `operator` for what was done on the machine itself. */
	readonly actor: string;
	/** What it was done to: `cl_…`, `ck_…`, `kb_…`, `run_…`, `ws_…`, the name of a secret, `llm_settings`. */
	readonly target: string;
	/** What was set, without secrets. */
	readonly details: JsonObject;
	/** Of the request, where there was one. */
	readonly request_id: string | null;
}
