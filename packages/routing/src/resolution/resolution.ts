import type { Payer } from "@stemma/core";

/** Reference to the credential that a call is signed with; never the credential itself. */
export type CredentialReference =
	| { readonly kind: "workspace" }
	/** Credential of the deployment's provider `name`. */
	| { readonly kind: "deployment"; readonly name: string }
	/** Credential of the deployment's embedding model or reranker. */
	| { readonly kind: "embeddings" | "rerank" }
	/** Credential of the machine itself, for the deployment's provider `name`. */
	| { readonly kind: "machine"; readonly name: string }
	/** No credential is sent. */
	| { readonly kind: "none" };

/** The model that answers, and who pays for it. */
export interface ResolvedModel {
	/** Payer of the call; `none` for the built-in model, or if no call is made. */
	readonly payer: Payer;
	/** The API format: `openai-compatible`, `bedrock`, `extractive`. */
	readonly provider: string;
	/** Address of the endpoint; empty for the built-in model. */
	readonly base_url: string;
	readonly model: string;
	readonly credential: CredentialReference;
	/** Reason for this model and this payer, as a sentence. */
	readonly reason: string;
}

/** The codes of refusals, as the API's errors have them, in order of precedence: of two refusals the first is reported. */
export const REFUSAL_CODES = [
	"model_choice_not_allowed",
	"provider_not_configured",
	"credential_required",
	"credential_undecryptable",
	"model_required",
	"model_not_allowed",
	"region_mismatch",
] as const;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** No call is made, on nobody's money. `toRefusalHint` says what to do about it. */
export interface Refusal {
	readonly code: RefusalCode;
	/** Reason for the refusal, as a sentence. */
	readonly reason: string;
	/** The models that may be chosen instead, where it is about a choice among some. */
	readonly models?: readonly string[];
}

export type Resolution = { readonly resolved: ResolvedModel } | Refused;

export interface Refused {
	readonly refusal: Refusal;
}

/** The refusal to report of several: the one whose code comes first in `REFUSAL_CODES`; of equal codes the first given. */
export const findFirstRefusal = (refusals: readonly Refusal[]): Refusal | undefined =>
	REFUSAL_CODES.flatMap((code) => refusals.find((refusal) => refusal.code === code) ?? [])[0];

export const reject = (code: RefusalCode, reason: string): Refused => ({ refusal: { code, reason } });
