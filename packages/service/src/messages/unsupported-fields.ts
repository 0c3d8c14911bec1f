import { isJsonObject } from "@stemma/core/internal";
import { createUnsupportedError } from "../completions/unsupported-fields";
import type { MessageRequest } from "./message-request";

/** Checks of fields that no model is given, for values that ask for nothing. */
const IS_NEUTRAL: { readonly [field in keyof MessageRequest]?: (value: unknown) => boolean } = {
	top_k: () => false,
	// A model that decides by itself how much it thinks does so without being asked, too.
	thinking: (value) => isJsonObject(value) && (value.type === "disabled" || value.type === "adaptive"),
	container: () => false,
	mcp_servers: (value) => Array.isArray(value) && value.length === 0,
	context_management: (value) =>
		isJsonObject(value) && Array.isArray(value.edits) && value.edits.every(clearsThinking),
};

/** Thinking of earlier turns is never given to a model. */
const clearsThinking = (edit: unknown): boolean =>
	isJsonObject(edit) && typeof edit.type === "string" && edit.type.startsWith("clear_thinking");

/**
 * Refuses what would change the answer and is not carried out.
 *
 * @throws DomainError `unsupported_parameter`
 */
export function assertSupported(request: MessageRequest): void {
	for (const [field, isNeutral] of Object.entries(IS_NEUTRAL)) {
		const value = request[field as keyof MessageRequest];
		if (value != null && !isNeutral(value))
			throw createUnsupportedError(field, `\`${field}\` is not supported.`);
	}
}
