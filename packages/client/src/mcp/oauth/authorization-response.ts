import type { AuthorizationServer } from "./authorization-server";
import { describeOAuthError, McpOAuthError, readOAuthError } from "./oauth-error";

/** Parameters that the authorization server redirected with (RFC 6749, section 4.1.2; RFC 9207). */
export interface McpAuthorizationResponse {
	readonly code?: string | null | undefined;
	readonly state?: string | null | undefined;
	/** Pass it whenever it is there. */
	readonly iss?: string | null | undefined;
	readonly error?: string | null | undefined;
	readonly error_description?: string | null | undefined;
}

/**
 * Checks a redirect against the request that it answers, before anything of it is used.
 *
 * @returns the code.
 * @throws McpOAuthError `state_mismatch`, `issuer_mismatch`, `authorization_refused`, `authorization_failed`
 */
export function readAuthorizationResponse(
	given: McpAuthorizationResponse | string,
	expected: Pick<AuthorizationServer, "issuer" | "sendsIssuer"> & { readonly state: string },
): string {
	const { code, state, iss, error, error_description } = typeof given === "string" ? parse(given) : given;
	if (state !== expected.state)
		throw new McpOAuthError("The state of the redirect does not match.", {
			code: "state_mismatch",
			hint: "Start the authorization again: the redirect may be of another tab, or forged.",
		});
	// Simple string comparison, also of errors and where it is not announced (RFC 9207, section 2.4).
	if ((iss ?? (expected.sendsIssuer ? "" : expected.issuer)) !== expected.issuer)
		throw new McpOAuthError(`The redirect does not come from the authorization server ${expected.issuer}.`, {
			code: "issuer_mismatch",
			hint: "`authorize` must return `iss` as the redirect has it. If it does, another authorization server may have sent the redirect.",
		});
	if (error) throw createAuthorizationError(expected.issuer, error, error_description ?? "");
	if (code) return code;
	throw new McpOAuthError("The redirect has neither a code nor an error.", { code: "authorization_failed" });
}

function createAuthorizationError(issuer: string, error: string, description: string): McpOAuthError {
	const oauthError = readOAuthError(error);
	const reason = describeOAuthError(oauthError, description);
	return new McpOAuthError(`${issuer} did not authorize the client${reason && ` (${reason})`}.`, {
		code: "authorization_refused",
		oauthError,
	});
}

/** Query of an address, whole or in part. By hand: React Native's own `URLSearchParams` reads nothing. */
function parse(address: string): McpAuthorizationResponse {
	const query = address
		.replace(/^[^?]*\?/, "")
		.split("#", 1)
		.join("");
	const parameters = new Map<string, string>();
	for (const pair of query.split("&")) {
		const [name = "", ...value] = pair.split("=");
		if (!parameters.has(name)) parameters.set(name, decode(value.join("=")));
	}
	return Object.fromEntries(parameters);
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text.replaceAll("+", " "));
	} catch {
		return text;
	}
}
