import type { ServiceRequest, StemmaClient } from "../client";
import { ApiError, createApiError } from "../errors/api-errors";
import type { WithRequestId } from "../options/call-options";

/** Parts of a secret from this length on are secrets of their own; shorter ones may be names of fields. */
const MIN_SECRET_PART_LENGTH = 24;

/**
 * Sends a request with a secret in its body. The service repeats none; something between may, and its errors would carry
 * the secret into logs.
 */
export async function requestWithSecret<Result extends object>(
	client: StemmaClient,
	request: ServiceRequest,
	secret: string | null | undefined,
): Promise<WithRequestId<Result>> {
	try {
		return await client.request<Result>(request);
	} catch (error) {
		throw ApiError.is(error) && typeof secret === "string" ? withoutSecret(client, error, secret) : error;
	}
}

/** Made anew: its stack has the message, too. */
function withoutSecret(client: StemmaClient, error: ApiError, secret: string): ApiError {
	const { status, code, message, hint, requestId, param, details, retryAfterMs } = error;
	const parts = secret.split(/[^\w+/=.-]+/).filter(({ length }) => length >= MIN_SECRET_PART_LENGTH);
	const fields = { status, code, message, hint, requestId, param, details, retryAfterMs };
	return createApiError(client.redact(fields, secret, ...parts));
}
