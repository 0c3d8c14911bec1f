import type { ReceiptRow } from "@stemma/core";
import { isStemmaError, RunFailedError, type StemmaError } from "@stemma/core/errors";
import { ProviderError } from "@stemma/routing";
import { DomainError } from "../errors/domain-error";
import { toDomainError } from "../errors/to-domain-error";
import type { Visibility } from "../runs/visibility";

/** Codes of errors outside models and runs whose code and text callers may see. */
const EXPOSED_CODES: ReadonlySet<string> = new Set(
	`budget_exhausted rate_limited quota timeout context_length model_choice_not_allowed credential_required
	credential_undecryptable provider_not_configured model_required model_not_allowed region_mismatch
	output_not_supported tool_choice_not_supported max_tokens unsupported_parameter blocked_address
	ambient_credentials_unavailable outbound_timeout response_too_large redirect_refused bad_response`.split(
		/\s+/,
	),
);

const isExposedError = (error: unknown): error is StemmaError =>
	RunFailedError.is(error) ||
	ProviderError.is(error) ||
	(isStemmaError(error) && EXPOSED_CODES.has(error.code));

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
	return detailed instanceof DomainError && isVendorFailure(error) ? hideVendor(detailed) : detailed;
}

/** A vendor's failure names its host, and a hint the settings of whoever pays. */
const isVendorFailure = (error: unknown): boolean =>
	ProviderError.is(error) ||
	(error instanceof DomainError
		? ProviderError.is(error.cause)
		: RunFailedError.is(error) && error.code !== "budget_exhausted");

const hideVendor = ({ code, retryAfterSeconds, origin, cause }: DomainError): DomainError =>
	new DomainError(code, "The model that answers has failed.", {
		hint: "Its workspace can see why.",
		retryAfterSeconds,
		origin,
		cause,
	});

function toDetailedError(error: unknown, receipt: readonly ReceiptRow[]): unknown {
	const knownError = toKnownError(error);
	if (receipt.length === 0) return knownError;
	// What nobody expected was paid for all the same; the log has what it was.
	const { code, message, details, ...rest } = toDomainError(knownError);
	return new DomainError(code, message, {
		...rest,
		details: { ...details, receipt: receipt.map((row) => ({ ...row })) },
		cause: error,
	});
}

function toKnownError(error: unknown): unknown {
	if (error instanceof DomainError || !isExposedError(error)) return error;
	const { code, message, hint } = error;
	return new DomainError(code, message, {
		hint,
		retryAfterSeconds: readRetryAfter(error),
		origin: "upstream",
		cause: error,
	});
}

const readRetryAfter = (error: unknown): number | undefined =>
	ProviderError.is(error) && error.retryAfterMs !== undefined ? error.retryAfterMs / 1000 : undefined;
