import type { Json } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import type { StemmaClient } from "../client";
import { StreamError } from "./errors";
import { readStrings } from "./read-api-error";

/** Reads an error that the stream itself reports half-way; it may come from something else than the service. */
export function readStreamError(client: StemmaClient, errorBody: object, requestId: string): StreamError {
	const redacted: { readonly details?: Json } = client.redact(errorBody);
	const { details } = redacted;
	const { code = "stream_failed", message, hint } = readStrings({ ...redacted });
	return new StreamError(
		message || "The answer failed before it was complete, and the service gave no reason.",
		{ code, hint, requestId, details: isJsonObject(details) ? details : undefined },
	);
}
