import type { ApiError, createApiError } from "../api-errors";
import type { OpenAnswer, StemmaClient } from "../client";
import { isInsufficientScope, readBearerChallenge } from "./challenge";

/** A refusal with what the server says of how to be let in (RFC 9728, section 5.1). */
export function toAuthError(
	refusal: ApiError,
	{ status, header }: OpenAnswer,
	redact: StemmaClient["redact"],
	create: typeof createApiError,
): ApiError {
	const { said } = redact({ said: header("www-authenticate") });
	const challenge = readBearerChallenge(said);
	const scope = challenge.get("scope");
	const isScope = isInsufficientScope(status, challenge);
	const what = isScope
		? `The credential lacks scopes that the MCP server asks for${scope ? `: ${scope}` : ""}.`
		: status === 401
			? `The MCP server asks for a credential: pass \`auth: mcpOAuth({ … })\`, a \`token\`, or \`headers\`${scope ? `, with the scopes ${scope}` : ""}.`
			: "The credential is not allowed to do this.";
	const metadata = challenge.get("resource_metadata");
	return create({
		...refusal,
		message: refusal.message,
		code: isScope ? "insufficient_scope" : refusal.code,
		hint: what + (metadata ? ` ${metadata} says who gives tokens for it.` : ""),
	});
}
