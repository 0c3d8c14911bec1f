import type { TokenUsage } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";

/**
 * Code of a failure at a vendor. `overloaded`: it failed with an internal error; `bad_response`: the response does not
 * have the expected format; `bad_request`: it refused the request; `unsupported_parameter`: it does not have the
 * setting that `field` names, which is one of `ChatSettings`; `stream_truncated`: its answer was cut off;
 * `model_not_enabled`: the account must ask for the model first; `needs_inference_profile`: the model cannot be called
 * by its own id; `wrong_region`: the credential or the model belongs to another region.
 */
export type ProviderErrorCode =
	| "invalid_credential"
	| "permission"
	| "model_not_found"
	| "model_not_enabled"
	| "needs_inference_profile"
	| "wrong_region"
	| "rate_limited"
	| "quota"
	| "context_length"
	| "content_filtered"
	| "overloaded"
	| "timeout"
	| "unreachable"
	| "bad_response"
	| "bad_request"
	| "unsupported_parameter"
	| "stream_truncated"
	| "clock_skew"
	| "expired_credential";

export interface ProviderErrorOptions {
	readonly code: ProviderErrorCode;
	readonly vendorHost: string;
	readonly hint?: string | undefined;
	readonly cause?: unknown;
	readonly status?: number | undefined;
	readonly retryAfterMs?: number | undefined;
	readonly field?: string | undefined;
	readonly option?: string | undefined;
	readonly usage?: TokenUsage | undefined;
}

/**
 * A call to a vendor that failed, after the retries that it was worth. Neither message nor hint repeats what the vendor
 * said, which may hold parts of the key or of the prompt.
 */
export class ProviderError extends StemmaError {
	static override get stemmaName(): string {
		return "ProviderError";
	}
	declare static readonly is: (error: unknown) => error is ProviderError;
	declare readonly code: ProviderErrorCode;
	/** Host of the endpoint, with its port if that is not the default one. */
	declare readonly vendorHost: string;
	/** HTTP status, if the vendor responded. */
	declare readonly status?: number;
	/** Delay that the vendor asks for, in milliseconds. */
	declare readonly retryAfterMs?: number;
	/** The field of the request that the vendor refused, where it named one. */
	declare readonly field?: string;
	/** Path of the option that the hint says to change, where it is one of `timeouts`: `timeouts.idleTimeoutMs`. */
	declare readonly option?: string;
	/** Number of attempts of the call. */
	declare attempts?: number;
	/** Token usage of the call, where the vendor reported it. */
	declare usage?: TokenUsage | undefined;

	constructor(message: string, { code, hint, cause, ...fields }: ProviderErrorOptions) {
		super(message, { code, hint, cause }, fields);
	}
}
