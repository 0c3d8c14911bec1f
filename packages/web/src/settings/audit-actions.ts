import type { AuditAction, AuditRecord } from "@stemma/client";

/** Actions to filter by. */
const ACTIONS = [
	"approval.approved",
	"approval.denied",
	"client.created",
	"client.deleted",
	"client.rotated",
	"client_key.created",
	"client_key.deleted",
	"credentials.abandoned",
	"credentials.resealed",
	"invitation.created",
	"invitation.revoked",
	"knowledge_base.models_changed",
	"knowledge_base.reindex_completed",
	"knowledge_base.reindex_dropped",
	"knowledge_base.reindex_started",
	"llm_settings.cleared",
	"llm_settings.set",
	"llm_settings.tested",
	"member.removed",
	"member.signed_in",
	"member.updated",
	"run_share.created",
	"run_share.revoked",
	"secret.deleted",
	"secret.set",
	"session.ended",
	"source.created",
	"source.deleted",
	"source.updated",
	"workspace.created",
	"workspace.deleted",
	"workspace.renamed",
] as const satisfies readonly AuditAction[];

/** Actions to choose from: those that are known, and those of the records that are shown. */
export const toActionChoices = (records: readonly AuditRecord[]): readonly AuditAction[] =>
	[...new Set<AuditAction>([...ACTIONS, ...records.map(({ action }) => action)])].sort();
