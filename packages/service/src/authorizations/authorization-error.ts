/** Code of an OAuth error (RFC 6749, sections 4.1.2.1 and 5.2; RFC 7591, section 3.2.2; RFC 8707, section 2). */
export type OAuthErrorCode =
	| "invalid_request"
	| "invalid_client"
	| "invalid_grant"
	| "invalid_scope"
	| "invalid_target"
	| "invalid_redirect_uri"
	| "invalid_client_metadata"
	| "unsupported_response_type"
	| "access_denied";

/** Request of an app that is refused. Its message is for the developer of the app. */
export class AuthorizationError extends Error {
	constructor(
		readonly code: OAuthErrorCode,
		message: string,
	) {
		super(message);
	}
}
