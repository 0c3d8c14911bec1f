import type { AuditAction } from "@stemma/client";

/** All that is told: a change that is missing here does not compile. */
export const AUDIT_ACTIONS: { readonly [Action in AuditAction]: Action } = {
	"llm_settings.set": "llm_settings.set",
	"llm_settings.tested": "llm_settings.tested",
	"llm_settings.cleared": "llm_settings.cleared",
	"secret.set": "secret.set",
	"secret.deleted": "secret.deleted",
	"client.created": "client.created",
	"client.rotated": "client.rotated",
	"client.deleted": "client.deleted",
	"client_key.created": "client_key.created",
	"client_key.deleted": "client_key.deleted",
	"workspace.created": "workspace.created",
	"workspace.renamed": "workspace.renamed",
	"workspace.deleted": "workspace.deleted",
	"knowledge_base.models_changed": "knowledge_base.models_changed",
	"knowledge_base.reindex_started": "knowledge_base.reindex_started",
	"knowledge_base.reindex_completed": "knowledge_base.reindex_completed",
	"knowledge_base.reindex_dropped": "knowledge_base.reindex_dropped",
	"source.created": "source.created",
	"source.updated": "source.updated",
	"source.deleted": "source.deleted",
	"approval.approved": "approval.approved",
	"approval.denied": "approval.denied",
	"credentials.resealed": "credentials.resealed",
	"credentials.abandoned": "credentials.abandoned",
};
