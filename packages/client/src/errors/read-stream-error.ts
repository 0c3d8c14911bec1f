import type { JsonObject } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { StemmaClient } from "../client";
import { StreamError } from "./errors";
import { readStrings } from "./read-api-error";

/** What went wrong half-way, as the stream itself says it; something else than the service may say it. */
export function readStreamError(client: StemmaClient, errorBody: object, requestId: string): StreamError {
	const redacted: { readonly details?: unknown } = client.redact(errorBody);
	const { details } = redacted;
	const { code = "stream_failed", message, hint } = readStrings({ ...redacted });
	return new StreamError(message || "The answer failed half-way, without a reason.", {
		code,
		hint,
		requestId,
		details: isJsonObject(details) ? (details as JsonObject) : undefined,
	});
}
