import type { ApiError, createApiError } from "../api-errors";
import type { OpenAnswer, StemmaClient } from "../client";

const read = (challenge: string, name: string): string =>
	new RegExp(`\\b${name}\\s*=\\s*"([^"\\x00-\\x1f\\x7f]{1,1000})"`, "i").exec(challenge)?.[1] ?? "";

/** A refusal with what the server says of how to be let in (RFC 9728, section 5.1). This file imports nothing at run time. */
export function toAuthError(
	refusal: ApiError,
	{ status, header }: OpenAnswer,
	redact: StemmaClient["redact"],
	create: typeof createApiError,
): ApiError {
	const { challenge } = redact({ challenge: header("www-authenticate") });
	const metadata = read(challenge, "resource_metadata");
	const scope = read(challenge, "scope");
	const isScope = status === 403 && /insufficient_scope/i.test(challenge);
	const what = isScope
		? `The credential lacks scopes that the MCP server asks for${scope && `: ${scope}`}.`
		: status === 401
			? `The MCP server asks for a credential: pass a \`token\`, or \`headers\`${scope && `, with the scopes ${scope}`}.`
			: "The credential is not allowed to do this.";
	const where = metadata && ` ${metadata} says who gives tokens for it.`;
	return create({
		...refusal,
		message: refusal.message,
		code: isScope ? "insufficient_scope" : refusal.code,
		hint: what + where,
	});
}
