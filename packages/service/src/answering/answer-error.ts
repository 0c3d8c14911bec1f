import type { ReceiptRow, RunError } from "@stemma/core";
import { isStemmaError, RunFailedError, type StemmaError } from "@stemma/core/errors";
import { ProviderError } from "@stemma/routing";
import { ApiError } from "../http/api-error";
import { logError, toApiError, toContextErrorBody } from "../http/error-answer";
import type { ServiceContext } from "../http/service-app";
import { type Exposure, exposureOf } from "../runs/caller-view";

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

const isTold = (error: unknown): error is StemmaError =>
	RunFailedError.is(error) ||
	ProviderError.is(error) ||
	(isStemmaError(error) && Object.hasOwn(STATUSES, error.code));

/** How much of a failure a caller sees. */
export interface FailureView {
	readonly exposure: Exposure;
	/** The calls that were made all the same; told as `details.receipt`. Default none. */
	readonly receipt?: readonly ReceiptRow[];
}

/** Why a question or a completion was not answered: what the vendor did is no mistake of the service. */
export function toAnswerError(error: unknown, { exposure, receipt = [] }: FailureView): unknown {
	if (exposure !== "answer") return toWholeError(error, receipt);
	const whole = toWholeError(error, []);
	return whole instanceof ApiError && isVendors(error) ? hideVendor(whole) : whole;
}

/** A vendor's failure names its host, and a hint the settings of whoever pays. */
const isVendors = (error: unknown): boolean =>
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

function toWholeError(error: unknown, receipt: readonly ReceiptRow[]): unknown {
	const known = toKnownError(error);
	if (receipt.length === 0) return known;
	// What nobody expected was paid for all the same; the log has what it was.
	const { status, code, message, details, ...rest } = toApiError(known);
	return new ApiError(status, code, message, {
		...rest,
		details: { ...details, receipt: receipt.map((row) => ({ ...row })) },
		cause: error,
	});
}

function toKnownError(error: unknown): unknown {
	if (error instanceof ApiError || !isTold(error)) return error;
	const { code, message, hint } = error;
	const status = Object.hasOwn(STATUSES, code) ? STATUSES[code] : undefined;
	const retryAfterSeconds = readRetryAfter(error);
	return new ApiError(status ?? BAD_GATEWAY, code, message, {
		hint,
		cause: error,
		...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
	});
}

const readRetryAfter = (error: unknown): number | undefined =>
	ProviderError.is(error) && error.retryAfterMs !== undefined ? error.retryAfterMs / 1000 : undefined;

/** The same within a stream, which has begun with 200. */
export function toStreamedError(context: ServiceContext, error: unknown): RunError {
	const known = toApiError(toAnswerError(error, { exposure: exposureOf(context.get("caller")) }));
	if (known.status >= 500) logError(context, known, error);
	return toContextErrorBody(context, known).error;
}
