import { ApiError, createApiError } from "./api-errors";
import type { WithRequestId } from "./call-options";
import type { ServiceRequest, StemmaClient } from "./client";

/** Parts of a secret from this length on are secrets of their own; shorter ones may be names of fields. */
const SHORTEST_PART = 24;

/**
 * Sends a request with a secret in its body. The service repeats none; something between may, and its errors would carry
 * the secret into logs.
 */
export async function requestWithSecret<Answer extends object>(
	client: StemmaClient,
	request: ServiceRequest,
	secret: string | null | undefined,
): Promise<WithRequestId<Answer>> {
	try {
		return await client.request<Answer>(request);
	} catch (error) {
		throw ApiError.is(error) && typeof secret === "string" ? withoutSecret(client, error, secret) : error;
	}
}

/** Made anew: its stack has the message, too. */
function withoutSecret(client: StemmaClient, error: ApiError, secret: string): ApiError {
	const { status, code, message, hint, requestId, param, details, retryAfterMs } = error;
	const parts = secret.split(/[^\w+/=.-]+/).filter(({ length }) => length >= SHORTEST_PART);
	const fields = { status, code, message, hint, requestId, param, details, retryAfterMs };
	return createApiError(client.redact(fields, secret, ...parts));
}
