import type { DomainError } from "../errors/domain-error";

/** Codes of the service's own errors, by their status. */
const CODES: { readonly [status: number]: string } = {
	400: `agent_loop batch_too_large credential_conflict invalid_authorization_request invalid_host invalid_json invalid_request unknown_field
		unsupported_parameter`,
	401: "document_token_expired invalid_credentials invalid_token metrics_token_required missing_credentials passkey_invalid sign_in_failed sign_in_link_invalid token_expired token_user_unknown",
	403: `csrf_header_missing document_not_allowed https_required issuer_sign_in_required link_for_another_email missing_scope model_choice_not_allowed not_allowed_for_client_key origin_not_allowed own_sign_in_required
		quota_exceeded role_changed session_required sign_in_not_allowed sign_in_refused`,
	404: `agent_not_found agent_version_not_found answer_not_found approval_not_found authorization_not_found client_key_not_found client_not_found document_not_found feedback_not_found
		invitation_not_found issuer_not_found knowledge_base_not_found member_not_found message_not_found model_not_found no_knowledge_bases original_not_stored passkey_not_found reindex_not_found
		response_not_found route_not_found run_not_found secret_not_found session_not_found share_not_found source_not_found text_not_found text_not_stored
		thread_not_found workspace_not_found`,
	405: "method_not_allowed",
	408: "request_timeout",
	409: `agent_changed already_created approval_decided cancelled client_in_use document_not_ready
		embedding_space_changed idempotency_conflict knowledge_base_in_use last_admin last_manager
		last_workspace member_has_higher_role message_id_reused name_taken nothing_to_undo payer_changed reindex_not_needed
		reindex_running run_ended run_not_ended runs_in_flight slug_taken sync_not_running thread_active
		workspace_in_use`,
	410: "approval_expired",
	413: "body_too_large",
	415: "unsupported_media_type",
	416: "range_not_satisfiable",
	422: `agent_invalid agent_not_runnable api_key_required base_url_not_aws blocked_address
		credential_required credential_undecryptable dimensions_not_allowed embeddings_not_configured
		folder_not_allowed folder_not_found insecure_base_url insecure_server_url invalid_name invalid_settings min_score_unavailable
		model_not_allowed needs_ocr not_set passkey_not_created passkeys_unavailable provider_not_supported region_mismatch run_cancelled run_failed server_url_not_plain
		source_kind_changed thread_full too_many_documents too_many_invitations too_many_members too_many_passkeys too_many_secrets too_many_shares too_many_sources too_many_threads unsupported_format unsupported_language value_required`,
	429: `budget_exhausted rate_limited thread_queue_full too_many_bytes too_many_requests too_many_runs too_many_tests
		too_many_waiting`,
	500: "internal_error",
	501: "encryption_not_configured",
	502: "embedding_failed embedding_length_changed issuer_unavailable output_invalid tool_choice_not_followed",
	503: "shutting_down starting storage_full storage_unavailable workspace_unavailable",
};

/** Codes of models, runs and agents that failed, by their status. The status of all others is 502. */
const UPSTREAM_CODES: { readonly [status: number]: string } = {
	400: "unsupported_parameter",
	403: "model_choice_not_allowed",
	422: `blocked_address context_length credential_required credential_undecryptable max_tokens
		model_not_allowed model_required output_not_supported provider_not_configured region_mismatch
		tool_choice_not_supported`,
	429: "budget_exhausted quota rate_limited",
	503: "ambient_credentials_unavailable",
	504: "outbound_timeout timeout",
};

const toStatusByCode = (codes: typeof CODES): ReadonlyMap<string, number> =>
	new Map(
		Object.entries(codes).flatMap(([status, names]) => names.split(/\s+/).map((code) => [code, +status])),
	);

const STATUS_BY_CODE = toStatusByCode(CODES);
const STATUS_BY_UPSTREAM_CODE = toStatusByCode(UPSTREAM_CODES);

/** Checks whether a code of the service has a status of its own. */
export const hasStatus = (code: string): boolean => STATUS_BY_CODE.has(code);

/** Statuses of the codes of models, runs and agents that failed; 502 of all others. */
export const UPSTREAM_STATUSES: ReadonlyMap<string, number> = STATUS_BY_UPSTREAM_CODE;

/** Finds the status of a code, by which it is described. */
export const findStatusOfCode = (code: string): number | undefined =>
	STATUS_BY_CODE.get(code) ?? STATUS_BY_UPSTREAM_CODE.get(code);

/** HTTP status of an error. A code that a library made up is about a value that cannot be used: 422. */
export function toStatus({ code, origin }: DomainError): number {
	if (origin === "request") return 400;
	if (origin === "deployment") return 503;
	return origin === "upstream"
		? (STATUS_BY_UPSTREAM_CODE.get(code) ?? 502)
		: (STATUS_BY_CODE.get(code) ?? 422);
}
