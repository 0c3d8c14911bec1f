import type { ReceiptRow, RunError } from "@stemma/core";
import { isStemmaError, RunFailedError, type StemmaError } from "@stemma/core/errors";
import { ProviderError } from "@stemma/routing";
import { ApiError } from "../http/api-error";
import { logError, toApiError, toErrorBody } from "../http/error-answer";
import type { ServiceContext } from "../http/service-app";

const STATUSES: { readonly [code: string]: number } = {
	budget_exhausted: 429,
	rate_limited: 429,
	quota: 429,
	timeout: 504,
	context_length: 422,
	model_choice_not_allowed: 403,
	credential_required: 422,
	credential_undecryptable: 422,
	provider_not_configured: 422,
	model_required: 422,
	model_not_allowed: 422,
	region_mismatch: 422,
	output_not_supported: 422,
	max_tokens: 422,
	blocked_address: 422,
	ambient_credentials_unavailable: 503,
	outbound_timeout: 504,
	response_too_large: 502,
	redirect_refused: 502,
	bad_response: 502,
};

const BAD_GATEWAY = 502;

const isTold = (error: unknown): error is StemmaError =>
	RunFailedError.is(error) ||
	ProviderError.is(error) ||
	(isStemmaError(error) && Object.hasOwn(STATUSES, error.code));

/**
 * Why a question or a completion was not answered: what the vendor did is no mistake of the service.
 *
 * @param receipt - the calls that were made all the same; told as `details.receipt`.
 */
export function toAnswerError(error: unknown, receipt: readonly ReceiptRow[] = []): unknown {
	const details = receipt.length === 0 ? {} : { details: { receipt: receipt.map((row) => ({ ...row })) } };
	if (error instanceof ApiError)
		return receipt.length === 0 || error.details !== undefined
			? error
			: new ApiError(error.status, error.code, error.message, { ...error, ...details });
	if (!isTold(error)) return error;
	const { code, message, hint } = error;
	const status = Object.hasOwn(STATUSES, code) ? STATUSES[code] : undefined;
	const retryAfterSeconds = readRetryAfter(error);
	return new ApiError(status ?? BAD_GATEWAY, code, message, {
		hint,
		cause: error,
		...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
		...details,
	});
}

const readRetryAfter = (error: unknown): number | undefined =>
	ProviderError.is(error) && error.retryAfterMs !== undefined ? error.retryAfterMs / 1000 : undefined;

/** The same within a stream, which has begun with 200. */
export function toStreamedError(context: ServiceContext, error: unknown): RunError {
	const known = toApiError(toAnswerError(error));
	if (known.status >= 500) logError(context, known, error);
	return toErrorBody(known, context.get("requestId")).error;
}
