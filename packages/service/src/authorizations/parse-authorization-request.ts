import type { AuthorizationRequest } from "@stemma/client";
import { AuthorizationError } from "./authorization-error";
import { isCodeChallenge } from "./pkce";

/**
 * Returns the path of this service that a resource names (RFC 8707); nothing of another service is one.
 *
 * @param isOwnOrigin - checks whether an origin is that of the service.
 * @throws AuthorizationError `invalid_target`
 */
export function parseResource(
	resource: string | undefined,
	isOwnOrigin: (origin: string) => boolean,
): string {
	if (resource === undefined) return "/mcp";
	if (URL.canParse(resource) && !resource.includes("#")) {
		const { origin, pathname, search, username, password } = new URL(resource);
		const isPlain = search === "" && username === "" && password === "";
		const isKnown = pathname === "/mcp" || /^\/a2a\/[A-Za-z0-9_-]+$/.test(pathname);
		if (isPlain && isKnown && isOwnOrigin(origin)) return pathname;
	}
	throw new AuthorizationError(
		"invalid_target",
		"resource must be the address of /mcp, or that of an agent at /a2a/<id>, of this service.",
	);
}

/**
 * Asserts that an authorization request is one by code, with a challenge by SHA-256: no other is answered, so that nobody
 * can have it without.
 *
 * @throws AuthorizationError `unsupported_response_type`, `invalid_request`
 */
export function assertCodeRequest({
	response_type,
	code_challenge,
	code_challenge_method,
}: AuthorizationRequest): void {
	if (response_type !== "code")
		throw new AuthorizationError("unsupported_response_type", "response_type must be code.");
	if (code_challenge_method !== "S256" || !isCodeChallenge(code_challenge))
		throw new AuthorizationError(
			"invalid_request",
			"PKCE is needed: code_challenge_method must be S256, with its code_challenge.",
		);
}
