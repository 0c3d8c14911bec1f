import type { StemmaClient } from "./client";
import { StreamError } from "./errors";
import { readDetails, readTexts, type Said } from "./read-api-error";

/** What went wrong half-way, as the stream itself says it; something else than the service may say it. */
export function readStreamError(client: StemmaClient, said: object, requestId: string): StreamError {
	const redacted: Said = { ...client.redact(said) };
	const { code = "stream_failed", message, hint } = readTexts(redacted);
	return new StreamError(message || "The answer failed half-way, without a reason.", {
		code,
		hint,
		requestId,
		details: readDetails(redacted),
	});
}
