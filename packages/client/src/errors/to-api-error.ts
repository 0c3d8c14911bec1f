import type { OpenResponse, StemmaClient } from "../client";
import type { ApiError } from "./api-errors";
import { readApiError } from "./read-api-error";

/** Error of a response that a client has read to its end. */
export function toApiError(client: StemmaClient, { status, header }: OpenResponse, body: string): ApiError {
	const response = { status, ok: false, headers: { get: header }, text: async () => body };
	return readApiError(response, body, (text) => client.redact({ text }).text);
}
