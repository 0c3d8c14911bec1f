import type { StemmaClient } from "./client";
import { StreamError } from "./errors";
import { readTexts } from "./read-api-error";

/** What went wrong half-way, as the stream itself says it; something else than the service may say it. */
export function readStreamError(client: StemmaClient, said: object, requestId: string): StreamError {
	const { code = "stream_failed", message, hint } = readTexts({ ...client.redact(said) });
	return new StreamError(message || "The answer failed half-way, without a reason.", {
		code,
		hint,
		requestId,
	});
}
