import type { ReceiptRow, RunError } from "@stemma/core";
import { isStemmaError, RunFailedError, type StemmaError } from "@stemma/core/errors";
import { ProviderError } from "@stemma/routing";
import { ApiError } from "../http/api-error";
import { logError, toApiError, toContextErrorBody } from "../http/error-response";
import type { ServiceContext } from "../http/service-app";
import { type Visibility, visibilityOf } from "../runs/visibility";

const STATUS_BY_CODE: { readonly [code: string]: number } = {
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
	tool_choice_not_supported: 422,
	max_tokens: 422,
	unsupported_parameter: 400,
	blocked_address: 422,
	ambient_credentials_unavailable: 503,
	outbound_timeout: 504,
	response_too_large: 502,
	redirect_refused: 502,
	bad_response: 502,
};

const BAD_GATEWAY = 502;

const isExposedError = (error: unknown): error is StemmaError =>
	RunFailedError.is(error) ||
	ProviderError.is(error) ||
	(isStemmaError(error) && Object.hasOwn(STATUS_BY_CODE, error.code));

/** Amount of detail that a caller sees of a failure. */
export interface ErrorView {
	readonly visibility: Visibility;
	/** The calls that were made all the same; told as `details.receipt`. Default none. */
	readonly receipt?: readonly ReceiptRow[];
}

/**
 * Converts the failure of a question or a completion to an error for the caller. A vendor's failure is not reported as
 * a fault of the service.
 */
export function toAnswerError(error: unknown, { visibility, receipt = [] }: ErrorView): unknown {
	if (visibility !== "answer") return toDetailedError(error, receipt);
	const detailed = toDetailedError(error, []);
	return detailed instanceof ApiError && isVendorFailure(error) ? hideVendor(detailed) : detailed;
}

/** A vendor's failure names its host, and a hint the settings of whoever pays. */
const isVendorFailure = (error: unknown): boolean =>
	ProviderError.is(error) ||
	(error instanceof ApiError
		? ProviderError.is(error.cause)
		: RunFailedError.is(error) && error.code !== "budget_exhausted");

const hideVendor = ({ status, code, retryAfterSeconds, cause }: ApiError): ApiError =>
	new ApiError(status, code, "The model that answers has failed.", {
		hint: "Its workspace can see why.",
		cause,
		...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
	});

function toDetailedError(error: unknown, receipt: readonly ReceiptRow[]): unknown {
	const knownError = toKnownError(error);
	if (receipt.length === 0) return knownError;
	// What nobody expected was paid for all the same; the log has what it was.
	const { status, code, message, details, ...rest } = toApiError(knownError);
	return new ApiError(status, code, message, {
		...rest,
		details: { ...details, receipt: receipt.map((row) => ({ ...row })) },
		cause: error,
	});
}

function toKnownError(error: unknown): unknown {
	if (error instanceof ApiError || !isExposedError(error)) return error;
	const { code, message, hint } = error;
	const status = Object.hasOwn(STATUS_BY_CODE, code) ? STATUS_BY_CODE[code] : undefined;
	const retryAfterSeconds = readRetryAfter(error);
	return new ApiError(status ?? BAD_GATEWAY, code, message, {
		hint,
		cause: error,
		...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
	});
}

const readRetryAfter = (error: unknown): number | undefined =>
	ProviderError.is(error) && error.retryAfterMs !== undefined ? error.retryAfterMs / 1000 : undefined;

/** Converts a failure as {@link toAnswerError} does, for a stream that has already begun with status 200. */
export function toStreamedError(context: ServiceContext, error: unknown): RunError {
	const apiError = toApiError(toAnswerError(error, { visibility: visibilityOf(context.get("caller")) }));
	if (apiError.status >= 500) logError(context, apiError, error);
	return toContextErrorBody(context, apiError).error;
}
