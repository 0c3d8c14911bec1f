import type { OpenResponse, StemmaClient } from "../../client";
import { type ApiError, createApiError } from "../../errors/api-errors";
import { isInsufficientScope, readBearerChallenge } from "./challenge";

/** A refusal with what the server says of how to be let in (RFC 9728, section 5.1). */
export function toAuthError(
	apiError: ApiError,
	{ status, header }: OpenResponse,
	redact: StemmaClient["redact"],
): ApiError {
	const { challengeHeader } = redact({ challengeHeader: header("www-authenticate") });
	const challenge = readBearerChallenge(challengeHeader);
	const scope = challenge.get("scope");
	const isScope = isInsufficientScope(status, challenge);
	const explanation = isScope
		? `The credential lacks scopes that the MCP server asks for${scope ? `: ${scope}` : ""}.`
		: status === 401
			? `The MCP server asks for a credential: pass \`auth: mcpOAuth({ … })\`, a \`token\`, or \`headers\`${scope ? `, with the scopes ${scope}` : ""}.`
			: "The credential is not allowed to do this.";
	const metadata = challenge.get("resource_metadata");
	return createApiError({
		...apiError,
		message: apiError.message,
		code: isScope ? "insufficient_scope" : apiError.code,
		hint: explanation + (metadata ? ` ${metadata} names the authorization server.` : ""),
	});
}
