import type { CallerRequirements, RouteDescription } from "./parts";
import { findStatusOfCode, UPSTREAM_STATUSES } from "./parts";

/** Codes of the errors of a route by status. An empty list stands for any code. */
export type ErrorCodes = ReadonlyMap<number, readonly string[]>;

const ALWAYS = [
	...["agent_loop", "invalid_request", "unknown_field", "invalid_host"],
	...["internal_error", "starting", "shutting_down", "storage_full", "storage_unavailable"],
];
const WITH_CALLER = [
	...["missing_credentials", "invalid_credentials", "invalid_token", "token_expired", "token_user_unknown"],
	...["missing_scope", "origin_not_allowed", "csrf_header_missing", "https_required", "role_changed"],
	...[
		"credential_conflict",
		"rate_limited",
		"too_many_requests",
		"too_many_waiting",
		"workspace_unavailable",
	],
];
const WITHOUT_CLIENT_KEYS = ["not_allowed_for_client_key"];
const WITH_BODY = [
	...["invalid_json", "unsupported_media_type", "body_too_large", "request_timeout", "too_many_bytes"],
];
const WITH_IDEMPOTENCY = ["idempotency_conflict", "cancelled"];
/** Refusals of a plan of models, which precede the first call. */
const WITH_MODELS = [
	...["budget_exhausted", "provider_not_configured", "credential_required", "credential_undecryptable"],
	...["model_required", "model_not_allowed", "region_mismatch", "blocked_address", "output_invalid"],
	...[
		"embeddings_not_configured",
		"embedding_failed",
		"embedding_length_changed",
		"tool_choice_not_followed",
	],
];

/** Lists the codes of all errors that a route may answer with, by their statuses. */
export function listErrors(
	{
		body,
		otherBody,
		isIdempotent = false,
		callsModels = false,
		errors = [],
		otherErrors = [],
	}: RouteDescription,
	requirements: CallerRequirements | undefined,
): ErrorCodes {
	const hasBody = body !== undefined || otherBody !== undefined;
	const codes = [
		...ALWAYS,
		...(requirements === undefined ? [] : WITH_CALLER),
		...(requirements?.clientKeys === false ? WITHOUT_CLIENT_KEYS : []),
		...(hasBody ? WITH_BODY : []),
		...(isIdempotent ? WITH_IDEMPOTENCY : []),
		...(callsModels ? WITH_MODELS : []),
		...errors,
	];
	const listed = new Map<number, Set<string>>();
	const add = (status: number, code: string): void =>
		void listed.set(status, (listed.get(status) ?? new Set()).add(code));
	for (const code of codes) add(getStatus(code), code);
	if (callsModels) for (const [code, status] of UPSTREAM_STATUSES) add(status, code);
	const sorted = [...listed].map(([status, names]): [number, string[]] => [status, [...names].sort()]);
	const result = new Map<number, readonly string[]>(sorted);
	// Vendors fail in ways that nobody has listed.
	if (callsModels) result.set(502, []);
	for (const status of otherErrors) result.set(status, []);
	return new Map([...result].sort(([a], [b]) => a - b));
}

function getStatus(code: string): number {
	const status = findStatusOfCode(code);
	if (status === undefined) throw new Error(`No error has the code ${code}: see http/statuses.`);
	return status;
}
